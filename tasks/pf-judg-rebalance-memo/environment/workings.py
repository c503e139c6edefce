"""The inputs behind the figures, as text: to check the arithmetic with, not to cite."""

from __future__ import annotations

from collections.abc import Mapping

from case import Case


def workings(case: Case) -> Mapping[str, object]:
    """Prices, holdings, lots, volatilities and correlations; every number is inside a string."""
    portfolio = case.portfolio
    kinds = [sleeve.kind.id for sleeve in portfolio.sleeves]
    funds = portfolio.sleeves[:-1]
    return {
        "note": "Inputs to the figures above, as text. Not for citation.",
        "lots_columns": "lot, bought, shares, cost per share",
        "lots": {
            s.kind.id: [
                f"{lot.id}, {lot.bought.isoformat()}, {lot.shares}, {lot.cost}"
                for lot in case.lots[s.kind.id]
            ]
            for s in funds
        },
        "price": {s.kind.id: f"{s.price}" for s in funds},
        "price_at_last_rebalance": {s.kind.id: f"{s.price_then}" for s in funds},
        "half_spread_bps": {s.kind.id: f"{s.half_spread}" for s in funds},
        "volatility_pct": {s.kind.id: f"{s.volatility}" for s in portfolio.sleeves},
        "stress_return_pct": {s.kind.id: f"{s.stress}" for s in portfolio.sleeves},
        "correlations_order": " ".join(kinds),
        "correlations": {
            kind: " ".join(str(rho) for rho in row)
            for kind, row in zip(kinds, portfolio.correlations, strict=True)
        },
    }
