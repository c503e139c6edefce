"""The examples of tasks/CONVENTIONS.md, tied out: what it calls right is right, wrong is wrong."""

from __future__ import annotations

import pytest

from pae_verifiers.numbers import facts, markdown, scanner
from pae_verifiers.numbers.tie import tie

RESULTS = """{
  "volatility_pct": 11.24, "trading_cost_usd": 1284.53, "cost_bps": 4.27,
  "volatility_change_pp": -0.38, "trades_count": 5, "portfolio_value_usd": 2348910.22,
  "stress_loss_pct": 21, "net_result_usd": -500.00, "bond_weight_pct": 48,
  "share_weight_pct": 39, "fund_limit_pct": 50, "date": "2026-09-30"
}"""
CONFIG = {
    "facts": {
        "/volatility_pct": {"aliases": [["volatility"]]},
        "/trading_cost_usd": {"aliases": [["trading cost", "cost"]]},
        "/cost_bps": {"aliases": [["cost"], ["portfolio"]]},
        "/volatility_change_pp": {"aliases": [["volatility"], ["change", "fell", "rose", "down"]]},
        "/trades_count": {"aliases": [["trade"]]},
        "/portfolio_value_usd": {"aliases": [["portfolio", "value"]]},
        "/stress_loss_pct": {"aliases": [["stress", "loss"]]},
        "/net_result_usd": {"aliases": [["result", "loss", "gain"]], "sign": "signed"},
        "/bond_weight_pct": {"aliases": [["bonds", "bond"]]},
        "/share_weight_pct": {"aliases": [["shares"]]},
        "/fund_limit_pct": {"aliases": [["fund"], ["limit", "below", "no more than"]]},
    }
}


def consistency(memo: str) -> float:
    known = facts.load(RESULTS, CONFIG)
    return tie(scanner.scan(markdown.render(memo)), known).numeric_consistency


@pytest.mark.parametrize(
    "sentence",
    [
        "Volatility is 11.24%.",
        "Volatility is 11.2%.",
        "Volatility is 11%.",
        "The trading cost was $1,285.",
        "The trading cost was $1,280.",
        "The trading cost was about $1,300.",
        "The cost was 4.27 bps of the portfolio.",
        "The cost was 0.0427% of the portfolio.",
        "The change of volatility is −0.38 points.",
        "The change of volatility is −0.4 points.",
        "Volatility fell by 0.38 percentage points.",
        "Volatility is down 0.38 pp.",
        "The sales ended in a loss of $500.",
        "In the stress scenario the loss is 21%.",
        "The portfolio's value is $2.35 million.",
        "We made five trades.",
        "We made 5 trades.",
        "About half is in bonds.",
        "A fund stays below 50%, its limit.",
        "Volatility is less than 12%.",
        "The valuation of 30 September 2026 has a volatility of 11.24%.",
        "The valuation of September 2026 has a volatility of 11.24%.",
        "There were two reasons. Volatility is 11.24%.",
        "| Measure | Value (%) |\n|---|---|\n| Volatility | 11.24 |\n",
    ],
)
def test_what_is_called_right_is_right(sentence: str) -> None:
    assert consistency(sentence) == 1.0


@pytest.mark.parametrize(
    "sentence",
    [
        "Volatility is 11.240731%.",
        "Volatility is 11.3%.",
        "The trading cost was $1,284.527.",
        "The trading cost was $1,300.",
        "The trading cost was about $1,000.",
        "The change of volatility is 0 points.",
        "The cost was 4.27% of the portfolio.",
        "The cost was 427 bps of the portfolio.",
        "Volatility fell by 0.38%.",
        "Volatility rose by 0.38 pp.",
        "The sales ended in a gain of $500.",
        "The portfolio's value is $3 million.",
        "We made six trades.",
        "Half is in shares.",
        "Volatility is less than 20%.",
        "The trading cost and the loss were $1,784.53 together.",
        "Volatility is 11.24%.\n\n<!-- returns of 9.5% -->\n",
    ],
)
def test_what_is_called_wrong_is_wrong(sentence: str) -> None:
    assert consistency(sentence) < 1.0
