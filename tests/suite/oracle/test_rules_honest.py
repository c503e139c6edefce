"""Honest memos in voices of their own meet every item that the rules judge."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

HONEST = Path(__file__).parents[1] / "honest"
VOICES = sorted(path.parent.name for path in HONEST.glob("*/memo.md"))
JUDGED = (
    "explains_why",
    "names_largest_moves",
    "cost_and_tax_separate",
    "tax_is_estimate",
    "risk_before_and_after",
    "remaining_risks",
    "trigger_concrete",
    "explains_restraint",
    "plain_language",
    "addressed_to_client",
    "market_forecast",
    "individual_advice",
)


@pytest.mark.parametrize("voice", VOICES)
def test_honest_memo_meets_every_item(
    voice: str, apply_rule: Callable[[str, str, dict[str, Any]], Any]
) -> None:
    memo = (HONEST / voice / "memo.md").read_text("utf-8")
    results = json.loads((HONEST / voice / "results.json").read_text("utf-8"))
    findings = {item: apply_rule(item, memo, results) for item in JUDGED}
    assert {item: found.rationale for item, found in findings.items() if not found.passed} == {}
