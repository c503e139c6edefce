"""Means and their denominators."""

from __future__ import annotations

import pytest

from pae_harness.result import Outcome, TrialKey, TrialResult
from pae_harness.runs.aggregate import aggregate


def result(task: str, seed: int, reward: float | None, outcome: Outcome = "scored") -> TrialResult:
    return TrialResult(TrialKey(task, seed, "cmd"), outcome, reward)


def test_a_suites_mean_is_the_mean_over_tasks_of_the_mean_over_seeds() -> None:
    figures = aggregate([result("a", 1, 1.0), result("a", 2, 0.5), result("b", 1, 0.25)])
    assert figures.mean == 0.5
    assert (figures.worst, figures.best) == (0.5, 0.5)


def test_a_failed_agent_counts_as_zero() -> None:
    figures = aggregate([result("a", 1, 1.0), result("a", 2, 0.0, "agent_failed")])
    assert (figures.mean, figures.scored, figures.agent_failed) == (0.5, 1, 1)


def test_an_unscored_trial_is_no_zero_but_widens_worst_and_best() -> None:
    figures = aggregate([result("a", 1, 0.5), result("a", 2, None, "unscored")])
    assert (figures.mean, figures.worst, figures.best, figures.unscored) == (0.5, 0.25, 0.75, 1)


def test_nothing_scored_gives_no_mean() -> None:
    figures = aggregate([result("a", 1, None, "unscored")])
    assert (figures.mean, figures.worst, figures.best) == (None, 0.0, 1.0)


def test_a_task_without_any_score_counts_in_the_bounds() -> None:
    figures = aggregate([result("a", 1, 1.0), result("b", 1, None, "unscored")])
    assert (figures.mean, figures.worst, figures.best) == (1.0, 0.5, 1.0)


def test_no_results_are_refused() -> None:
    with pytest.raises(ValueError, match="nothing to aggregate"):
        aggregate([])
