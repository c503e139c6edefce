"""Means and shares over trials, with the trials that nobody could score counted beside them.

Every figure is a mean over tasks of a mean over seeds, so that no task weighs more for having more
of either, and no seed for having been tried more often.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from pae_harness.result import TrialResult

PASS_AT = 1.0
_ROUNDING = 1e-9
# What the attempts at one (task, seed) earned; None is unscored.
Attempts = Sequence[float | None]


@dataclass(frozen=True)
class Share:
    """A share in [0, 1]: ``value``, or None where nothing of it was measured, and between what it
    lies, whatever the unscored trials would have earned."""

    value: float | None
    worst: float
    best: float


@dataclass(frozen=True)
class Passes:
    """How often the reward reaches ``at``, with ``attempts`` (k) at each of ``pairs`` (task, seed).

    ``one`` (pass@1) is the share of attempts that pass; ``every`` (pass^k) the share of pairs whose
    k attempts all do, its value over the ``measured`` pairs, of which no attempt is unscored.
    """

    at: float
    attempts: int
    pairs: int
    measured: int
    one: Share
    every: Share


@dataclass(frozen=True)
class Aggregate:
    """The suite's figures, each in [0, 1], or None where no trial was scored.

    ``mean`` is over the trials that are scored or whose agent failed; ``worst`` and ``best`` are
    the same with every unscored trial counted as 0 and as 1. ``retried`` trials, of whatever
    outcome, had earlier tries that ended unscored.
    """

    mean: float | None
    worst: float
    best: float
    scored: int
    agent_failed: int
    unscored: int
    retried: int
    passes: Passes


def aggregate(results: Iterable[TrialResult], pass_at: float = PASS_AT) -> Aggregate:
    """Aggregate a run's results; a trial passes at a reward of ``pass_at``.

    Raises ValueError where there are none.
    """
    pairs: defaultdict[str, defaultdict[int, list[float | None]]]
    pairs = defaultdict(lambda: defaultdict(list))
    outcomes: Counter[str] = Counter()
    retried = 0
    for result in results:
        pairs[result.key.task][result.key.seed].append(result.reward)
        outcomes[result.outcome] += 1
        retried += bool(result.tries)
    if not pairs:
        raise ValueError("nothing to aggregate")
    tasks = [list(seeds.values()) for seeds in pairs.values()]
    mean = _share(tasks, mean_known, lambda unknown: lambda rewards: _mean_with(unknown, rewards))
    return Aggregate(
        mean=mean.value,
        worst=mean.worst,
        best=mean.best,
        scored=outcomes["scored"],
        agent_failed=outcomes["agent_failed"],
        unscored=outcomes["unscored"],
        retried=retried,
        passes=_passes(tasks, pass_at),
    )


def mean_over_seeds(results: Iterable[TrialResult]) -> float | None:
    """The mean over seeds of the mean over attempts, or None where nothing was measured."""
    seeds: defaultdict[int, list[float | None]] = defaultdict(list)
    for result in results:
        seeds[result.key.seed].append(result.reward)
    return mean_known([mean_known(rewards) for rewards in seeds.values()])


def mean_known(values: Attempts) -> float | None:
    """The mean of those that are known, or None."""
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def _passes(tasks: Sequence[Sequence[Attempts]], at: float) -> Passes:
    passed = [[_passed(rewards, at) for rewards in task] for task in tasks]
    k = max(len(pair) for task in passed for pair in task)
    # A pair that an interrupted run has not all attempts of says nothing about k attempts.
    whole = [[pair for pair in task if len(pair) == k] for task in passed]
    whole = [task for task in whole if task]
    return Passes(
        at=at,
        attempts=k,
        pairs=sum(len(task) for task in whole),
        measured=sum(None not in pair for task in whole for pair in task),
        one=_share(passed, mean_known, lambda unknown: lambda pair: _mean_with(unknown, pair)),
        every=_share(
            whole,
            lambda pair: None if None in pair else float(all(pair)),
            lambda unknown: lambda pair: float(all(unknown if p is None else p for p in pair)),
        ),
    )


def _passed(rewards: Attempts, at: float) -> list[float | None]:
    return [None if r is None else float(r >= at - _ROUNDING) for r in rewards]


def _share(
    tasks: Sequence[Sequence[Attempts]],
    known: Callable[[Attempts], float | None],
    supposing: Callable[[float], Callable[[Attempts], float]],
) -> Share:
    """The mean over tasks of the mean over seeds of what ``known`` makes of a pair's attempts, and
    of what ``supposing`` an unscored one to be 0, and 1, does."""
    return Share(
        mean_known([mean_known([known(pair) for pair in task]) for task in tasks]),
        *(fmean(fmean(map(supposing(unknown), task)) for task in tasks) for unknown in (0.0, 1.0)),
    )


def _mean_with(unknown: float, values: Attempts) -> float:
    return fmean(unknown if value is None else value for value in values)
