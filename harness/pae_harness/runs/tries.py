"""A trial that infrastructure failed is tried again; what the tries before it came to is kept."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from pae_harness.result import TrialResult

PAUSE, LONGEST_PAUSE = 1.0, 30.0
_COUNTS = ("_calls", "_reused")


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


def summed(usages: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """The sum by name. A figure that some try with calls did not tell is left out."""
    known = list(usages)
    names = dict.fromkeys(name for usage in known for name in usage)
    return {
        name: sum(usage.get(name, 0) for usage in known)
        for name in names
        if name.endswith(_COUNTS) or all(_tells(usage, name) for usage in known)
    }


def _tells(usage: Mapping[str, float], name: str) -> bool:
    role = name.split("_", 1)[0]
    return name in usage or not usage.get(f"{role}_calls")
