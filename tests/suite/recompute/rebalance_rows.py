"""What results.json has to say of a rebalance: its numbers, and the texts that carry a decision."""

from __future__ import annotations

from datetime import timedelta
from fractions import Fraction

from rebalance_model import F, Inputs, Rebalance, Tree, rounded, to_total

GROUPS = {
    "shares": ("us_large_cap", "us_small_cap", "intl_developed", "emerging_markets"),
    "bonds": ("ig_bonds", "treasuries", "tips"),
    "real_assets": ("real_estate", "gold"),
    "cash": ("cash",),
}


def expected(results: Tree) -> Tree:
    """All that results.json has to say, numbers and the texts that carry a decision."""
    done = Rebalance(Inputs(results))
    carried = results["tax"]["losses_brought_forward_usd"]
    costs, taxes = cost_rows(done), tax_rows(done, carried)
    all_in = costs["total"]["of_portfolio_bps"] + taxes["of_portfolio_bps"]
    return {
        "portfolio": portfolio_rows(done),
        "mix": mix_rows(done),
        "sleeves": {i: sleeve_row(done, i) for i in done.given.ids},
        "drift": drift_rows(done),
        "trades": trade_rows(done),
        "trading": trading_rows(done),
        "costs": costs,
        "gains": gain_rows(done),
        "lots_sold": lot_rows(done),
        "tax": taxes,
        "all_in": {
            "amount_usd": done.cost + taxes["estimate_usd"],
            "of_portfolio_bps": all_in,
            "of_portfolio_pct": all_in / 100,
        },
        "risk": risk_rows(done),
        "not_done": not_done_rows(done),
        "triggers": trigger_rows(done),
    }


def portfolio_rows(done: Rebalance) -> Tree:
    before, after = done.before, done.after
    return {
        "value_before_usd": before.total,
        "value_after_usd": after.total,
        "value_change_usd": -done.cost,
        "value_change_pct": -rounded(done.cost / before.total * 10000) / 100,
        "cash_after_usd": after.values["cash"],
        "cash_change_usd": after.values["cash"] - before.values["cash"],
        "sleeves_count": F(len(done.given.ids)),
    }


def mix_rows(done: Rebalance) -> Tree:
    rows: Tree = {}
    for group, ids in GROUPS.items():
        members = [i for i in done.given.ids if i in ids]
        if members:
            before = sum((done.before.weight[i] for i in members), F(0))
            after = sum((done.after.weight[i] for i in members), F(0))
            rows[group] = {
                "target_pct": sum((done.given.target[i] for i in members), F(0)),
                "before_pct": before,
                "after_pct": after,
                "change_pp": after - before,
            }
    return rows


def sleeve_row(done: Rebalance, i: str) -> Tree:
    row: Tree = {
        "weight_before_pct": done.before.weight[i],
        "weight_after_pct": done.after.weight[i],
        "weight_change_pp": done.after.weight[i] - done.before.weight[i],
        "drift_before_pp": done.before.drift[i],
        "drift_after_pp": done.after.drift[i],
        "value_before_usd": done.before.values[i],
        "value_after_usd": done.after.values[i],
    }
    if i != "cash":
        move = done.given.price[i] / done.given.price_then[i] - 1
        row["price_change_pct"] = rounded(move * 100, 1)
    return row


def drift_rows(done: Rebalance) -> Tree:
    funds, ids = done.given.funds, done.given.ids
    before, after = done.before.drift, done.after.drift
    largest = max(funds, key=lambda i: abs(before[i]))
    over, under = max(funds, key=lambda i: before[i]), min(funds, key=lambda i: before[i])
    rest = max(ids, key=lambda i: abs(after[i]))
    return {
        "largest": {"sleeve": largest, "drift_pp": before[largest]},
        "most_overweight": {"sleeve": over, "drift_pp": before[over]},
        "most_underweight": {"sleeve": under, "drift_pp": before[under]},
        "largest_after": {"sleeve": rest, "drift_pp": after[rest]},
        "overweight_total_pp": sum((d for d in before.values() if d > 0), F(0)),
        "overweight_total_after_pp": sum((d for d in after.values() if d > 0), F(0)),
        "outside_band_count": F(sum(abs(before[i]) > done.given.band[i] for i in ids)),
        "outside_band_after_count": F(sum(abs(after[i]) > done.given.band[i] for i in ids)),
    }


def trade_rows(done: Rebalance) -> list[Tree]:
    return [
        {
            "side": "sell" if i in done.sells else "buy",
            "sleeve": i,
            "shares": done.shares[i],
            "price_usd": done.given.price[i],
            "amount_usd": done.amount[i],
        }
        for i in (*done.sells, *done.buys)
    ]


def trading_rows(done: Rebalance) -> Tree:
    turnover = done.sold + done.bought
    return {
        "trades_count": F(len(done.amount)),
        "sells_count": F(len(done.sells)),
        "buys_count": F(len(done.buys)),
        "sold_usd": done.sold,
        "bought_usd": done.bought,
        "sold_less_bought_usd": done.sold - done.bought,
        "turnover_usd": turnover,
        "turnover_pct": rounded(turnover / done.before.total * 100),
    }


