"""What holds of every metric: it is a share, and doing better never costs anything."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.verifiers.rubric import test_items, test_likert, test_points
from tests.verifiers.rubric.cases import case

from pae_verifiers.rubric.model import Grade

SCORES = st.lists(st.integers(1, 5), min_size=1, max_size=6)
POINTS = st.tuples(*(st.integers(0, most) for most in (2, 3, 2, 1)))
FLAGS = st.sampled_from([test_points.NO, test_points.CHAIN, test_points.PRODUCT, test_points.BOTH])
ANSWERS = st.fixed_dictionaries(dict.fromkeys(test_items.ALL_GOOD, st.booleans()))


@given(SCORES, st.integers(2, 5), st.data())
def test_scores_from_1_to_5(scores: list[int], threshold: int, data: st.DataObject) -> None:
    rubric = replace(test_likert.rubric(), threshold=threshold)
    metric = rubric.metric(scores)
    assert 0 <= metric <= 1
    assert (metric == 1) == (rubric.judgment(scores) == "PASS")
    assert metric == 1 or metric <= 0.5
    better = [data.draw(st.integers(score, 5)) for score in scores]
    assert rubric.metric(better) >= metric


def points(scores: tuple[int, ...], raised: tuple[str, ...], bonus: int = 0) -> Grade:
    reply = test_points.reply_of(*scores, raised=raised, bonus=bonus)
    return test_points.rubric().grade(reply, case())


def score(grade: Grade) -> Any:
    assert grade.score is not None
    return grade.score


@given(POINTS, FLAGS, st.integers(0, 2), st.data())
def test_points_and_flags(
    scores: tuple[int, ...], raised: tuple[str, ...], bonus: int, data: st.DataObject
) -> None:
    metric = score(points(scores, raised, bonus))
    assert 0 <= metric <= 1
    assert metric == score(points(scores, raised))  # the bonus adds nothing
    assert metric <= score(points(scores, test_points.NO))  # a flag gives nothing
    better = tuple(
        data.draw(st.integers(score, most))
        for score, most in zip(scores, (2, 3, 2, 1), strict=True)
    )
    assert metric <= score(points(better, raised))


@given(ANSWERS, st.booleans(), st.sampled_from(sorted(test_items.ALL_GOOD)))
def test_required_optional_and_disallowed(passed: dict[str, bool], strict: bool, name: str) -> None:
    rubric = replace(test_items.items(test_items.FULL), all_required=strict)
    metric = rubric.metric(passed)
    assert 0 <= metric <= 1
    assert rubric.metric(passed | {name: True}) >= metric
    assert rubric.metric(passed | {"warm": not passed["warm"]}) == metric
