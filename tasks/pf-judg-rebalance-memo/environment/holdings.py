"""What results.json says of the portfolio: values, weights, drift and the trades."""

from __future__ import annotations

from decimal import Decimal

from amounts import HUNDRED, ZERO, percent_of, plain, shown
from case import Case
from limits import TOLERANCE_SHARE
from trading import Trade, sum_of

Json = dict[str, object]
GROUPS = {"shares": "Shares", "bonds": "Bonds", "real_assets": "Real assets", "cash": "Cash"}


def portfolio(case: Case) -> Json:
    change = case.value_after - case.value_before
    before, after = case.portfolio.values()[-1], case.values_after[-1]
    return {
        "value_before_usd": case.value_before,
        "value_after_usd": case.value_after,
        "value_change_usd": change,
        "value_change_pct": -case.costs["total"].of_portfolio / HUNDRED,
        "cash_before_usd": before,
        "cash_after_usd": after,
        "cash_change_usd": after - before,
        "sleeves_count": len(case.targets),
    }


def mix(case: Case) -> Json:
    """Weights by broad group; shown sleeve weights add up to them."""
    groups: dict[str, object] = {}
    for group, name in GROUPS.items():
        members = [i for i, s in enumerate(case.portfolio.sleeves) if s.kind.group == group]
        if not members:
            continue
        before = sum((case.weights_before[i] for i in members), ZERO)
        after = sum((case.weights_after[i] for i in members), ZERO)
        groups[group] = {
            "name": name,
            "target_pct": plain(sum((case.targets[i] for i in members), ZERO)),
            "before_pct": before,
            "after_pct": after,
            "change_pp": after - before,
        }
    return groups


def sleeve_rows(case: Case) -> Json:
    rows: dict[str, object] = {}
    values = case.portfolio.values()
    for i, sleeve in enumerate(case.portfolio.sleeves):
        row: dict[str, object] = {"name": sleeve.kind.name}
        if sleeve.ticker:
            row |= {"ticker": sleeve.ticker, "fund": sleeve.fund}
        row |= {
            "status": _status(case, i),
            "target_pct": plain(sleeve.target),
            "band_pp": sleeve.band,
            "weight_before_pct": case.weights_before[i],
            "weight_after_pct": case.weights_after[i],
            "weight_change_pp": case.weights_after[i] - case.weights_before[i],
            "drift_before_pp": case.drift_before[i],
            "drift_after_pp": case.drift_after[i],
            "value_before_usd": values[i],
            "value_after_usd": case.values_after[i],
        }
        if sleeve.ticker:
            move = percent_of(sleeve.price - sleeve.price_then, sleeve.price_then)
            row["price_change_pct"] = shown(move, 1)
        rows[sleeve.kind.id] = row
    return rows


def _status(case: Case, index: int) -> str:
    drift, band = case.drift_before[index], case.portfolio.sleeves[index].band
    side = "above" if drift > 0 else "below"
    if abs(drift) > band:
        return f"{side} its band"
    if abs(drift) > band * TOLERANCE_SHARE:
        return f"inside its band, more than half of it {side} target"
    return "inside half of its band"


def drift(case: Case) -> Json:
    drifts, after = case.drift_before, case.drift_after
    funds = range(len(drifts) - 1)
    largest = max(funds, key=lambda i: abs(drifts[i]))
    over = max(funds, key=lambda i: drifts[i])
    under = min(funds, key=lambda i: drifts[i])
    residual = max(range(len(after)), key=lambda i: abs(after[i]))
    return {
        "largest": named(case, largest, drift_pp=drifts[largest]),
        "most_overweight": named(case, over, drift_pp=drifts[over]),
        "most_underweight": named(case, under, drift_pp=drifts[under]),
        "largest_after": named(case, residual, drift_pp=after[residual]),
        "overweight_total_pp": sum((d for d in drifts if d > 0), ZERO),
        "overweight_total_after_pp": sum((d for d in after if d > 0), ZERO),
        "outside_band_count": len(case.outside),
        "outside_band_after_count": 0,
    }


def named(case: Case, index: int, **numbers: Decimal) -> Json:
    kind = case.portfolio.sleeves[index].kind
    return {"sleeve": kind.id, "name": kind.name, **numbers}


def trade_row(case: Case, trade: Trade) -> Json:
    index = case.portfolio.sleeves.index(trade.sleeve)
    past = "its band" if index in case.outside else "half of its band"
    sell = trade.side == "sell"
    return {
        "side": trade.side,
        "sleeve": trade.sleeve.kind.id,
        "name": trade.sleeve.kind.name,
        "ticker": trade.sleeve.ticker,
        "fund": trade.sleeve.fund,
        "shares": trade.shares,
        "price_usd": trade.sleeve.price,
        "amount_usd": trade.amount,
        "why": f"had {'risen above' if sell else 'fallen below'} its target by more than {past}",
    }


def trading(case: Case) -> Json:
    sold, bought = sum_of(case.trades, "sell"), sum_of(case.trades, "buy")
    sells = sum(trade.side == "sell" for trade in case.trades)
    return {
        "trades_count": len(case.trades),
        "sells_count": sells,
        "buys_count": len(case.trades) - sells,
        "sold_usd": sold,
        "bought_usd": bought,
        "sold_less_bought_usd": sold - bought,
        "turnover_usd": sold + bought,
        "turnover_pct": shown(percent_of(sold + bought, case.value_before)),
    }