def cost_rows(done: Rebalance) -> Tree:
    turnover, value = done.sold + done.bought, done.before.total
    of_turnover = rounded(done.cost / turnover * 10000)
    of_value = rounded(done.cost / value * 10000)
    kinds = list(done.costs)
    parts_turnover = to_total([done.costs[k] / turnover * 10000 for k in kinds], of_turnover)
    parts_value = to_total([done.costs[k] / value * 10000 for k in kinds], of_value)
    rows: Tree = {
        kind: {"amount_usd": done.costs[kind], "of_turnover_bps": a, "of_portfolio_bps": b}
        for kind, a, b in zip(kinds, parts_turnover, parts_value, strict=True)
    }
    rows["total"] = {
        "amount_usd": done.cost,
        "of_turnover_bps": of_turnover,
        "of_portfolio_bps": of_value,
        "of_portfolio_pct": of_value / 100,
    }
    return rows


def gain_rows(done: Rebalance) -> Tree:
    net = done.gain(lambda sold: True)
    return {
        "net_usd": net,
        **({"net_loss_usd": -net} if net < 0 else {}),
        "short_term_usd": done.gain(lambda sold: not sold.long),
        "long_term_usd": done.gain(lambda sold: sold.long),
        "gaining_lots_usd": done.gain(lambda sold: sold.gain > 0),
        "losing_lots_usd": done.gain(lambda sold: sold.gain < 0),
        "lots_sold_count": F(len(done.lots)),
    }


def lot_rows(done: Rebalance) -> list[Tree]:
    return [
        {
            "lot": sold.lot.name,
            "sleeve": sold.sleeve,
            "bought": sold.lot.bought.isoformat(),
            "term": "long-term" if sold.long else "short-term",
            "shares": sold.shares,
            "proceeds_usd": sold.shares * sold.price,
            "cost_basis_usd": sold.shares * sold.lot.cost,
            "gain_usd": sold.gain,
        }
        for sold in done.lots
    ]


def tax_rows(done: Rebalance, carried: Fraction) -> Tree:
    policy = done.given.policy
    short, long = done.gain(lambda sold: not sold.long), done.gain(lambda sold: sold.long)
    net = short + long
    # A loss of one term eats into the gain of the other; what is left has the term of the larger.
    if short * long < 0:
        short, long = (net, F(0)) if abs(short) > abs(long) else (F(0), net)
    gain_short, gain_long = max(short, F(0)), max(long, F(0))
    used_short = min(carried, gain_short)
    used_long = min(carried - used_short, gain_long)
    base_short, base_long = gain_short - used_short, gain_long - used_long
    surtax = policy["investment_surtax_pct"]
    on_short = rounded(base_short * (policy["short_term_tax_rate_pct"] + surtax) / 100)
    on_long = rounded(base_long * (policy["long_term_tax_rate_pct"] + surtax) / 100)
    bps = rounded((on_short + on_long) / done.before.total * 10000)
    return {
        "estimate_usd": on_short + on_long,
        "of_portfolio_bps": bps,
        "of_portfolio_pct": bps / 100,
        "short_term_rate_pct": policy["short_term_tax_rate_pct"] + surtax,
        "long_term_rate_pct": policy["long_term_tax_rate_pct"] + surtax,
        "on_short_term_usd": on_short,
        "on_long_term_usd": on_long,
        "taxable_short_term_usd": base_short,
        "taxable_long_term_usd": base_long,
        "losses_used_usd": used_short + used_long,
        "losses_carried_forward_usd": carried - used_short - used_long + max(-net, F(0)),
        "budget_left_usd": policy["tax_budget_usd"] - on_short - on_long,
    }


def risk_rows(done: Rebalance) -> Tree:
    sides: Tree = {}
    for name, side in (("before", done.before), ("after", done.after)):
        sides[name] = {f"{measure}_pct": value for measure, value in side.risk.items()}
        sides[name] |= {f"{measure}_usd": side.money(measure) for measure in ("var", "drawdown")}
    sides["change"] = {
        key.replace("_pct", "_pp"): sides["after"][key] - sides["before"][key]
        for key in sides["after"]
    }
    return sides


def not_done_rows(done: Rebalance) -> Tree:
    until = (done.given.traded_on + timedelta(days=30)).isoformat()
    losers = [i for i in done.sells if any(s.gain < 0 for s in done.lots if s.sleeve == i)]
    return {
        "left_alone": [{"sleeve": i, "drift_pp": done.before.drift[i]} for i in done.alone],
        "left_alone_count": F(len(done.alone)),
        "kept_lots": [
            {
                "lot": kept.lot.name,
                "shares": kept.shares,
                "unrealised_gain_usd": kept.gain,
                "long_term_from": (kept.lot.bought + timedelta(days=366)).isoformat(),
            }
            for kept in done.kept
        ],
        "no_repurchase": [{"sleeve": i, "until": until} for i in losers],
    }


def trigger_rows(done: Rebalance) -> Tree:
    given, drift = done.given, done.after.drift
    nearest = min(given.funds, key=lambda i: given.band[i] - abs(drift[i]))
    edge = given.band[nearest] if drift[nearest] > 0 else -given.band[nearest]
    return {
        "sleeves": {
            i: {
                "below_pct": given.target[i] - given.band[i],
                "above_pct": given.target[i] + given.band[i],
            }
            for i in given.ids
        },
        "nearest": {
            "sleeve": nearest,
            "room_pp": given.band[nearest] - abs(drift[nearest]),
            "limit_pct": given.target[nearest] + edge,
        },
        "cash_flow_usd": given.policy["cash_flow_trigger_usd"],
        "var_pct": given.policy["var_limit_pct"],
        "drawdown_pct": given.policy["drawdown_limit_pct"],
    }
