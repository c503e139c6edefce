"""A judge's reply: what its schema lets pass, and what is wrong with one that it does."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from tests.verifiers.rubric.checklist.samples import Sample

from pae_verifiers.judge.candidate import Candidate
from pae_verifiers.numbers.markdown import render
from pae_verifiers.rubric.checklist.rubric import ChecklistRubric
from pae_verifiers.rubric.model import Case

Change = Callable[[dict[str, Any]], object]

FORMAT, BEAR, BULL, EVIDENCE = range(4)


def fits(rubric: ChecklistRubric, reply: object) -> bool:
    return bool(Draft202012Validator(rubric.reply_schema()).is_valid(reply))


def check(reply: dict[str, Any], dimension: int, number: int = 0) -> dict[str, Any]:
    return reply["dimensions"][dimension]["checks"][number]  # type: ignore[no-any-return]


def deductions(reply: dict[str, Any], dimension: int) -> list[dict[str, Any]]:
    return reply["dimensions"][dimension]["deductions"]  # type: ignore[no-any-return]


def instances(reply: dict[str, Any], dimension: int, name: str) -> list[dict[str, Any]]:
    found = next(each for each in deductions(reply, dimension) if each["id"] == name)
    return found["instances"]  # type: ignore[no-any-return]


def instance(*evidence: str, specific: str = "so it is.") -> dict[str, Any]:
    return {"specific": specific, "evidence": list(evidence)}


@pytest.mark.parametrize("name", ["good", "translated", "flawed"])
def test_a_good_reply_fits_and_has_no_faults(rubric: ChecklistRubric, name: str) -> None:
    sample = Sample(name)
    assert fits(rubric, sample.reply)
    assert rubric.faults(sample.reply, sample.case) == ()


def test_the_schema_is_one_and_is_json(rubric: ChecklistRubric) -> None:
    Draft202012Validator.check_schema(rubric.reply_schema())
    assert json.loads(json.dumps(rubric.reply_schema())) == rubric.reply_schema()


GOOD: list[Change] = [
    lambda r: r["dimensions"][FORMAT].update(score=0),
    lambda r: r["dimensions"][FORMAT].pop("score"),
    lambda r: check(r, EVIDENCE).update(material=False),
    lambda r: check(r, EVIDENCE, 3).update(verdict="N/A"),
    lambda r: instances(r, BEAR, "bear_event_omitted").append(instance()),
    lambda r: r["general_comments"].append({"category": "evidence-gap", "issue": "thin"}),
]


@pytest.mark.parametrize("number", range(len(GOOD)))
def test_what_may_be_said(rubric: ChecklistRubric, number: int) -> None:
    reply = Sample("good").reply
    GOOD[number](reply)
    assert fits(rubric, reply)


BAD: dict[str, Change] = {
    "no field": lambda r: r.pop("stock_switch_from"),
    "an empty field": lambda r: r.update(stock_switch_to=" "),
    "another key": lambda r: r.update(overall=90),
    "no comments": lambda r: r.pop("general_comments"),
    "comments as text": lambda r: r.update(general_comments=""),
    "a comment without a category": lambda r: r["general_comments"].append({"issue": "thin"}),
    "a missing dimension": lambda r: r["dimensions"].pop(),
    "a further dimension": lambda r: r["dimensions"].append(r["dimensions"][0]),
    "dimensions in another order": lambda r: r["dimensions"].reverse(),
    "a dimension by another name": lambda r: r["dimensions"][0].update(id="layout"),
    "a missing check": lambda r: r["dimensions"][FORMAT]["checks"].pop(),
    "a check of code": lambda r: r["dimensions"][FORMAT]["checks"].insert(
        3, {**check(r, FORMAT), "id": "brevity"}
    ),
    "checks in another order": lambda r: r["dimensions"][BEAR]["checks"].reverse(),
    "a check of another dimension": lambda r: check(r, BEAR).update(id="bull_case_present"),
    "a verdict in lower case": lambda r: check(r, FORMAT).update(verdict="pass"),
    "a verdict as a boolean": lambda r: check(r, FORMAT).update(verdict=True),
    "N/A for the title": lambda r: check(r, FORMAT).update(verdict="N/A"),
    "N/A for the scenario": lambda r: check(r, FORMAT, 3).update(verdict="N/A"),
    "N/A for the bear case": lambda r: check(r, BEAR).update(verdict="N/A"),
    "N/A for fabrication": lambda r: check(r, EVIDENCE).update(verdict="N/A"),
    "no justification": lambda r: check(r, FORMAT).update(justification=""),
    "no list of evidence": lambda r: check(r, FORMAT).pop("evidence"),
    "empty evidence": lambda r: check(r, FORMAT).update(evidence=[""]),
    "evidence as text": lambda r: check(r, FORMAT).update(evidence="Switch"),
    "material where nobody asks": lambda r: check(r, FORMAT).update(material=True),
    "material as text": lambda r: check(r, EVIDENCE).update(material="yes"),
    "a missing deduction": lambda r: deductions(r, BULL).pop(),
    "deductions in another order": lambda r: deductions(r, BULL).reverse(),
    "a deduction of its own making": lambda r: deductions(r, BULL)[0].update(id="bull_tone"),
    "an instance without evidence": lambda r: deductions(r, FORMAT)[0]["instances"].append(
        instance()
    ),
    "an instance without words": lambda r: deductions(r, FORMAT)[0]["instances"].append(
        instance("Switch", specific=" ")
    ),
    "an instance with points": lambda r: deductions(r, FORMAT)[0]["instances"].append(
        {**instance("Switch"), "points": 5}
    ),
    "a hundred and one instances": lambda r: deductions(r, FORMAT)[0].update(
        instances=[instance("Switch")] * 101
    ),
    "no summary": lambda r: r["dimensions"][BEAR].pop("summary"),
    "a score above 100": lambda r: r["dimensions"][BEAR].update(score=101),
    "a score below 0": lambda r: r["dimensions"][BEAR].update(score=-5),
    "a score in words": lambda r: r["dimensions"][BEAR].update(score="90"),
    "a score in halves": lambda r: r["dimensions"][BEAR].update(score=72.5),
    "a score of nan": lambda r: r["dimensions"][BEAR].update(score=float("nan")),
}


@pytest.mark.parametrize("what", BAD)
def test_what_is_refused(rubric: ChecklistRubric, what: str) -> None:
    reply = Sample("good").reply
    BAD[what](reply)
    assert not fits(rubric, reply)


@pytest.mark.parametrize("reply", [None, [], "", {}, {"dimensions": []}, 90])
def test_what_is_no_reply(rubric: ChecklistRubric, reply: object) -> None:
    assert not fits(rubric, reply)


def test_a_reply_in_the_seed_s_own_output_form_is_refused(rubric: ChecklistRubric) -> None:
    assert not fits(rubric, json.loads(Sample("good").native))


FLAWED: dict[str, tuple[Change, str]] = {
    "evidence of a check that is made up": (
        lambda r: check(r, FORMAT, 2).update(evidence=["target price HKD 9"]),
        "format.preamble: evidence 'target price HKD 9' does not stand in the document",
    ),
    "evidence of an instance with fixed-up quotes": (
        lambda r: instances(r, FORMAT, "quotation_marks_in_note")[0].update(
            evidence=["“a compounder for the decade”"]
        ),
        "format.quotation_marks_in_note, instance 1: evidence '“a compounder for the decade”' "
        "does not stand in the document",
    ),
    "a dropped commitment beside a PASS": (
        lambda r: check(r, FORMAT, 3).update(verdict="PASS"),
        "format.framing_commitment_dropped goes only with a FAIL of scenario_framing, which is "
        "PASS: change one of them",
    ),
    "quotation marks that are none": (
        lambda r: instances(r, FORMAT, "quotation_marks_in_note")[0].update(
            evidence=["a compounder for the decade"]
        ),
        "format.quotation_marks_in_note, instance 1: no excerpt shows the quotation mark",
    ),
    "quotation marks of the table": (
        lambda r: instances(r, FORMAT, "quotation_marks_in_note")[0].update(
            evidence=['"P/E 7.1x"']
        ),
        "format.quotation_marks_in_note, instance 1: no excerpt lies in the section 'note'",
    ),
    "a hedge without its citation": (
        lambda r: instances(r, BULL, "bull_hedge_language")[0].update(evidence=["may have grown"]),
        "bull_thesis_quality.bull_hedge_language, instance 1: no excerpt shows the claim together "
        "with its inline citation",
    ),
    "two instances in one sentence": (
        lambda r: instances(r, BULL, "bull_generic_claims").append(instance("of high quality")),
        "bull_thesis_quality.bull_generic_claims, instance 3: another instance lies in the same "
        "sentence; a sentence is one instance",
    ),
    "two instances in one row": (
        lambda r: instances(r, EVIDENCE, "contradicted_without_quote").append(
            instance("| ANALYST | Its margins widen |")
        ),
        "evidence_alignment.contradicted_without_quote, instance 2: another instance lies in the "
        "same table row; a row is one instance",
    ),
    "two instances in one leg": (
        lambda r: instances(r, FORMAT, "data_dump").extend(
            [instance("The company sails"), instance("Our house view")]
        ),
        "format.data_dump, instance 2: another instance lies in the same leg; a leg is one "
        "instance",
    ),
    "a claim twice": (
        lambda r: instances(r, EVIDENCE, "citation_drift").append(
            instance("The dividend doubled [Harbour_9M.pdf]")
        ),
        "",
    ),
    "the same claim twice": (
        lambda r: instances(r, EVIDENCE, "citation_drift").append(
            instance("The dividend doubled [Harbour_9M.pdf].", specific="in other words.")
        ),
        "evidence_alignment.citation_drift, instance 4: it has the excerpts of another instance; "
        "list a claim once",
    ),
    "an omission twice": (
        lambda r: instances(r, BULL, "bull_event_omitted").append(
            instance(specific="the  nine-month results are not NAMED.")
        ),
        "bull_thesis_quality.bull_event_omitted, instance 2: it has the excerpts of another "
        "instance; list an instance once",
    ),
    "two omissions": (
        lambda r: instances(r, BULL, "bull_event_omitted").append(instance(specific="Nor is May.")),
        "",
    ),
}


@pytest.mark.parametrize("what", FLAWED)
def test_faults(rubric: ChecklistRubric, what: str) -> None:
    sample = Sample("flawed")
    reply = sample.reply
    change, fault = FLAWED[what]
    change(reply)
    assert fits(rubric, reply)
    assert rubric.faults(reply, sample.case) == ((fault,) if fault else ())


def test_every_fault_is_told(rubric: ChecklistRubric) -> None:
    sample = Sample("flawed")
    reply = sample.reply
    for what in ("a dropped commitment beside a PASS", "a hedge without its citation"):
        FLAWED[what][0](reply)
    assert len(rubric.faults(reply, sample.case)) == 2


def test_a_sentence_that_stands_twice_may_be_two_instances(rubric: ChecklistRubric) -> None:
    sample = Sample("flawed")
    source = sample.case.candidate.source + "\nWe prefer to act on conviction.\n"
    reply = sample.reply
    listed = instances(reply, FORMAT, "padding_sentence")
    listed.append(instance("We prefer to act on conviction."))
    again = deepcopy(reply)
    instances(again, FORMAT, "padding_sentence").append(instance("We prefer to act on conviction."))
    case = Case(Candidate(render(source)))
    assert rubric.faults(reply, case) == ()
    assert len(rubric.faults(again, case)) == 1


def test_a_short_excerpt_leaves_a_longer_one_its_place(rubric: ChecklistRubric) -> None:
    sample = Sample("flawed")
    reply = sample.reply
    listed = instances(reply, FORMAT, "padding_sentence")
    listed[:] = [instance("Our house view"), instance("We prefer"), instance("c")]
    assert rubric.faults(reply, sample.case) == ()


def test_dimensions_out_of_order_are_a_fault_too(rubric: ChecklistRubric) -> None:
    sample = Sample("good")
    reply = sample.reply
    reply["dimensions"].reverse()
    assert rubric.faults(reply, sample.case) == (
        "the dimensions are not format, bear_thesis_quality, bull_thesis_quality, "
        "evidence_alignment, in this order",
    )
