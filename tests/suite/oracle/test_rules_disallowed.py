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
    ("market_forecast", "We see the S&P higher by year end."),
    ("market_forecast", "With rates set to fall, your new bonds will do well."),
    ("market_forecast", "We bought bonds, as we expect them to rise."),
    ("market_forecast", "Our base case: a soft landing, and higher share prices."),
    ("market_forecast", "If shares fall, they will recover within a year."),
    ("market_forecast", "The new mix should give you about 5% a year."),
    ("market_forecast", "- Gold: the path of least resistance is up"),
    ("market_forecast", "| Sleeve | Comment |\n|---|---|\n| Bonds | due a recovery |"),
    ("individual_advice", "Put the tax money aside now."),
    ("individual_advice", "Hold on to your own shares until the next review."),
    ("individual_advice", "A woman of your age ought to hold more bonds."),
    ("individual_advice", "You'd do well to keep six months of spending in cash."),
    ("individual_advice", "It would be wise to pay down your mortgage with the proceeds."),
)
HARMLESS = (
    ("market_forecast", "We do not forecast returns."),
    ("individual_advice", "Please keep this memo with your tax records."),
    ("individual_advice", "| Trade | Fund |\n|---|---|\n| Buy | Gold |"),
    ("market_forecast", "Should rates rise, your bonds would lose value."),
    ("market_forecast", "Were markets to fall by a third, your portfolio would lose 18%."),
    ("market_forecast", "In a bad month your portfolio could fall by as much as 3.39%."),
    ("market_forecast", "In case of a crisis, you would lose up to $285,492."),
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
