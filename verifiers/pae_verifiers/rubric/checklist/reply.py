"""A judge's reply to a checklist: its schema, its faults, and what it says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any

from pae_verifiers.judge.evidence import evidence_faults
from pae_verifiers.rubric.checklist.model import (
    Check,
    Deduction,
    Dimension,
    Finding,
    Instance,
)
from pae_verifiers.rubric.checklist.units import ENOUGH, Units, crowded
from pae_verifiers.rubric.reply import BOOLEAN, EVIDENCE, TEXT, Schema, closed, in_order, whole

MOST_INSTANCES = ENOUGH  # of one deduction; no document needs more to come to 0

Answer = Mapping[str, Any]


def schema(dimensions: Sequence[Dimension], fields: Sequence[str], comments: str) -> Schema:
    """The JSON Schema of a reply: everything in the rubric's order, and no other key.

    ``fields`` are the names of the fields that are filled in with text; ``comments`` names the
    list of comments, where there is one.
    """
    properties: dict[str, Schema] = dict.fromkeys(fields, TEXT)
    properties["dimensions"] = in_order([_dimension(dimension) for dimension in dimensions])
    if comments:
        comment = closed({"category": TEXT, "issue": TEXT})
        properties[comments] = {"type": "array", "items": comment}
    return closed(properties)


def faults(dimensions: Sequence[Dimension], reply: Answer, units: Units) -> tuple[str, ...]:
    """What is wrong with a reply that fits the schema, each in a sentence for the judge."""
    answers = reply.get("dimensions", ())
    asked = [dimension.id for dimension in dimensions]
    if [answer["id"] for answer in answers] != asked:
        return (f"the dimensions are not {', '.join(asked)}, in this order",)
    found: list[str] = []
    for dimension, answer in zip(dimensions, answers, strict=True):
        wrong = [*_wrong_findings(dimension, answer, units.source)]
        wrong += _wrong_instances(dimension, answer, units)
        found += [f"{dimension.id}.{fault}" for fault in wrong]
    return tuple(found)


def findings(dimension: Dimension, answer: Answer) -> tuple[Finding, ...]:
    """What the answer to one dimension says about its checks that a judge decides."""
    given = {check["id"]: check for check in answer.get("checks", ())}
    return tuple(
        Finding(
            check,
            given[check.id]["verdict"],
            given[check.id]["justification"],
            tuple(given[check.id]["evidence"]),
            given[check.id].get("material", True),
        )
        for check in asked(dimension)
    )


def instances(dimension: Dimension, answer: Answer) -> tuple[Instance, ...]:
    """The instances of deductions that the answer lists, in the rubric's order."""
    given = {entry["id"]: entry["instances"] for entry in answer.get("deductions", ())}
    return tuple(
        Instance(deduction, instance["specific"], tuple(instance["evidence"]))
        for deduction in dimension.deductions
        for instance in given.get(deduction.id, ())
    )


def asked(dimension: Dimension) -> tuple[Check, ...]:
    """The checks that a judge decides."""
    return tuple(check for check in dimension.checks if check.by == "judge")


def _dimension(dimension: Dimension) -> Schema:
    answer = closed(
        {
            "id": {"const": dimension.id},
            "checks": in_order([_check(check) for check in asked(dimension)]),
            "deductions": in_order([_deduction(each) for each in dimension.deductions]),
            "summary": TEXT,
        }
    )
    # A judge that adds up all the same may say so, but is not asked to: a form made from this
    # schema shows its properties.
    return {**answer, "patternProperties": {"^score$": whole(0, 100)}}


def _check(check: Check) -> Schema:
    properties: dict[str, Schema] = {
        "id": {"const": check.id},
        "verdict": {"enum": list(check.verdicts)},
        "justification": TEXT,
        "evidence": EVIDENCE,
    }
    if check.hard_fail != "material":
        return closed(properties)
    return closed({**properties, "material": BOOLEAN}, optional=("material",))


def _deduction(deduction: Deduction) -> Schema:
    needed = 1 if deduction.evidence == "required" else 0
    instance = closed({"specific": TEXT, "evidence": {**EVIDENCE, "minItems": needed}})
    listed = {"type": "array", "items": instance, "maxItems": MOST_INSTANCES}
    return closed({"id": {"const": deduction.id}, "instances": listed})


def _wrong_findings(dimension: Dimension, answer: Answer, source: str) -> Iterator[str]:
    for finding in findings(dimension, answer):
        for fault in evidence_faults(finding.evidence, source, wanted=False):
            yield f"{finding.check.id}: {fault}"


def _wrong_instances(dimension: Dimension, answer: Answer, units: Units) -> Iterator[str]:
    verdicts = {check["id"]: check["verdict"] for check in answer["checks"]}
    listed = instances(dimension, answer)
    for deduction, group in groupby(listed, key=attrgetter("deduction")):
        same = list(group)
        for number, instance in enumerate(same, start=1):
            for fault in _wrong_evidence(instance, units):
                yield f"{deduction.id}, instance {number}: {fault}"
        if deduction.needs_fail and verdicts.get(deduction.needs_fail, "FAIL") != "FAIL":
            yield (
                f"{deduction.id} goes only with a FAIL of {deduction.needs_fail}, which is "
                f"{verdicts[deduction.needs_fail]}: change one of them"
            )
        for number in crowded([units.places(instance) for instance in same]):
            yield f"{deduction.id}, instance {number + 1}: {_CROWDED[deduction.per]}"


_CROWDED = {
    "sentence": "another instance lies in the same sentence; a sentence is one instance",
    "row": "another instance lies in the same table row; a row is one instance",
    "leg": "another instance lies in the same leg; a leg is one instance",
    "claim": "it has the excerpts of another instance; list a claim once",
    "instance": "it has the excerpts of another instance; list an instance once",
}


def _wrong_evidence(instance: Instance, units: Units) -> Iterator[str]:
    deduction = instance.deduction
    wrong = evidence_faults(
        instance.evidence, units.source, wanted=deduction.evidence == "required"
    )
    yield from wrong
    if wrong or not instance.evidence:
        return
    if not units.spots(instance):
        yield f"no excerpt lies in the section {deduction.section!r}"
    shows = deduction.shows
    if shows and not any(shows.pattern.search(excerpt) for excerpt in instance.evidence):
        yield f"no excerpt shows {shows.words}"
