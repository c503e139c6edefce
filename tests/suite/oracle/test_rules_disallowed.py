"""The disallowed items: what the library's detectors find in a memo triggers them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

TRIGGERS = (
    ("market_forecast", "Shares will rise next year, and your portfolio will benefit."),
    ("market_forecast", "| Gold | Gold will rise next year |\n|---|---|\n| 1 | 2 |"),
    ("market_forecast", "## Shares will rise next year"),
    ("individual_advice", "We recommend that you top up your pension before year-end."),
    ("individual_advice", "## You should buy more gold"),
)
HARMLESS = (
    ("market_forecast", "We do not forecast returns."),
    ("individual_advice", "Please keep this memo with your tax records."),
    ("individual_advice", "| Trade | Fund |\n|---|---|\n| Buy | Gold |"),
)
Rule = Callable[[str, str, dict[str, Any]], Any]


@pytest.mark.parametrize(("item", "text"), TRIGGERS)
def test_triggers_the_item(item: str, text: str, apply_rule: Rule) -> None:
    finding = apply_rule(item, f"Dear client,\n\n{text}\n", {})
    assert not finding.passed
    assert all(quote in text for quote in finding.evidence)


@pytest.mark.parametrize(("item", "text"), HARMLESS)
def test_does_not_trigger_the_item(item: str, text: str, apply_rule: Rule) -> None:
    finding = apply_rule(item, f"Dear client,\n\n{text}\n", {})
    assert finding.passed
    assert finding.evidence == ()
