"""From a response and a judge's reply to a score, end to end."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from tests.verifiers.rubric.checklist.samples import FixedJudge, Sample

from pae_verifiers.judge.candidate import Candidate
from pae_verifiers.numbers import markdown, plain
from pae_verifiers.rubric.checklist.rubric import ChecklistRubric
from pae_verifiers.rubric.grade import grade
from pae_verifiers.rubric.model import Case, Grade


def graded(rubric: ChecklistRubric, name: str) -> Grade:
    sample = Sample(name)
    return grade(rubric, FixedJudge(sample.reply), sample.case)


@pytest.mark.parametrize(
    ("name", "score", "dimensions"),
    [
        ("good", Fraction(1), [90, 90, 90, 90]),
        ("translated", Fraction(345, 360), [90, 80, 85, 90]),
        ("flawed", Fraction(20, 360), [15, 0, 0, 5]),
    ],
)
def test_the_metric_is_the_mean_of_the_scores_over_the_best_there_is(
    rubric: ChecklistRubric, name: str, score: Fraction, dimensions: list[int]
) -> None:
    found = graded(rubric, name)
    assert (found.status, found.score) == ("scored", score)
    assert [each["score"] for each in found.details["dimensions"]] == dimensions


@pytest.mark.parametrize("name", ["good", "translated", "flawed"])
def test_the_native_output_is_that_of_the_specification(rubric: ChecklistRubric, name: str) -> None:
    sample = Sample(name)
    output = rubric.native(sample.reply, sample.case)
    assert json.dumps(output, ensure_ascii=False, indent=2) + "\n" == sample.native


def test_the_judge_s_own_arithmetic_is_reported_and_ignored(rubric: ChecklistRubric) -> None:
    flawed = graded(rubric, "flawed").details
    assert flawed["disagreements"] == [
        "format: the judge says 20, its checks and deductions come to 15"
    ]
    assert flawed["dimensions"][0]["claimed_score"] == 20
    assert graded(rubric, "good").details["disagreements"] == []


@pytest.mark.parametrize(("material", "score"), [(None, 0), (True, 0), (False, 70)])
def test_a_fabrication_is_material_unless_the_judge_says_otherwise(
    rubric: ChecklistRubric, material: bool | None, score: int
) -> None:
    sample = Sample("good")
    reply = sample.reply
    check = reply["dimensions"][3]["checks"][0]
    check.update(verdict="FAIL", **({} if material is None else {"material": material}))
    graded = grade(rubric, FixedJudge(reply), sample.case)
    assert graded.details["dimensions"][3]["score"] == score


def test_what_code_counts_weighs_like_what_a_judge_says(rubric: ChecklistRubric) -> None:
    sample = Sample("good")
    source = sample.case.candidate.source + "word " * 400
    graded = grade(rubric, FixedJudge(sample.reply), Case(Candidate(markdown.render(source))))
    dimension = graded.details["dimensions"][0]
    assert (dimension["checks"][3]["verdict"], dimension["score"]) == ("FAIL", 70)


def test_details_tell_the_whole_story(rubric: ChecklistRubric) -> None:
    details = graded(rubric, "flawed").details
    assert json.loads(json.dumps(details)) == details
    assert list(details) == [
        "judge",
        "kind",
        "score",
        "fields",
        "max_attainable",
        "dimensions",
        "disagreements",
        "general_comments",
    ]
    assert details["kind"] == "checklist"
    assert details["fields"] == {
        "stock_switch_from": "NORTHGATE MARINE HOLDINGS LTD",
        "stock_switch_to": "SILVER HARBOUR INSURANCE GROUP CO LTD",
    }
    bear = details["dimensions"][1]
    assert (bear["baseline"], bear["deducted"], bear["score"]) == (0, 0, 0)
    assert bear["hard_fails"] == ["bear_case_present"]
    source = Sample("flawed").case.candidate.source
    start = source.index("The company sails on eleven lanes.")
    assert bear["deductions"] == [
        {
            "id": "bear_generic_claims",
            "name": "Generic / name-swappable claims",
            "specific": "any carrier sails on lanes.",
            "points": 0,
            "reduced": "hard_fail",
            "evidence": [
                {"text": "The company sails on eleven lanes.", "start": start, "end": start + 34}
            ],
        }
    ]
    assert details["dimensions"][3]["checks"][0]["material"] is False
    assert [check["by"] for check in details["dimensions"][0]["checks"]] == [
        "judge",
        "judge",
        "judge",
        "code",
        "judge",
        "code",
    ]


def test_plain_text_and_markdown_are_judged_alike(rubric: ChecklistRubric) -> None:
    sample = Sample("translated")
    source = sample.case.candidate.source
    outputs = [
        rubric.native(sample.reply, Case(Candidate(module.render(source))))
        for module in (markdown, plain)
    ]
    assert outputs[0] == outputs[1]


def test_no_judge_is_asked_about_a_response_without_its_sections(rubric: ChecklistRubric) -> None:
    case = Case(Candidate(markdown.render("Switch from A to B\n\nSell A.\n\nBuy B.\n")))
    found = grade(rubric, None, case)
    assert (found.status, found.score) == ("not_evaluable", None)
    assert found.details == {
        "judge": "code",
        "kind": "checklist",
        "score": None,
        "missing_sections": ["verification", "note"],
    }


def test_a_response_without_an_analyst_s_message_is_evaluated(rubric: ChecklistRubric) -> None:
    sample = Sample("good")
    case = Case(sample.case.candidate)
    assert grade(rubric, FixedJudge(sample.reply), case).score == 1


def test_a_reply_with_faults_is_never_scored(rubric: ChecklistRubric) -> None:
    good, flawed = Sample("good"), Sample("flawed")
    with pytest.raises(ValueError, match="does not stand in the document"):
        grade(rubric, FixedJudge(flawed.reply), good.case)
