"""Means and their denominators."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pae_harness.result import Outcome, TrialKey, TrialResult
from pae_harness.runs.aggregate import Share, aggregate, mean_over_seeds


def result(
    task: str, seed: int, reward: float | None, outcome: Outcome = "scored", attempt: int = 1
) -> TrialResult:
    return TrialResult(TrialKey(task, seed, "cmd", attempt), outcome, reward)


def attempts(task: str, seed: int, *rewards: float | None) -> list[TrialResult]:
    """One trial a reward; None is unscored."""
    return [
        result(task, seed, reward, "unscored" if reward is None else "scored", number)
        for number, reward in enumerate(rewards, 1)
    ]


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


def test_a_seed_weighs_the_same_however_often_it_was_measured() -> None:
    results = [*attempts("a", 1, 1.0, None, None), *attempts("a", 2, 0.0, 0.0, 0.0)]
    figures = aggregate(results)
    assert figures.mean == 0.5
    assert figures.worst == pytest.approx(1 / 6)
    assert figures.best == 0.5
    assert mean_over_seeds(results) == 0.5


def test_pass_k_is_the_share_of_seeds_whose_attempts_all_pass() -> None:
    results = [*attempts("a", 1, 1.0, 1.0), *attempts("a", 2, 1.0, 0.9), *attempts("b", 1, 1, 1)]
    passes = aggregate(results).passes
    assert (passes.at, passes.attempts, passes.pairs, passes.measured) == (1.0, 2, 3, 3)
    assert passes.one == Share(0.875, 0.875, 0.875)
    assert passes.every == Share(0.75, 0.75, 0.75)


def test_trials_that_were_tried_again_are_counted() -> None:
    again = replace(result("a", 1, 1.0), tries=["the box is gone"])
    assert aggregate([again, result("a", 2, 1.0)]).retried == 1


def test_what_passes_can_be_chosen() -> None:
    results = [*attempts("a", 1, 0.9, 0.8), *attempts("a", 2, 0.9, 0.7)]
    assert aggregate(results, 0.8).passes.every == Share(0.5, 0.5, 0.5)


def test_an_unscored_attempt_leaves_its_seed_unmeasured_and_gives_bounds() -> None:
    results = [*attempts("a", 1, 1.0, 1.0), *attempts("a", 2, 1.0, None)]
    passes = aggregate(results).passes
    assert (passes.pairs, passes.measured) == (2, 1)
    assert passes.every == Share(1.0, 0.5, 1.0)
    assert passes.one == Share(1.0, 0.75, 1.0)


def test_a_seed_with_a_failed_attempt_cannot_pass_whatever_is_unscored() -> None:
    passes = aggregate(attempts("a", 1, 0.0, None)).passes
    assert passes.every == Share(None, 0.0, 0.0)
    assert passes.one == Share(0.0, 0.0, 0.5)


def test_attempts_that_were_not_run_are_no_measure_of_all() -> None:
    results = [*attempts("a", 1, 1.0, 1.0), *attempts("a", 2, 0.0)]
    passes = aggregate(results).passes
    assert (passes.attempts, passes.pairs, passes.every.value) == (2, 1, 1.0)
    assert passes.one.value == 0.5
