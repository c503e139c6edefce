"""results.json: everything a memo may cite, from one case. Shown parts sum to shown totals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal

from amounts import HUNDRED, ZERO, bps_of, percent_of, plain, shown
from case import Case
from limits import SINGLE_FUND_LIMIT, TOLERANCE_SHARE
from lots import DEFERRAL_DAYS, LONG_TERM_DAYS
from risk import Risk
from trading import Trade, sum_of
from workings import WASH_SALE_DAYS, repurchase_bans, workings

Json = dict[str, object]
GROUPS = (("shares", "Shares"), ("bonds", "Bonds"), ("real_assets", "Real assets"))


def results(case: Case) -> Json:
    return {
        "client": _client(case),
        "dates": _dates(case),
        "portfolio": _portfolio(case),
        "mix": _mix(case),
        "sleeves": _sleeves(case),
        "drift": _drift(case),
        "trades": [_trade(case, trade) for trade in case.trades],
        "trading": _trading(case),
        "costs": _costs(case),
        "gains": _gains(case),
        "lots_sold": _lots_sold(case),
        "tax": _tax(case),
        "all_in": _all_in(case),
        "risk": _risk(case),
        "not_done": _not_done(case),
        "triggers": _triggers(case),
        "policy": _policy(case),
        "workings": workings(case),
    }


def _client(case: Case) -> Json:
    return {
        "name": case.portfolio.client,
        "account": "taxable",
        "base_currency": "USD",
        "profile": case.portfolio.profile,
        "adviser": case.portfolio.adviser,
    }


def _dates(case: Case) -> Json:
    calendar = case.portfolio.calendar
    return {
        "last_rebalance": calendar.prior,
        "valuation": calendar.valuation,
        "trades": calendar.trade,
        "next_review": calendar.next_review,
    }


def _portfolio(case: Case) -> Json:
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


def _mix(case: Case) -> Json:
    """Weights by broad group; shown sleeve weights add up to them."""
    groups: dict[str, object] = {}
    for group, name in (*GROUPS, ("cash", "Cash")):
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


def _sleeves(case: Case) -> Json:
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


def _drift(case: Case) -> Json:
    drifts, after = case.drift_before, case.drift_after
    funds = range(len(drifts) - 1)
    largest = max(range(len(drifts)), key=lambda i: abs(drifts[i]))
    residual = max(range(len(after)), key=lambda i: abs(after[i]))
    return {
        "largest": _named(case, largest, drift_pp=drifts[largest]),
        "most_overweight": _pick(case, max(funds, key=lambda i: drifts[i])),
        "most_underweight": _pick(case, min(funds, key=lambda i: drifts[i])),
        "largest_after": _named(case, residual, drift_pp=after[residual]),
        "overweight_total_pp": sum((d for d in drifts if d > 0), ZERO),
        "overweight_total_after_pp": sum((d for d in after if d > 0), ZERO),
        "outside_band_count": len(case.outside),
        "outside_band_after_count": 0,
    }


def _pick(case: Case, index: int) -> Json:
    return _named(case, index, drift_pp=case.drift_before[index])


def _named(case: Case, index: int, **numbers: Decimal) -> Json:
    kind = case.portfolio.sleeves[index].kind
    return {"sleeve": kind.id, "name": kind.name, **numbers}


def _trade(case: Case, trade: Trade) -> Json:
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


def _trading(case: Case) -> Json:
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


def _costs(case: Case) -> Json:
    names = {
        "commissions": "Commissions",
        "dealing_fee": "Platform dealing fee",
        "spread": "Bid-offer spread",
        "regulatory_fee": "Regulatory fee on sales",
        "total": "Total trading cost",
    }
    rows: dict[str, object] = {}
    for key, cost in case.costs.items():
        row: dict[str, object] = {
            "name": names[key],
            "amount_usd": cost.amount,
            "of_turnover_bps": cost.of_traded,
            "of_portfolio_bps": cost.of_portfolio,
        }
        if key == "total":
            row["of_portfolio_pct"] = cost.of_portfolio / HUNDRED
        rows[key] = row
    return rows


def _gains(case: Case) -> Json:
    gains = [(sold.gain, sold.long_term) for sold in case.sold_lots]
    return {
        "net_usd": _sum(gain for gain, _ in gains),
        "short_term_usd": _sum(gain for gain, long in gains if not long),
        "long_term_usd": _sum(gain for gain, long in gains if long),
        "gaining_lots_usd": _sum(gain for gain, _ in gains if gain > 0),
        "losing_lots_usd": _sum(gain for gain, _ in gains if gain < 0),
        "lots_sold_count": len(gains),
    }


def _sum(amounts: Iterable[Decimal]) -> Decimal:
    """Dollars to the cent, an empty sum included."""
    return shown(sum(amounts, ZERO))


def _lots_sold(case: Case) -> Sequence[Json]:
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


def _tax(case: Case) -> Json:
    tax = case.tax
    bps = shown(bps_of(tax.total, case.value_before))
    return {
        "estimate_usd": tax.total,
        "of_portfolio_bps": bps,
        "of_portfolio_pct": bps / HUNDRED,
        "on_short_term_usd": tax.on_short,
        "on_long_term_usd": tax.on_long,
        "taxable_short_term_usd": shown(tax.taxable_short),
        "taxable_long_term_usd": shown(tax.taxable_long),
        "losses_brought_forward_usd": shown(case.policy.rates.carried_in),
        "losses_used_usd": shown(tax.losses_used),
        "losses_carried_forward_usd": shown(tax.carried_out),
        "budget_left_usd": case.policy.tax_budget - tax.total,
    }


def _all_in(case: Case) -> Json:
    cost = case.costs["total"]
    bps = cost.of_portfolio + shown(bps_of(case.tax.total, case.value_before))
    return {
        "amount_usd": cost.amount + case.tax.total,
        "of_portfolio_bps": bps,
        "of_portfolio_pct": bps / HUNDRED,
    }


def _risk(case: Case) -> Json:
    before, after = case.risk_before, case.risk_after
    return {
        "before": _risk_side(before),
        "after": _risk_side(after),
        "change": {
            "volatility_pp": after.volatility - before.volatility,
            "var_pp": after.var - before.var,
            "var_usd": after.var_usd - before.var_usd,
            "drawdown_pp": after.drawdown - before.drawdown,
            "drawdown_usd": after.drawdown_usd - before.drawdown_usd,
            "tracking_error_pp": after.tracking_error - before.tracking_error,
        },
    }


def _risk_side(risk: Risk) -> Json:
    return {
        "volatility_pct": risk.volatility,
        "var_pct": risk.var,
        "var_usd": risk.var_usd,
        "drawdown_pct": risk.drawdown,
        "drawdown_usd": risk.drawdown_usd,
        "tracking_error_pct": risk.tracking_error,
    }


def _not_done(case: Case) -> Json:
    return {
        "left_alone": [
            _named(case, i, drift_pp=case.drift_before[i])
            | {"why": "inside half of its band, so the policy asks for no trade"}
            for i in case.left_alone
        ],
        "left_alone_count": len(case.left_alone),
        "kept_lots": [
            {
                "lot": kept.lot.id,
                "sleeve": trade.sleeve.kind.id,
                "name": trade.sleeve.kind.name,
                "ticker": trade.sleeve.ticker,
                "shares": kept.lot.shares,
                "unrealised_gain_usd": (kept.price - kept.lot.cost) * kept.lot.shares,
                "long_term_from": kept.lot.turns_long_term(),
                "why": "at a gain that soon counts as long-term, at the lower tax rate",
            }
            for trade, kept in case.deferred
        ],
        "no_repurchase": repurchase_bans(case),
    }


def _triggers(case: Case) -> Json:
    sleeves = case.portfolio.sleeves
    room = [s.band - abs(d) for s, d in zip(sleeves, case.drift_after, strict=True)]
    nearest = min(range(len(room) - 1), key=lambda i: room[i])
    limit = sleeves[nearest].band * (1 if case.drift_after[nearest] > 0 else -1)
    return {
        "sleeves": {
            s.kind.id: {
                "name": s.kind.name,
                "below_pct": plain(s.target - s.band),
                "above_pct": plain(s.target + s.band),
            }
            for s in sleeves
        },
        "nearest": _named(
            case, nearest, room_pp=room[nearest], limit_pct=plain(sleeves[nearest].target + limit)
        ),
        "cash_flow_usd": case.policy.cash_flow,
        "var_pct": case.policy.var_limit,
        "drawdown_pct": case.policy.drawdown_limit,
        "review_date": case.portfolio.calendar.next_review,
    }


def _policy(case: Case) -> Json:
    policy, rates = case.policy, case.policy.rates
    return {
        "tolerance_share_of_band_pct": plain(TOLERANCE_SHARE * HUNDRED),
        "turnover_limit_pct": policy.turnover_limit,
        "tax_budget_usd": policy.tax_budget,
        "minimum_trade_usd": policy.minimum_trade,
        "single_fund_limit_pct": SINGLE_FUND_LIMIT,
        "cash_floor_pct": policy.cash_floor,
        "var_limit_pct": policy.var_limit,
        "var_confidence_pct": 95,
        "var_horizon_months": 1,
        "drawdown_limit_pct": policy.drawdown_limit,
        "tracking_error_limit_pct": policy.tracking_limit,
        "cash_flow_trigger_usd": policy.cash_flow,
        "review_every_months": case.portfolio.calendar.review_months,
        "commission_per_trade_usd": policy.commission,
        "dealing_fee_bps": policy.dealing_fee,
        "regulatory_fee_bps": policy.regulatory_fee,
        "long_term_tax_rate_pct": rates.long_term,
        "short_term_tax_rate_pct": rates.short_term,
        "investment_surtax_pct": rates.surtax,
        "long_term_after_days": LONG_TERM_DAYS,
        "gain_deferral_days": DEFERRAL_DAYS,
        "wash_sale_days": WASH_SALE_DAYS,
    }
