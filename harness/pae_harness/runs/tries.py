"""A trial that infrastructure failed is tried again; what the tries before it came to is kept."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from pae_harness.result import TrialResult
from pae_harness.runs.spent import summed

PAUSE, LONGEST_PAUSE = 1.0, 30.0


@dataclass(frozen=True)
class Retries:
    """Up to ``most`` further tries, after 1, 2, 4 … seconds, unless ``stop`` is set."""

    most: int
    stop: threading.Event

    def run(self, once: Callable[[], TrialResult]) -> tuple[TrialResult, list[TrialResult]]:
        """The last result of ``once``, and those before it."""
        before: list[TrialResult] = []
        while True:
            result = once()
            pause = min(LONGEST_PAUSE, PAUSE * 2 ** len(before))
            if not result.passing or len(before) >= self.most or self.stop.wait(pause):
                return result, before
            before.append(result)


def after(before: Sequence[TrialResult], result: TrialResult) -> TrialResult:
    """``result`` with the reasons of the tries ``before`` it, and what they all spent."""
    if not before:
        return result
    reasons = [reason for one in before for reason in (*one.tries, one.reason)]
    return replace(
        result, tries=reasons, usage=summed([*(one.usage for one in before), result.usage])
    )
