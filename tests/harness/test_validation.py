"""The gate: what an oracle, a trap and nop must do, and how each can fail to."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pae_harness.result import TrialKey, TrialResult
from pae_harness.tasks import Expect, Task
from pae_harness.validation import verdict_on

FABRICATED = {"numbers": {"numbers": [{"verdict": "fabricated", "reason": ""}]}}
ORACLE = TrialResult(
    TrialKey("tiny-note", 1, "oracle"),
    "scored",
    1.0,
    {"numeric_consistency": 1.0, "judge_rubric": 1.0},
    exit_code=0,
    digests={"output": "a"},
)
TRAP = TrialResult(
    TrialKey("tiny-note", 1, "trap:invented"),
    "scored",
    0.0,
    {"numeric_consistency": 0.0},
    exit_code=0,
    digests={"output": "b"},
    details=FABRICATED,
)
NOP = TrialResult(TrialKey("tiny-note", 1, "nop"), "agent_failed", 0.0, reason="missing")


def test_what_is_right_passes(tiny: Task) -> None:
    for result in (ORACLE, TRAP, NOP):
        verdict = verdict_on(tiny, result, ORACLE)
        assert (verdict.ok, verdict.why) == (True, "")


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"exit_code": 7}, "solve.sh ended with exit code 7"),
        ({"reward": 0.99, "metrics": {"judge_rubric": 0.98}}, "the oracle earned 0.99"),
        ({"outcome": "agent_failed", "reward": 0.0, "reason": "time"}, "time"),
        ({"outcome": "unscored", "reward": None, "reason": "daemon"}, "daemon"),
    ],
)
def test_an_oracle_that_fails(tiny: Task, changes: dict[str, Any], why: str) -> None:
    verdict = verdict_on(tiny, replace(ORACLE, **changes), None)
    assert not verdict.ok
    assert verdict.why.startswith(why)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"exit_code": 1}, "the trap ended with exit code 1: a crash is no loss"),
        ({"outcome": "agent_failed", "reason": "missing"}, "the trap was not scored: missing"),
        ({"digests": {"output": "a"}}, "the trap changed nothing in the oracle's output"),
        ({"metrics": {"judge_rubric": 0.0}}, "numeric_consistency, which the trap should lower"),
        ({"metrics": {"numeric_consistency": 1.0}}, "numeric_consistency stayed at 1.0"),
        ({"reward": 0.99, "metrics": {"numeric_consistency": 0.98}}, "the loss is 0.0100, below"),
        ({"details": {}}, "details.json shows no number with fabricated"),
    ],
)
def test_a_trap_that_does_not_lose_as_it_should(
    tiny: Task, changes: dict[str, Any], why: str
) -> None:
    verdict = verdict_on(tiny, replace(TRAP, **changes), ORACLE)
    assert not verdict.ok
    assert verdict.why.startswith(why)


def test_a_trap_that_expects_an_item_must_fail_that_item(tiny: Task) -> None:
    trap = replace(tiny.traps[0], expect=Expect(item="short"))
    task = replace(tiny, traps=(trap,))
    shown = {"rubric": {"items": [{"id": "short", "passed": False}]}}
    assert verdict_on(task, replace(TRAP, details=shown), ORACLE).ok
    verdict = verdict_on(task, TRAP, ORACLE)
    assert verdict.why == "details.json does not show the item short as failed"


def test_nop_that_earns_something(tiny: Task) -> None:
    assert verdict_on(tiny, replace(NOP, reward=0.5), None).why == "nop earned 0.5"


@pytest.mark.parametrize(
    ("details", "ok"),
    [
        ({"dimensions": [{"id": "clarity", "score": 3, "passed": False}]}, True),
        ({"dimensions": [{"id": "clarity", "score": 5, "passed": True}]}, False),
        ({"flags": [{"id": "clarity", "raised": True, "passed": False}]}, True),
        ({"flags": [{"id": "clarity", "raised": False, "passed": True}]}, False),
        ({"dimensions": [{"id": "a", "checks": [{"id": "clarity", "verdict": "FAIL"}]}]}, True),
        ({"dimensions": [{"id": "a", "checks": [{"id": "clarity", "verdict": "PASS"}]}]}, False),
        ({}, False),
    ],
)
def test_in_rubrics_of_other_kinds_it_is_a_dimension_a_flag_or_a_check(
    tiny: Task, details: dict[str, Any], ok: bool
) -> None:
    task = replace(tiny, traps=(replace(tiny.traps[0], expect=Expect(item="clarity")),))
    trap = replace(TRAP, details={"rubric": details})
    assert verdict_on(task, trap, ORACLE).ok == ok
