"""Rubrics of the kind ``points``: reading them, asking, and the arithmetic written out by hand."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from tests.verifiers.rubric.cases import DROPPED, case, edited, fits

from pae_verifiers.errors import RubricError
from pae_verifiers.rubric.load import load
from pae_verifiers.rubric.points import PointsRubric

FULL = """\
kind: points
dimensions:
  - id: factual_accuracy
    text: Is it right?
    max: 2
    anchors: {2: {text: Yes.}, 1: {text: In part.}, 0: {text: No.}}
  - id: causal_reasoning
    text: Is there a chain?
    max: 3
    anchors: {3: {text: Full.}, 2: {text: A gap.}, 1: {text: Asserted.}, 0: {text: None.}}
  - id: sign_directionality
    text: Is the direction right?
    max: 2
    anchors: {2: {text: Yes.}, 1: {text: Open.}, 0: {text: No.}}
  - id: edge_case_awareness
    text: Is a limit named?
    max: 1
    anchors: {1: {text: Yes., examples: [Issuer default.]}, 0: {text: No.}}
bonus:
  - id: cross_domain_bonus
    text: Is there a link to another field?
    max: 2
    anchors: {2: {text: Explained.}, 1: {text: Mentioned.}, 0: {text: None.}}
flags:
  - {id: self_contradictory_chain, text: It denies itself., caps: {causal_reasoning: 1}}
  - id: product_identity
    text: It is about another product.
    exempt: An illustration is fine.
    examples: [A barrier.]
    caps: {factual_accuracy: 1}
