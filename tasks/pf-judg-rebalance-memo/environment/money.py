"""What results.json says of costs, realised gains and tax."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal

from amounts import HUNDRED, ZERO, bps_of, plain, shown
from case import Case

Json = dict[str, object]
COST_NAMES = {
    "commissions": "Commissions",
    "dealing_fee": "Platform dealing fee",
    "spread": "Bid-offer spread",
    "regulatory_fee": "Regulatory fee on sales",
    "total": "Total trading cost",
}


def costs(case: Case) -> Json:
    rows: dict[str, object] = {}
    for key, cost in case.costs.items():
        row: dict[str, object] = {
            "name": COST_NAMES[key],
            "amount_usd": cost.amount,
            "of_turnover_bps": cost.of_traded,
            "of_portfolio_bps": cost.of_portfolio,
        }
        if key == "total":
            row["of_portfolio_pct"] = cost.of_portfolio / HUNDRED
        rows[key] = row
    return rows


def gains(case: Case) -> Json:
    gains = [(sold.gain, sold.long_term) for sold in case.sold_lots]
    net = _sum(gain for gain, _ in gains)
    return {
        "net_usd": net,
        **({"net_loss_usd": -net} if net < 0 else {}),
        "short_term_usd": _sum(gain for gain, long in gains if not long),
        "long_term_usd": _sum(gain for gain, long in gains if long),
        "gaining_lots_usd": _sum(gain for gain, _ in gains if gain > 0),
        "losing_lots_usd": _sum(gain for gain, _ in gains if gain < 0),
        "lots_sold_count": len(gains),
    }


def _sum(amounts: Iterable[Decimal]) -> Decimal:
    """Dollars to the cent, an empty sum included."""
    return shown(sum(amounts, ZERO))


def lots_sold(case: Case) -> Sequence[Json]:
    return [
        {
            "lot": sold.lot.id,
            "sleeve": trade.sleeve.kind.id,
            "name": trade.sleeve.kind.name,
            "ticker": trade.sleeve.ticker,
            "bought": sold.lot.bought,
            "term": "long-term" if sold.long_term else "short-term",
            "shares": sold.shares,
            "proceeds_usd": sold.proceeds,
            "cost_basis_usd": sold.basis,
            "gain_usd": sold.gain,
        }
        for trade in case.trades
        for sold in trade.sold
    ]


def tax(case: Case) -> Json:
    tax, rates = case.tax, case.policy.rates
    bps = shown(bps_of(tax.total, case.value_before))
    return {
        "estimate_usd": tax.total,
        "of_portfolio_bps": bps,
        "of_portfolio_pct": bps / HUNDRED,
        "short_term_rate_pct": plain(rates.short_term + rates.surtax),
        "long_term_rate_pct": plain(rates.long_term + rates.surtax),
        "on_short_term_usd": tax.on_short,
        "on_long_term_usd": tax.on_long,
        "taxable_short_term_usd": shown(tax.taxable_short),
        "taxable_long_term_usd": shown(tax.taxable_long),
        "losses_brought_forward_usd": shown(rates.carried_in),
        "losses_used_usd": shown(tax.losses_used),
        "losses_carried_forward_usd": shown(tax.carried_out),
        "budget_left_usd": case.policy.tax_budget - tax.total,
    }


def all_in(case: Case) -> Json:
    cost = case.costs["total"]
    bps = cost.of_portfolio + shown(bps_of(case.tax.total, case.value_before))
    return {
        "amount_usd": cost.amount + case.tax.total,
        "of_portfolio_bps": bps,
        "of_portfolio_pct": bps / HUNDRED,
    }
