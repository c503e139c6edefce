"""A verifier's answer is a claim: what is accepted of it, and what never is."""

from __future__ import annotations

import math
from typing import Any

import pytest

from pae_harness.errors import VerifierError
from pae_harness.tasks import Task
from pae_harness.verifier_phase import accept

ALL: dict[str, Any] = {"not_measured": []}


def test_the_reward_is_computed_from_the_metrics(tiny: Task) -> None:
    claim = {"reward": 0.9, "numeric_consistency": 0.81, "judge_rubric": 1.0}
    assert accept(tiny, claim, ALL).reward == 0.9


def test_a_zero_excuses_metrics_that_details_list_as_not_measured(tiny: Task) -> None:
    claim = {"reward": 0.0, "numeric_consistency": 0.0}
    verified = accept(tiny, claim, {"not_measured": ["judge_rubric"]})
    assert (verified.reward, verified.metrics) == (0.0, {"numeric_consistency": 0.0})


def test_a_document_that_is_not_evaluable_carries_its_reason(tiny: Task) -> None:
    claim = {"reward": 0.0, "numeric_consistency": 0.0, "judge_rubric": 0.0}
    details = {"not_measured": [], "status": "not_evaluable", "reason": "it is empty"}
    assert accept(tiny, claim, details).reason == "it is empty"


BAD: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    (
        {"reward": 1.0, "numeric_consistency": 0.5, "judge_rubric": 1.0},
        ALL,
        "the reward 1.0 is not what its metrics give",
    ),
    ({"reward": 1.0, "numeric_consistency": 1.0}, ALL, "lacks"),
    (
        {"reward": 1.0, "numeric_consistency": 1.0},
        {"not_measured": ["judge_rubric"]},
        "not measured: judge_rubric",
    ),
    ({"reward": 1, "numeric_consistency": 1, "judge_rubric": 2}, ALL, "judge_rubric is 2, outside"),
    ({"reward": 1, "numeric_consistency": -0.1, "judge_rubric": 1}, ALL, "is -0.1, outside 0 to 1"),
    ({"reward": math.nan, "numeric_consistency": 1, "judge_rubric": 1}, ALL, "reward is nan"),
    ({"reward": 1, "numeric_consistency": True, "judge_rubric": 1}, ALL, "True, not a number"),
    ({"reward": 1, "numeric_consistency": "1", "judge_rubric": 1}, ALL, "'1', not a number"),
    (
        {"reward": 1, "numeric_consistency": 1, "judge_rubric": 1, "bonus": 1},
        ALL,
        "bonus is no metric of this task",
    ),
    ({"numeric_consistency": 1.0, "judge_rubric": 1.0}, ALL, "the reward None is not what"),
]


@pytest.mark.parametrize(("claim", "details", "message"), BAD)
def test_nonsense_is_the_verifiers_failure_and_no_zero(
    tiny: Task, claim: dict[str, Any], details: dict[str, Any], message: str
) -> None:
    with pytest.raises(VerifierError) as caught:
        accept(tiny, claim, details)
    assert message in str(caught.value)
