"""The reward: what each way of combining makes of a trial's metrics."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pae_verifiers.reward import COMBINES, Combine, combine

HALVES = {"numbers": 0.5, "rubric": 0.5}
metric = st.floats(min_value=0, max_value=1)


@pytest.mark.parametrize(
    ("how", "reward"),
    [("geometric", 0.6), ("product", 0.36), ("weighted_sum", 0.65)],
)
def test_two_metrics_of_equal_weight(how: Combine, reward: float) -> None:
    assert combine({"numbers": 0.9, "rubric": 0.4}, HALVES, how) == reward


def test_geometric_uses_the_weights() -> None:
    assert combine({"a": 0.0001, "b": 1.0}, {"a": 0.25, "b": 0.75}, "geometric") == 0.1


def test_weighted_sum_uses_the_weights() -> None:
    assert combine({"a": 0.2, "b": 1.0}, {"a": 0.25, "b": 0.75}, "weighted_sum") == 0.8


@pytest.mark.parametrize("how", COMBINES)
def test_all_ones_give_exactly_one(how: Combine) -> None:
    assert combine({"a": 1.0, "b": 1, "c": 1.0}, {"a": 0.3, "b": 0.3, "c": 0.4}, how) == 1.0


@pytest.mark.parametrize("how", ["geometric", "product"])
def test_a_zero_gives_zero_whatever_its_weight(how: Combine) -> None:
    assert combine({"a": 0.0, "b": 1.0}, {"a": 0.001, "b": 0.999}, how) == 0.0


def test_a_zero_does_not_end_a_weighted_sum() -> None:
    assert combine({"numbers": 0.0, "rubric": 1.0}, HALVES, "weighted_sum") == 0.5


def test_a_metric_may_be_missing_beside_a_zero() -> None:
    assert combine({"numbers": 0.0}, HALVES, "geometric") == 0.0


def test_a_metric_may_not_be_missing_otherwise() -> None:
    with pytest.raises(ValueError, match="not measured: rubric"):
        combine({"numbers": 1.0}, HALVES, "geometric")


def test_a_metric_without_a_weight_is_refused() -> None:
    with pytest.raises(ValueError, match="'style' has no weight"):
        combine({"numbers": 1.0, "rubric": 1.0, "style": 1.0}, HALVES, "geometric")


@pytest.mark.parametrize("value", [-0.1, 1.1, math.nan, math.inf])
def test_a_metric_outside_zero_to_one_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="not a number from 0 to 1"):
        combine({"numbers": value, "rubric": 1.0}, HALVES, "geometric")


def test_the_reward_has_twelve_decimals() -> None:
    assert combine({"numbers": 0.95, "rubric": 0.9}, HALVES, "geometric") == 0.924662100445


@given(numbers=metric, rubric=metric)
def test_the_geometric_mean_lies_between_the_metrics(numbers: float, rubric: float) -> None:
    reward = combine({"numbers": numbers, "rubric": rubric}, HALVES, "geometric")
    assert min(numbers, rubric) - 1e-12 <= reward <= max(numbers, rubric) + 1e-12
