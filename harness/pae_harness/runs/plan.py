"""Which trials a run is made of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from pae_harness.errors import NothingSelectedError, UsageError
from pae_harness.result import TrialKey
from pae_harness.solutions import Solution
from pae_harness.tasks import Task

MAX_SEEDS = 100_000


@dataclass(frozen=True)
class PlannedTrial:
    """A trial that is to be run."""

    task: Task
    seed: int
    solution: Solution
    attempt: int = 1

    @property
    def key(self) -> TrialKey:
        return TrialKey(self.task.name, self.seed, self.solution.name, self.attempt)

    @property
    def path(self) -> str:
        """Its folder below the run folder, and what ``--match`` is held against."""
        return self.key.path


def parse_seeds(text: str) -> tuple[int, ...]:
    """Seeds from ``1-5``, ``7`` or ``1,3,7001-7012``: in order, each once.

    Raises UsageError for anything else.
    """
    seeds: dict[int, None] = {}
    for part in text.split(","):
        bounds = re.fullmatch(r"\s*(\d{1,9})(?:\s*-\s*(\d{1,9}))?\s*", part)
        if not bounds:
            open_ended = re.fullmatch(r"\s*\d+\s*-\s*", part)
            hint = "; say where it ends, e.g. 1-5" if open_ended else ""
            raise UsageError(f"seeds {text!r}: {part.strip()!r} is neither N nor N-M{hint}")
        first, last = int(bounds[1]), int(bounds[2] or bounds[1])
        if last < first:
            raise UsageError(f"seeds {text!r}: {part.strip()!r} counts down")
        if last - first >= MAX_SEEDS:
            raise UsageError(f"seeds {text!r}: at most {MAX_SEEDS} in one range")
        seeds.update(dict.fromkeys(range(first, last + 1)))
    return tuple(seeds)


def plan(
    tasks: Iterable[Task],
    seeds: Sequence[int],
    solutions: Callable[[Task], Sequence[Solution]],
    *,
    attempts: int = 1,
    match: str | None = None,
) -> list[PlannedTrial]:
    """All trials, seed by seed; only those whose path contains or globs ``match``, if given.

    A task without seeds is run on the first alone. Raises NothingSelectedError where none is left.
    """
    trials = [
        PlannedTrial(task, seed, solution, attempt)
        for task in tasks
        for seed in (seeds if task.seeded else seeds[:1])
        for solution in solutions(task)
        for attempt in range(1, attempts + 1)
    ]
    if match is not None:
        trials = [t for t in trials if match in t.path or fnmatchcase(t.path, match)]
    if not trials:
        what = f" matches {match!r}" if match else ""
        raise NothingSelectedError(f"no trial{what}; see `pae list` and --dry-run")
    return trials
