"""Claims without a figure: doubling, halving and nothing."""

from __future__ import annotations

import pytest

from pae_verifiers.numbers.facts import load
from pae_verifiers.numbers.markdown import render
from pae_verifiers.numbers.scanner import scan
from pae_verifiers.numbers.tie import tie

RESULTS = """
{"cost_usd": 976.00, "tax_usd": 0.00, "trades_count": 5,
 "before": {"volatility_pct": 5.02, "gold_pct": 6.05},
 "after": {"volatility_pct": 9.98, "gold_pct": 5.04}}
"""
CONFIG = {
    "facts": {
        "/cost_usd": {"aliases": [["cost", "fee"]]},
        "/tax_usd": {"aliases": [["tax"]]},
        "/trades_count": {"aliases": [["trade"]]},
        "/before/volatility_pct": {"aliases": [["volatility"], ["before"]]},
        "/after/volatility_pct": {"aliases": [["volatility"], ["after"]]},
        "/before/gold_pct": {"aliases": [["gold"], ["before"]]},
        "/after/gold_pct": {"aliases": [["gold"], ["after"]]},
    }
}


def reasons(text: str) -> list[str]:
    found = tie(scan(render(text)), load(RESULTS, CONFIG)).numbers
    return [number.reason for number in found if number.verdict in ("mismatch", "fabricated")]


@pytest.mark.parametrize(
    "text",
    [
        "The cost doubled.",  # the sources know of no other cost
        "Our fees were halved.",
        "Gold has tripled.",
        "Gold has been halved.",  # 6.05 to 5.04
        "We doubled the gold.",
        "There was a threefold rise in volatility.",
        "All this cost you nothing.",
        "The cost was nothing.",
        "The cost came to nil.",
        "The trades cost nothing at all.",
    ],
)
def test_what_the_sources_do_not_bear_out_is_a_slip(text: str) -> None:
    assert reasons(text) == ["vague"]


@pytest.mark.parametrize(
    "text",
    [
        "Volatility has doubled.",  # 5.02 to 9.98
        "The volatility was doubled by the trades.",
        "The tax is nothing.",
        "The tax comes to nil.",
        "The trades doubled our work.",  # a count is no measure
        "We doubled our efforts.",
        "Nothing else changed. The cost stands below.",
        "Nothing was sold at a cost.",
        "There is nothing to pay for.",
        "The cost is nothing to worry about.",
    ],
)
def test_what_they_do_or_what_speaks_of_no_fact_is_none(text: str) -> None:
    assert reasons(text) == []
