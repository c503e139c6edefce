"""Means over trials, with the trials that nobody could score counted beside them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean

from pae_harness.result import TrialResult


@dataclass(frozen=True)
class Aggregate:
    """The suite's figures, each in [0, 1], or None where no trial was scored.

    ``mean`` is the mean over tasks of the mean over a task's trials; ``worst`` and ``best`` are
    the same with every unscored trial counted as 0 and as 1.
    """

    mean: float | None
    worst: float
    best: float
    scored: int
    agent_failed: int
    unscored: int


def aggregate(results: Iterable[TrialResult]) -> Aggregate:
    """Aggregate a run's results. Raises ValueError where there are none."""
    rewards: defaultdict[str, list[float | None]] = defaultdict(list)
    outcomes: defaultdict[str, int] = defaultdict(int)
    for result in results:
        rewards[result.key.task].append(result.reward)
        outcomes[result.outcome] += 1
    if not rewards:
        raise ValueError("nothing to aggregate")
    known = [[r for r in task if r is not None] for task in rewards.values()]
    means = [fmean(task) for task in known if task]
    return Aggregate(
        mean=fmean(means) if means else None,
        worst=_mean_with(0.0, rewards.values()),
        best=_mean_with(1.0, rewards.values()),
        scored=outcomes["scored"],
        agent_failed=outcomes["agent_failed"],
        unscored=outcomes["unscored"],
    )


def _mean_with(unknown: float, tasks: Iterable[list[float | None]]) -> float:
    return fmean(fmean(unknown if r is None else r for r in task) for task in tasks)
