"""Rubrics of the kind ``likert``: reading them, asking, and the arithmetic written out by hand."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from tests.verifiers.rubric.cases import DROPPED, case, edited, fits

from pae_verifiers.errors import RubricError
from pae_verifiers.rubric.likert import LikertRubric
from pae_verifiers.rubric.load import load

FULL = """\
kind: likert
about: Grade the checker.
threshold: 4
dimensions:
  - id: fidelity_score
    text: Is the status right?
    anchors: {5: {text: Yes.}, 3: {text: In part.}, 1: {text: No., examples: [Accurate.]}}
  - id: evidence_grounding
    text: Is there evidence?
    anchors: {1: {text: No.}, 3: {text: Vague.}, 5: {text: Yes.}}
  - id: discrepancy_explanation
    text: Is it explained?
    anchors: {5: {text: Yes.}, 3: {text: In part.}, 1: {text: No.}}
"""
NAMES = ("fidelity_score", "evidence_grounding", "discrepancy_explanation")


def rubric(text: str = FULL) -> LikertRubric:
    loaded = load(text)
    assert isinstance(loaded, LikertRubric)
    return loaded


def with_threshold(threshold: int) -> LikertRubric:
    return rubric(FULL.replace("threshold: 4", f"threshold: {threshold}"))


def reply_of(*scores: int) -> dict[str, Any]:
    answers = {
        name: {"score": score, "rationale": f"{name} is {score}"}
        for name, score in zip(NAMES, scores, strict=True)
    }
    return {"scores": answers, "overall_rationale": "all in all"}


PASSED = Fraction(1)

# What fails earns half of the mean of (score - 1)/4: of three scores, their sum less 3, over 24.
ARITHMETIC = [
    (4, (5, 5, 5), "PASS", PASSED),
    (4, (4, 4, 4), "PASS", PASSED),
    (4, (5, 4, 4), "PASS", PASSED),
    (4, (4, 5, 4), "PASS", PASSED),
    (4, (4, 4, 5), "PASS", PASSED),
    (4, (3, 4, 4), "FAIL", Fraction(8, 24)),
    (4, (4, 3, 4), "FAIL", Fraction(8, 24)),
    (4, (4, 4, 3), "FAIL", Fraction(8, 24)),
    (4, (3, 5, 5), "FAIL", Fraction(10, 24)),
    (4, (5, 3, 5), "FAIL", Fraction(10, 24)),
    (4, (5, 5, 3), "FAIL", Fraction(10, 24)),
    (4, (2, 5, 5), "FAIL", Fraction(9, 24)),
    (4, (1, 5, 5), "FAIL", Fraction(8, 24)),
    (4, (5, 1, 5), "FAIL", Fraction(8, 24)),
    (4, (5, 5, 1), "FAIL", Fraction(8, 24)),
    (4, (3, 3, 3), "FAIL", Fraction(6, 24)),
    (4, (2, 2, 2), "FAIL", Fraction(3, 24)),
    (4, (5, 4, 3), "FAIL", Fraction(9, 24)),
    (4, (4, 4, 2), "FAIL", Fraction(7, 24)),
    (4, (1, 3, 5), "FAIL", Fraction(6, 24)),
    (4, (5, 1, 1), "FAIL", Fraction(4, 24)),
    (4, (2, 1, 1), "FAIL", Fraction(1, 24)),
    (4, (1, 1, 1), "FAIL", Fraction(0)),
    (3, (3, 3, 3), "PASS", PASSED),
    (3, (3, 4, 5), "PASS", PASSED),
    (3, (2, 3, 3), "FAIL", Fraction(5, 24)),
    (3, (5, 2, 5), "FAIL", Fraction(9, 24)),
    (3, (2, 2, 2), "FAIL", Fraction(3, 24)),
    (2, (2, 2, 2), "PASS", PASSED),
    (2, (2, 5, 3), "PASS", PASSED),
    (2, (1, 2, 2), "FAIL", Fraction(2, 24)),
    (2, (1, 5, 5), "FAIL", Fraction(8, 24)),
    (5, (5, 5, 5), "PASS", PASSED),
    (5, (4, 5, 5), "FAIL", Fraction(11, 24)),
    (5, (5, 5, 4), "FAIL", Fraction(11, 24)),
    (5, (4, 4, 4), "FAIL", Fraction(9, 24)),
]


@pytest.mark.parametrize(("threshold", "scores", "judgment", "metric"), ARITHMETIC)
def test_the_arithmetic(
    threshold: int, scores: tuple[int, int, int], judgment: str, metric: Fraction
) -> None:
    grade = with_threshold(threshold).grade(reply_of(*scores), case())
    assert (grade.details["judgment"], grade.score) == (judgment, metric)


@pytest.mark.parametrize(
    ("scores", "metric"),
    [
        ([4], Fraction(1)),
        ([3], Fraction(1, 4)),
        ([1], Fraction(0)),
        ([4, 4, 4, 4], Fraction(1)),
        ([5, 5, 5, 3], Fraction(14, 32)),
        ([5, 5, 5, 1], Fraction(12, 32)),
    ],
)
def test_the_mean_is_over_however_many_dimensions_there_are(
    scores: list[int], metric: Fraction
) -> None:
    assert rubric().metric(scores) == metric


def test_the_threshold_is_4_unless_stated() -> None:
    assert rubric(FULL.replace("threshold: 4\n", "")).threshold == 4


def test_a_rubric_may_have_a_fourth_dimension() -> None:
    fourth = "  - {id: source_context_adherence, text: Is the context weighed?, anchors: "
    four = rubric(FULL + fourth + "{5: {text: Yes.}, 3: {text: In part.}, 1: {text: No.}}}\n")
    reply = reply_of(5, 5, 5)
    assert not fits(four, reply)
    reply["scores"]["source_context_adherence"] = {"score": 3, "rationale": "in part"}
    assert fits(four, reply)
    assert four.grade(reply, case()).score == Fraction(14, 32)


def test_details_say_of_each_dimension_whether_it_reaches_the_threshold() -> None:
    reply = reply_of(5, 4, 3)
    reply["scores"]["fidelity_score"]["evidence"] = ["Misquoted"]
    assert rubric().grade(reply, case()).details == {
        "judgment": "FAIL",
        "threshold": 4,
        "dimensions": [
            {
                "id": "fidelity_score",
                "score": 5,
                "max": 5,
                "rationale": "fidelity_score is 5",
                "evidence": [{"text": "Misquoted", "start": 15, "end": 24}],
                "passed": True,
            },
            {
                "id": "evidence_grounding",
                "score": 4,
                "max": 5,
                "rationale": "evidence_grounding is 4",
                "evidence": [],
                "passed": True,
            },
            {
                "id": "discrepancy_explanation",
                "score": 3,
                "max": 5,
                "rationale": "discrepancy_explanation is 3",
                "evidence": [],
                "passed": False,
            },
        ],
        "overall_rationale": "all in all",
        "disagreements": [],
    }


@pytest.mark.parametrize(
    ("scores", "claimed", "disagreements"),
    [
        ((4, 4, 4), "PASS", []),
        ((3, 4, 4), "FAIL", []),
        (
            (3, 4, 4),
            "PASS",
            ["the judge's overall_judgment is PASS, its scores make a FAIL"],
        ),
        (
            (5, 5, 5),
            "FAIL",
            ["the judge's overall_judgment is FAIL, its scores make a PASS"],
        ),
    ],
)
def test_the_judge_s_own_verdict_is_ignored_and_a_wrong_one_reported(
    scores: tuple[int, int, int], claimed: str, disagreements: list[str]
) -> None:
    reply = {**reply_of(*scores), "overall_judgment": claimed}
    assert fits(rubric(), reply)
    grade = rubric().grade(reply, case())
    assert grade.details["disagreements"] == disagreements
    assert grade.score == rubric().grade(reply_of(*scores), case()).score


def good() -> dict[str, Any]:
    return reply_of(5, 4, 3)


FIRST = ("scores", "fidelity_score")


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ((*FIRST, "score"), 0),
        ((*FIRST, "score"), 6),
        ((*FIRST, "score"), -3),
        ((*FIRST, "score"), 4.5),
        ((*FIRST, "score"), "5"),
        ((*FIRST, "score"), True),
        ((*FIRST, "score"), None),
        ((*FIRST, "score"), float("nan")),
        ((*FIRST, "score"), float("inf")),
        ((*FIRST, "score"), DROPPED),
        ((*FIRST, "rationale"), ""),
        ((*FIRST, "rationale"), " \n"),
        ((*FIRST, "rationale"), 5),
        ((*FIRST, "rationale"), DROPPED),
        ((*FIRST, "evidence"), [""]),
        ((*FIRST, "evidence"), "Misquoted"),
        ((*FIRST, "evidence"), [5]),
        ((*FIRST, "confidence"), 1),
        (("scores", "evidence_grounding"), DROPPED),
        (("scores", "evidence_grounding"), 5),
        (("scores", "style"), {"score": 5, "rationale": "a dimension too many"}),
        (("scores",), [{"score": 5, "rationale": "a list"}] * 3),
        (("scores",), DROPPED),
        (("evaluation_id",), "the harness's own"),
        (("overall_judgment",), "MAYBE"),
        (("overall_judgment",), "pass"),
        (("overall_rationale",), ""),
        (("overall_rationale",), DROPPED),
    ],
)
def test_the_reply_schema_refuses_a_reply_with_one_thing_wrong(
    path: tuple[str, ...], value: object
) -> None:
    assert fits(rubric(), good())
    assert not fits(rubric(), edited(good(), path, value))


@pytest.mark.parametrize("reply", [[], None, "PASS", {}, {"scores": {}}])
def test_the_reply_schema_refuses_what_is_no_reply(reply: object) -> None:
    assert not fits(rubric(), reply)


def test_evidence_that_is_not_in_the_document_is_a_fault() -> None:
    reply = good()
    reply["scores"]["evidence_grounding"]["evidence"] = ["«may»", "the source has"]
    assert fits(rubric(), reply)
    assert rubric().faults(reply, case()) == (
        "evidence_grounding: evidence 'the source has' does not stand in the document",
    )


def test_no_evidence_is_no_fault() -> None:
    reply = good()
    reply["scores"]["evidence_grounding"]["evidence"] = []
    assert rubric().faults(reply, case()) == ()


@pytest.mark.parametrize("text", ["", " \n\t\n", " "])
def test_an_empty_document_gets_1_everywhere_without_a_judge(text: str) -> None:
    grade = rubric().before(case(text))
    assert grade is not None and grade.score == 0
    assert [answer["score"] for answer in grade.details["dimensions"]] == [1, 1, 1]
    assert {answer["rationale"] for answer in grade.details["dimensions"]} == {
        "The document cannot be assessed: it is empty. No judge was asked."
    }


def test_a_document_that_can_be_assessed_is_put_to_the_judge() -> None:
    assert rubric().before(case()) is None


def test_the_evaluation_as_one_object() -> None:
    reply = {**reply_of(4, 4, 3), "overall_judgment": "PASS"}
    assert rubric().native(reply, case(), "quote-17") == {
        "evaluation_id": "quote-17",
        "scores": {
            "fidelity_score": {"score": 4, "rationale": "fidelity_score is 4"},
            "evidence_grounding": {"score": 4, "rationale": "evidence_grounding is 4"},
            "discrepancy_explanation": {
                "score": 3,
                "rationale": "discrepancy_explanation is 3",
            },
        },
        "overall_judgment": "FAIL",
        "overall_rationale": "all in all",
    }


def test_a_document_without_a_judge_is_an_evaluation_too() -> None:
    native = rubric().native({}, case(""))
    assert native["overall_judgment"] == "FAIL"
    assert [answer["score"] for answer in native["scores"].values()] == [1, 1, 1]


def test_the_evaluation_id_belongs_to_case_and_rubric() -> None:
    def id_of(rubric: LikertRubric, **parts: Any) -> str:
        return str(rubric.native(good(), case(**parts))["evaluation_id"])

    first = id_of(rubric())
    assert len(first) == 32
    assert rubric().native(reply_of(1, 1, 1), case())["evaluation_id"] == first
    others = {
        id_of(rubric(), text="Another."),
        id_of(rubric(), context={"QUOTE": "x"}),
        id_of(rubric(), reference="x"),
        id_of(with_threshold(3)),
    }
    assert len(others | {first}) == 5


def test_a_judge_is_told_the_scale_the_anchors_and_the_threshold() -> None:
    told = rubric().described()
    assert told["about"] == "Grade the checker."
    assert told["how_to_answer"][0] == (
        "Give each dimension a whole number from 1 to 5. Only 1, 3 and 5 have an anchor: 4 lies "
        "between the anchors of 3 and 5, 2 between those of 1 and 3."
    )
    assert told["how_to_answer"][-1] == (
        "PASS means that every dimension has at least 4, FAIL that one has less. It is worked out "
        "from the scores, whatever the reply says."
    )
    assert told["dimensions"][0] == {
        "id": "fidelity_score",
        "question": "Is the status right?",
        "scale": {"min": 1, "max": 5},
        "anchors": [
            {"score": 5, "meaning": "Yes."},
            {"score": 3, "meaning": "In part."},
            {"score": 1, "meaning": "No.", "examples": ["Accurate."]},
        ],
    }


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("threshold: 4", "threshold: 6", "3: the threshold is a score from 2 to 5, not 6"),
        ("threshold: 4", "threshold: 1", "3: the threshold is a score from 2 to 5, not 1"),
        ("threshold: 4", "threshold: '4'", "3: expected a whole number"),
        ("threshold: 4", "treshold: 4", "3: unknown key 'treshold'; did you mean 'threshold'?"),
        ("3: {text: Vague.}, ", "", "10: the key '3' is missing"),
        ("3: {text: Vague.}", "4: {text: Vague.}", "10: unknown key '4' (known: 5, 3, 1)"),
        ("{text: Vague.}", "Vague.", "10: expected a mapping (key: value)"),
        ("{text: Vague.}", "{txet: Vague.}", "10: unknown key 'txet'; did you mean 'text'?"),
        ("id: evidence_grounding", "id: fidelity_score", "8: the id 'fidelity_score' occurs twice"),
        ("id: evidence_grounding", "id: Evidence", "8: the id 'Evidence' is not a lower-case "
         "Python identifier"),
        ("    text: Is it explained?\n", "", "11: the key 'text' is missing"),
        ("[Accurate.]", "Accurate.", "7: expected a list"),
        ("about: Grade the checker.", "about: ''", "2: expected text"),
        ("about: Grade the checker.", "candidate_format: yaml", "2: 'yaml' is not one of text, "
         "json"),
    ],
)  # fmt: skip
def test_a_wrong_rubric_is_refused_with_its_line(old: str, new: str, message: str) -> None:
    assert FULL.count(old) == 1
    with pytest.raises(RubricError) as caught:
        load(FULL.replace(old, new))
    assert str(caught.value) == f"rubric.yaml:{message}"


def test_a_rubric_without_dimensions_is_refused() -> None:
    with pytest.raises(RubricError, match=r"^rubric\.yaml:2: a rubric has at least one dimension$"):
        load("kind: likert\ndimensions: []\n")
