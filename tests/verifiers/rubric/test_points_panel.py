"""Two judges on one document: both reported, and their mean, which nobody rates by."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.verifiers.rubric.cases import case
from tests.verifiers.rubric.test_points import CHAIN, FULL, reply_of, rubric

from pae_verifiers.rubric.grade import grade
from pae_verifiers.rubric.load import load
from pae_verifiers.rubric.model import Grade
from pae_verifiers.rubric.points_panel import panel, ratings


def graded(*scores: int, raised: tuple[str, ...] = (), bonus: int = 0) -> Grade:
    return rubric().grade(reply_of(*scores, raised=raised, bonus=bonus), case())


def test_the_mean_is_exact() -> None:
    both = panel(graded(2, 3, 2, 1, bonus=2), graded(1, 2, 2, 0, bonus=1))
    assert both.total == Fraction(13, 2)
    assert both.score == Fraction(13, 16)
    assert both.dimensions == {
        "factual_accuracy": Fraction(3, 2),
        "causal_reasoning": Fraction(5, 2),
        "sign_directionality": Fraction(2),
        "edge_case_awareness": Fraction(1, 2),
    }
    assert both.bonus == {"cross_domain_bonus": Fraction(3, 2)}


def test_each_judge_s_caps_are_its_own() -> None:
    both = panel(graded(2, 3, 2, 1, raised=CHAIN), graded(2, 3, 2, 1))
    assert (both.total, both.dimensions["causal_reasoning"]) == (Fraction(7), Fraction(2))


def test_each_judge_is_reported() -> None:
    first, second = graded(2, 3, 2, 1), graded(1, 2, 2, 0)
    told = panel(first, second).to_json()
    assert told["judges"] == [first.details, second.details]
    assert told["mean"]["total"] == 6.5
    assert told["mean"]["score"] == 0.8125


def test_agreement_rests_on_one_judge_s_whole_numbers() -> None:
    assert ratings(graded(2, 3, 2, 1, raised=CHAIN)) == {
        "factual_accuracy": 2,
        "causal_reasoning": 1,
        "sign_directionality": 2,
        "edge_case_awareness": 1,
        "total": 6,
    }


def test_one_judge_has_no_mean() -> None:
    lost = Grade(None, "quarantined", "the judge gave no valid answer")
    with pytest.raises(ValueError, match="only two scored grades have a mean"):
        panel(graded(2, 3, 2, 1), lost)


def test_grades_of_two_rubrics_have_no_mean() -> None:
    bare = load(FULL.partition("  - id: edge_case_awareness")[0])
    scores = {name: reply_of(2, 3, 2, 1)["scores"][name] for name in ids(bare.described())}
    other = bare.grade({"scores": scores}, case())
    with pytest.raises(ValueError, match="not of one rubric"):
        panel(graded(2, 3, 2, 1), other)


def test_grades_that_carry_their_judge_s_name() -> None:
    empty = grade(rubric(), None, case(""))
    assert panel(empty, empty).to_json()["judges"][0]["judge"] == "code"


def ids(told: dict[str, list[dict[str, str]]]) -> list[str]:
    return [dimension["id"] for dimension in told["dimensions"]]
