"""What results.json says of risk, of what was not done, of triggers and of the policy's limits."""

from __future__ import annotations

from datetime import timedelta

from amounts import HUNDRED, plain
from case import Case
from holdings import named
from limits import SINGLE_FUND_LIMIT, TOLERANCE_SHARE
from lots import DEFERRAL_DAYS, LONG_TERM_DAYS
from risk import VAR_Z, Risk

Json = dict[str, object]
WASH_SALE_DAYS = 30


def risk(case: Case) -> Json:
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


def not_done(case: Case) -> Json:
    return {
        "left_alone": [
            named(case, i, drift_pp=case.drift_before[i])
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
        "no_repurchase": _no_repurchase(case),
    }


def _no_repurchase(case: Case) -> list[Json]:
    """Funds sold at a loss, which may not be bought again for a while."""
    until = case.portfolio.calendar.trade + timedelta(days=WASH_SALE_DAYS)
    return [
        {
            "sleeve": trade.sleeve.kind.id,
            "name": trade.sleeve.kind.name,
            "ticker": trade.sleeve.ticker,
            "until": until,
            "why": "sold at a loss; buying it back sooner would disallow that loss for tax",
        }
        for trade in case.trades
        if any(sold.gain < 0 for sold in trade.sold)
    ]


def triggers(case: Case) -> Json:
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
        "nearest": named(
            case, nearest, room_pp=room[nearest], limit_pct=plain(sleeves[nearest].target + limit)
        ),
        "cash_flow_usd": case.policy.cash_flow,
        "var_pct": case.policy.var_limit,
        "drawdown_pct": case.policy.drawdown_limit,
        "review_date": case.portfolio.calendar.next_review,
    }


def policy_echo(case: Case) -> Json:
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
        "var_tail_pct": 5,
        "var_horizon_months": 1,
        "var_multiplier_x": VAR_Z,
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