"""
NAMES = ("factual_accuracy", "causal_reasoning", "sign_directionality", "edge_case_awareness")
CONTRADICTORY, IDENTITY = "self_contradictory_chain", "product_identity"


def rubric(text: str = FULL) -> PointsRubric:
    loaded = load(text)
    assert isinstance(loaded, PointsRubric)
    return loaded


def reply_of(*scores: int, raised: tuple[str, ...] = (), bonus: int = 0) -> dict[str, Any]:
    return {
        "scores": {
            name: {"score": score, "rationale": f"{name} is {score}"}
            for name, score in zip(NAMES, scores, strict=True)
        },
        "bonus": {"cross_domain_bonus": {"score": bonus, "rationale": "a link"}},
        "flags": {
            name: {
                "raised": name in raised,
                "rationale": "looked for",
                "evidence": ["Misquoted"] if name in raised else [],
            }
            for name in (CONTRADICTORY, IDENTITY)
        },
    }


NO: tuple[str, ...] = ()
CHAIN, PRODUCT, BOTH = (CONTRADICTORY,), (IDENTITY,), (CONTRADICTORY, IDENTITY)

# As given (facts, chain, direction, edge case); what is raised; what facts and chain keep; total.
ARITHMETIC = [
    ((2, 3, 2, 1), NO, (2, 3), 8),
    ((0, 0, 0, 0), NO, (0, 0), 0),
    ((1, 0, 0, 0), NO, (1, 0), 1),
    ((2, 0, 0, 0), NO, (2, 0), 2),
    ((0, 1, 0, 0), NO, (0, 1), 1),
    ((0, 2, 0, 0), NO, (0, 2), 2),
    ((0, 3, 0, 0), NO, (0, 3), 3),
    ((0, 0, 1, 0), NO, (0, 0), 1),
    ((0, 0, 2, 0), NO, (0, 0), 2),
    ((0, 0, 0, 1), NO, (0, 0), 1),
    ((1, 1, 1, 1), NO, (1, 1), 4),
    ((2, 2, 2, 1), NO, (2, 2), 7),
    ((1, 2, 1, 0), NO, (1, 2), 4),
    ((2, 3, 0, 0), NO, (2, 3), 5),
    # a chain that contradicts itself keeps at most 1
    ((2, 0, 2, 1), CHAIN, (2, 0), 5),
    ((2, 1, 2, 1), CHAIN, (2, 1), 6),
    ((2, 2, 2, 1), CHAIN, (2, 1), 6),
    ((2, 3, 2, 1), CHAIN, (2, 1), 6),
    ((0, 0, 0, 0), CHAIN, (0, 0), 0),
    ((0, 1, 0, 0), CHAIN, (0, 1), 1),
    ((0, 2, 0, 0), CHAIN, (0, 1), 1),
    ((0, 3, 0, 0), CHAIN, (0, 1), 1),
    ((1, 3, 1, 0), CHAIN, (1, 1), 3),
    ((1, 2, 0, 1), CHAIN, (1, 1), 3),
    # a mistaken product leaves facts at most 1
    ((0, 3, 2, 1), PRODUCT, (0, 3), 6),
    ((1, 3, 2, 1), PRODUCT, (1, 3), 7),
    ((2, 3, 2, 1), PRODUCT, (1, 3), 7),
    ((0, 0, 0, 0), PRODUCT, (0, 0), 0),
    ((1, 0, 0, 0), PRODUCT, (1, 0), 1),
    ((2, 0, 0, 0), PRODUCT, (1, 0), 1),
    ((2, 1, 1, 0), PRODUCT, (1, 1), 3),
    ((2, 2, 0, 1), PRODUCT, (1, 2), 4),
    # both
    ((0, 0, 2, 1), BOTH, (0, 0), 3),
    ((0, 1, 2, 1), BOTH, (0, 1), 4),
    ((0, 2, 2, 1), BOTH, (0, 1), 4),
    ((0, 3, 2, 1), BOTH, (0, 1), 4),
    ((1, 0, 2, 1), BOTH, (1, 0), 4),
    ((1, 1, 2, 1), BOTH, (1, 1), 5),
    ((1, 2, 2, 1), BOTH, (1, 1), 5),
    ((1, 3, 2, 1), BOTH, (1, 1), 5),
    ((2, 0, 2, 1), BOTH, (1, 0), 4),
    ((2, 1, 2, 1), BOTH, (1, 1), 5),
    ((2, 2, 2, 1), BOTH, (1, 1), 5),
    ((2, 3, 2, 1), BOTH, (1, 1), 5),
    ((2, 3, 0, 0), BOTH, (1, 1), 2),
]


@pytest.mark.parametrize(("given", "raised", "kept", "total"), ARITHMETIC)
def test_the_arithmetic(
    given: tuple[int, int, int, int], raised: tuple[str, ...], kept: tuple[int, int], total: int
) -> None:
    grade = rubric().grade(reply_of(*given, raised=raised), case())
    scores = tuple(answer["score"] for answer in grade.details["dimensions"])
    assert scores == (*kept, *given[2:])
    assert (grade.details["total"], grade.details["max_total"]) == (total, 8)
    assert grade.score == Fraction(total, 8)


@pytest.mark.parametrize("bonus", [0, 1, 2])
@pytest.mark.parametrize(("given", "total"), [((2, 3, 2, 1), 8), ((1, 2, 1, 0), 4)])
def test_the_bonus_is_reported_and_never_added(
    given: tuple[int, int, int, int], total: int, bonus: int
) -> None:
    grade = rubric().grade(reply_of(*given, bonus=bonus), case())
    assert grade.score == Fraction(total, 8)
    assert grade.details["bonus"] == [
        {
            "id": "cross_domain_bonus",
            "score": bonus,
            "max": 2,
            "rationale": "a link",
            "evidence": [],
        }
    ]


def test_details_say_what_was_given_and_which_flag_took_points() -> None:
    details = rubric().grade(reply_of(2, 3, 1, 1, raised=CHAIN), case()).details
    assert details["dimensions"][1] == {
        "id": "causal_reasoning",
        "score": 1,
        "max": 3,
        "rationale": "causal_reasoning is 3",
        "evidence": [],
        "given": 3,
        "capped_by": ["self_contradictory_chain"],
        "passed": False,
    }
    assert [(a["id"], a["passed"]) for a in details["dimensions"]] == [
        ("factual_accuracy", True),
        ("causal_reasoning", False),
        ("sign_directionality", False),
        ("edge_case_awareness", True),
    ]
    assert details["flags"] == [
        {
            "id": "self_contradictory_chain",
            "raised": True,
            "passed": False,
            "rationale": "looked for",
            "evidence": [{"text": "Misquoted", "start": 15, "end": 24}],
        },
        {
            "id": "product_identity",
            "raised": False,
            "passed": True,
            "rationale": "looked for",
            "evidence": [],
        },
    ]


def test_a_flag_that_takes_nothing_is_not_said_to_have() -> None:
    details = rubric().grade(reply_of(1, 1, 2, 1, raised=BOTH), case()).details
    assert [answer["capped_by"] for answer in details["dimensions"]] == [[], [], [], []]


def test_of_two_caps_the_lower_holds() -> None:
    two = FULL.replace("caps: {factual_accuracy: 1}", "caps: {causal_reasoning: 2}")
    details = rubric(two).grade(reply_of(2, 3, 2, 1, raised=BOTH), case()).details
    assert details["dimensions"][1]["score"] == 1
    assert details["dimensions"][1]["capped_by"] == [CONTRADICTORY, IDENTITY]


def test_a_flag_may_cap_several_dimensions_down_to_nothing() -> None:
    hard = "caps: {causal_reasoning: 0, factual_accuracy: 0}"
    one = rubric(FULL.replace("caps: {causal_reasoning: 1}", hard))
    assert one.grade(reply_of(2, 3, 2, 1, raised=CHAIN), case()).score == Fraction(3, 8)


@pytest.mark.parametrize(
    ("total", "disagreements"),
    [
        (6, []),
        (8, ["the judge's total is 8, its scores and flags come to 6"]),
        (10, ["the judge's total is 10, its scores and flags come to 6"]),
    ],
)
def test_the_judge_s_own_total_is_ignored_and_a_wrong_one_reported(
    total: int, disagreements: list[str]
) -> None:
    reply = {**reply_of(2, 3, 2, 1, raised=CHAIN, bonus=2), "total": total}
    assert fits(rubric(), reply)
    grade = rubric().grade(reply, case())
    assert (grade.score, grade.details["disagreements"]) == (Fraction(6, 8), disagreements)


def test_a_rubric_needs_neither_bonus_nor_flags() -> None:
    bare = rubric(FULL.partition("bonus:")[0])
    reply = {"scores": reply_of(1, 2, 2, 0)["scores"]}
    assert fits(bare, reply)
    assert not fits(bare, reply_of(1, 2, 2, 0))
    assert bare.faults(reply, case()) == ()
    grade = bare.grade(reply, case())
    assert (grade.score, grade.details["bonus"], grade.details["flags"]) == (Fraction(5, 8), [], [])


FIRST = ("scores", "factual_accuracy")
FLAG = ("flags", "product_identity")


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ((*FIRST, "score"), 3),
        ((*FIRST, "score"), -1),
        ((*FIRST, "score"), 1.5),
        ((*FIRST, "score"), "2"),
        ((*FIRST, "score"), True),
        ((*FIRST, "score"), None),
        ((*FIRST, "score"), float("nan")),
        ((*FIRST, "score"), DROPPED),
        (("scores", "causal_reasoning", "score"), 4),
        (("scores", "sign_directionality", "score"), 3),
        (("scores", "edge_case_awareness", "score"), 2),
        (("bonus", "cross_domain_bonus", "score"), 3),
        ((*FIRST, "rationale"), ""),
        ((*FIRST, "rationale"), "\t"),
        ((*FIRST, "rationale"), DROPPED),
        ((*FIRST, "evidence"), [""]),
        ((*FIRST, "evidence"), "Misquoted"),
        ((*FIRST, "max"), 2),
        (("scores", "causal_reasoning"), DROPPED),
        (("scores", "cross_domain_bonus"), {"score": 1, "rationale": "in the wrong place"}),
        (("scores",), DROPPED),
        (("bonus",), DROPPED),
        (("bonus", "cross_domain_bonus"), DROPPED),
        (("flags",), DROPPED),
        (("flags",), ["product_identity"]),
        (FLAG, DROPPED),
        (FLAG, True),
        ((*FLAG, "raised"), "yes"),
        ((*FLAG, "raised"), 1),
        ((*FLAG, "raised"), DROPPED),
        ((*FLAG, "rationale"), ""),
        ((*FLAG, "evidence"), DROPPED),
        (("flags", "other"), {"raised": False, "rationale": "one too many", "evidence": []}),
        (("total",), 6.5),
        (("total",), "6"),
        (("total",), float("inf")),
        (("total",), float("nan")),
        (("overall",), 6),
    ],
)
def test_the_reply_schema_refuses_a_reply_with_one_thing_wrong(
    path: tuple[str, ...], value: object
) -> None:
    good = reply_of(2, 3, 2, 1, raised=CHAIN)
    assert fits(rubric(), good)
    assert not fits(rubric(), edited(good, path, value))


def test_a_raised_flag_needs_evidence_and_a_quiet_one_does_not() -> None:
    reply = reply_of(2, 3, 2, 1, raised=CHAIN)
    assert rubric().faults(reply, case()) == ()
    bare = edited(reply, ("flags", CONTRADICTORY, "evidence"), [])
    assert fits(rubric(), bare)
    assert rubric().faults(bare, case()) == (
        "self_contradictory_chain: this answer needs evidence, an exact excerpt of the document",
    )


def test_a_flag_that_an_absence_raises_needs_no_evidence() -> None:
    absent = rubric(FULL.replace("denies itself.,", "is absent., evidence: optional,"))
    reply = edited(reply_of(2, 3, 2, 1, raised=CHAIN), ("flags", CONTRADICTORY, "evidence"), [])
    assert absent.faults(reply, case()) == ()


@pytest.mark.parametrize("place", [FIRST, FLAG, ("bonus", "cross_domain_bonus")])
def test_evidence_that_is_not_in_the_document_is_a_fault(place: tuple[str, str]) -> None:
    reply = edited(reply_of(2, 3, 2, 1), (*place, "evidence"), ["made up"])
    assert fits(rubric(), reply)
    assert rubric().faults(reply, case()) == (
        f"{place[1]}: evidence 'made up' does not stand in the document",
    )


def test_an_empty_document_earns_nothing_without_a_judge() -> None:
    grade = rubric().before(case(" \n"))
    assert grade is not None and grade.score == 0
    assert grade.details["total"] == 0
    assert not any(flag["raised"] for flag in grade.details["flags"])
    assert rubric().before(case()) is None


def test_a_judge_is_told_scales_anchors_bonus_and_flags() -> None:
    told = rubric().described()
    assert [(d["id"], d["scale"]) for d in told["dimensions"]] == [
        ("factual_accuracy", {"min": 0, "max": 2}),
        ("causal_reasoning", {"min": 0, "max": 3}),
        ("sign_directionality", {"min": 0, "max": 2}),
        ("edge_case_awareness", {"min": 0, "max": 1}),
    ]
    assert told["dimensions"][3]["anchors"] == [
        {"score": 1, "meaning": "Yes.", "examples": ["Issuer default."]},
        {"score": 0, "meaning": "No."},
    ]
    assert [bonus["id"] for bonus in told["bonus"]] == ["cross_domain_bonus"]
    assert told["flags"][1] == {
        "id": "product_identity",
        "raise_if": "It is about another product.",
        "not_if": "An illustration is fine.",
        "examples": ["A barrier."],
        "evidence_if_raised": "required",
        "effect": "factual_accuracy is at most 1",
    }


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("max: 3", "max: 2", "10: unknown key '3' (known: 2, 1, 0)"),
        ("max: 3", "max: 4", "10: the key '4' is missing"),
        ("max: 3", "max: 0", "9: a dimension has from 1 to 20 points, not 0"),
        ("max: 3", "max: 21", "9: a dimension has from 1 to 20 points, not 21"),
        ("max: 3", "max: three", "9: expected a whole number"),
        ("    max: 3\n", "", "7: the key 'max' is missing"),
        ("1: {text: Asserted.}", "1: Asserted.", "10: expected a mapping (key: value)"),
        ("id: sign_directionality", "id: causal_reasoning", "11: the id 'causal_reasoning' occurs "
         "twice"),
        ("id: cross_domain_bonus", "id: causal_reasoning", "20: the id 'causal_reasoning' occurs "
         "twice"),
        ("id: product_identity", "id: cross_domain_bonus", "26: the id 'cross_domain_bonus' occurs "
         "twice"),
        ("id: product_identity", "id: product-identity", "26: the id 'product-identity' is not a "
         "lower-case Python identifier"),
        ("{causal_reasoning: 1}", "{causal_resoning: 1}", "25: unknown key 'causal_resoning'; did "
         "you mean 'causal_reasoning'?"),
        ("{causal_reasoning: 1}", "{cross_domain_bonus: 1}", "25: unknown key "
         "'cross_domain_bonus' (known: factual_accuracy, causal_reasoning, sign_directionality, "
         "edge_case_awareness)"),
        ("{causal_reasoning: 1}", "{causal_reasoning: 3}", "25: a cap on causal_reasoning is from "
         "0 to 2 points, not 3"),
        ("{causal_reasoning: 1}", "{causal_reasoning: -1}", "25: a cap on causal_reasoning is from "
         "0 to 2 points, not -1"),
        ("{causal_reasoning: 1}", "{}", "25: a flag caps a dimension: factual_accuracy, "
         "causal_reasoning, sign_directionality, edge_case_awareness"),
        (", caps: {causal_reasoning: 1}", "", "25: the key 'caps' is missing"),
        ("exempt: An", "except: An", "28: unknown key 'except'; did you mean 'exempt'?"),
        ("bonus:", "bonuses:", "19: unknown key 'bonuses'; did you mean 'bonus'?"),
    ],
)  # fmt: skip
def test_a_wrong_rubric_is_refused_with_its_line(old: str, new: str, message: str) -> None:
    assert FULL.count(old) == 1
    with pytest.raises(RubricError) as caught:
        load(FULL.replace(old, new))
    assert str(caught.value) == f"rubric.yaml:{message}"
