"""The verdict of ``pae validate``: does this solution earn what it must on this seed?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pae_harness.result import TrialResult
from pae_harness.tasks import Expect, Task, Trap

# Where details.json has what a judge answered one by one, whatever the rubric's kind.
_ANSWERS = ("items", "dimensions", "flags")


@dataclass(frozen=True)
class Verdict:
    """Whether one trial did what its solution must; ``why`` says what it did not."""

    result: TrialResult
    ok: bool
    why: str = ""


def verdict_on(task: Task, result: TrialResult, oracle: TrialResult | None) -> Verdict:
    """The verdict on ``result``; traps are held against the ``oracle`` of the same seed."""
    if result.outcome == "unscored":
        return Verdict(result, False, result.reason)
    if result.key.solution == "nop":
        why = "" if result.reward == 0 else f"nop earned {result.reward}"
    elif result.key.solution == "oracle":
        why = _why_not_oracle(result)
    else:
        trap = task.trap(result.key.solution.removeprefix("trap:"))
        why = "this task has no such trap" if trap is None else _why_not_trap(trap, result, oracle)
    return Verdict(result, not why, why)


def _why_not_oracle(result: TrialResult) -> str:
    if result.exit_code != 0:
        return f"solve.sh ended with exit code {result.exit_code}"
    if result.outcome != "scored":
        return result.reason
    if result.reward != 1.0:
        low = {name: value for name, value in result.metrics.items() if value < 1}
        return f"the oracle earned {result.reward}: {low}; see details.json"
    return ""


def _why_not_trap(trap: Trap, result: TrialResult, oracle: TrialResult | None) -> str:
    if result.exit_code != 0:
        return f"the trap ended with exit code {result.exit_code}: a crash is no loss"
    if result.outcome != "scored" or result.reward is None:
        return f"the trap was not scored: {result.reason}"
    if oracle is not None and result.digests.get("output") == oracle.digests.get("output"):
        return "the trap changed nothing in the oracle's output"
    value = result.metrics.get(trap.metric)
    if value is None:
        return f"{trap.metric}, which the trap should lower, was not measured"
    if value >= 1:
        return f"{trap.metric} stayed at {value}"
    if 1 - result.reward < trap.min_loss:
        return f"the loss is {1 - result.reward:.4f}, below the trap's min_loss of {trap.min_loss}"
    return _why_not_expected(trap.expect, result.details)


def _why_not_expected(expect: Expect, details: Mapping[str, Any]) -> str:
    if expect.item is not None:
        failed = expect.item in _failed(details.get("rubric") or {})
        return "" if failed else f"details.json does not show the item {expect.item} as failed"
    numbers = (details.get("numbers") or {}).get("numbers") or []
    wanted = {"verdict": expect.verdict, "reason": expect.reason}
    wanted = {key: value for key, value in wanted.items() if value is not None}
    if any(all(n.get(key) == value for key, value in wanted.items()) for n in numbers):
        return ""
    return f"details.json shows no number with {' and '.join(map(str, wanted.values()))}"


def _failed(rubric: Mapping[str, Any]) -> set[str]:
    """The ids of what a judge, of a rubric of whatever kind, did not answer in full favour."""
    answers = [answer for key in _ANSWERS for answer in rubric.get(key) or ()]
    checks = [check for answer in answers for check in answer.get("checks") or ()]
    return {a["id"] for a in answers if a.get("passed") is False} | {
        check["id"] for check in checks if check.get("verdict") == "FAIL"
    }
