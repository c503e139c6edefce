"""Write the client's memo from results.json: every figure as it stands there, none derived.

Reads /app/output/results.json and writes /app/output/memo.md. Standard library only.
"""

import json
from collections.abc import Sequence
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any

Results = dict[str, Any]

RESULTS = Path("/app/output/results.json")
MEMO = Path("/app/output/memo.md")
WORDS = "no one two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905


def main() -> None:
    results = json.loads(RESULTS.read_text("utf-8"), parse_float=Decimal, parse_int=Decimal)
    MEMO.write_text(memo(results), "utf-8")


def memo(r: Results) -> str:
    """The memo as Markdown, for the parsed results.json ``r`` (its numbers as Decimal)."""
    parts = [
        *opening(r),
        "## What changed and why",
        *what_changed(r),
        "## Cost and tax impact",
        cost(r),
        tax(r),
        "## What risks remain",
        *risks(r),
        "## What would trigger the next rebalance",
        *triggers(r),
        f"Yours sincerely,\n{r['client']['adviser']}",
    ]
    return "\n\n".join(parts) + "\n"


# Figures as a reader wants them: rounded half up, and never away to zero.


def usd(amount: Decimal) -> str:
    """Whole dollars from 100 on, else cents; without a sign, which the words around it carry."""
    step = Decimal(1) if abs(amount) >= 100 or not amount else Decimal("0.01")
    return f"${abs(amount).quantize(step, ROUND_HALF_UP):,}"


def weight(value: Decimal) -> str:
    """A percentage to one decimal, or to none where results.json has none."""
    if value == value.to_integral_value() and value.as_tuple().exponent == 0:
        return f"{value}%"
    return f"{value.quantize(Decimal('0.1'), ROUND_HALF_UP)}%"


def small_change(percent: Decimal) -> str:
    """A negative percentage to two decimals, or as it stands where two would lose its sign."""
    shown = abs(percent).quantize(Decimal("0.01"), ROUND_HALF_UP)
    return f"−{shown or abs(percent)}%"


def off_target(drift: Decimal) -> str:
    side = "above" if drift > 0 else "below"
    return f"{abs(drift)} percentage points {side} target"


def day(iso: str) -> str:
    on = date.fromisoformat(iso)
    return f"{on.day} {on:%B} {on.year}"


def low(name: str) -> str:
    """A name from results.json, inside a sentence."""
    return name if name.startswith("US ") else name[0].lower() + name[1:]


def listed(names: Sequence[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def choose(r: Results, *wordings: str) -> str:
    """One of the wordings, always the same for one client and valuation."""
    key = f"{r['client']['name']}{r['portfolio']['value_before_usd']}"
    return wordings[sum(map(ord, key)) % len(wordings)]


# The memo's parts: paragraphs, or lists of them.


def opening(r: Results) -> list[str]:
    dates, portfolio = r["dates"], r["portfolio"]
    traded = day(dates["trades"])
    done = choose(
        r,
        f"On {traded} we brought your portfolio back in line with your investment policy.",
        f"We rebalanced your portfolio on {traded}, as your investment policy asks.",
        f"Your portfolio had strayed from your investment policy, so we rebalanced it on {traded}.",
    )
    return [
        "# Your rebalancing memo",
        f"Dear {r['client']['name']},",
        f"{done} We estimate the tax on the sales at {usd(r['tax']['estimate_usd'])}. You need do"
        " nothing.",
        f"The portfolio was worth {usd(portfolio['value_before_usd'])} before the trades and"
        f" {usd(portfolio['value_after_usd'])} after them: a change in value of"
        f" {small_change(portfolio['value_change_pct'])}, all of it trading cost.",
    ]


def what_changed(r: Results) -> list[str]:
    drift, trading = r["drift"], r["trading"]
    outside = drift["outside_band_count"]
    over, under = drift["most_overweight"], drift["most_underweight"]
    return [
        f"Since the last rebalance on {day(r['dates']['last_rebalance'])}, prices have carried"
        " your holdings away from their targets. Of your"
        f" {WORDS[int(r['portfolio']['sleeves_count'])]} sleeves, the parts of your policy mix,"
        f" {WORDS[int(outside)]} {'was' if outside == 1 else 'were'} outside the band allowed"
        f" around the target. The one furthest above was {low(over['name'])}, at"
        f" {stood(r, over)}. The one furthest below was {low(under['name'])}, at"
        f" {stood(r, under)}.",
        f"To close these gaps we sold {usd(trading['sold_usd'])} of what had become too large"
        f" and bought {usd(trading['bought_usd'])} of what had become too small:",
        table(r),
        not_done(r),
    ]


def stood(r: Results, gap: Results) -> str:
    sleeve = r["sleeves"][gap["sleeve"]]
    return (
        f"{sleeve['weight_before_pct']}% of the portfolio against {sleeve['target_pct']}%, which"
        f" is {off_target(gap['drift_pp'])}"
    )


def table(r: Results) -> str:
    rows = ["| Sleeve | Trade | Amount | Weight before | Weight after |", "|---|---|--:|--:|--:|"]
    for trade in r["trades"]:
        sleeve = r["sleeves"][trade["sleeve"]]
        cells = (
            trade["name"],
            "Sold" if trade["side"] == "sell" else "Bought",
            usd(trade["amount_usd"]),
            weight(sleeve["weight_before_pct"]),
            weight(sleeve["weight_after_pct"]),
        )
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def not_done(r: Results) -> str:
    left, kept, barred = (
        r["not_done"][key] for key in ("left_alone", "kept_lots", "no_repurchase")
    )
    said = []
    if left:
        largest = max(left, key=lambda sleeve: abs(sleeve["drift_pp"]))
        gap = off_target(largest["drift_pp"])
        names = listed([low(sleeve["name"]) for sleeve in left])
        small = "too small for the policy to ask for a trade"
        said.append(
            f"We left {names} alone, because a gap of this size, {gap}, is {small}."
            if len(left) == 1
            else f"We left {names} alone, because their gaps were {small}; the largest was in"
            f" {low(largest['name'])}, at {gap}."
        )
    if kept:
        names = listed(sorted({low(lot["name"]) for lot in kept}))
        last = day(max(lot["long_term_from"] for lot in kept))
        said.append(
            f"We kept some {names} held at a gain, which counts as long-term and is taxed less"
            f" from {last}."
        )
    if barred:
        names = listed([low(sleeve["name"]) for sleeve in barred])
        said.append(
            f"We will not buy {names} again until {day(barred[0]['until'])}, to keep the tax"
            " benefit of selling at a loss."
        )
    return " ".join(said)


def cost(r: Results) -> str:
    total = r["costs"]["total"]
    parts = (part for key, part in r["costs"].items() if key != "total")
    largest = max(parts, key=lambda part: part["amount_usd"])
    return (
        f"The total trading cost was {usd(total['amount_usd'])}. That is"
        f" {total['of_portfolio_bps']} basis points of the portfolio (in other words,"
        f" {total['of_portfolio_pct']}%). The largest part was the {low(largest['name'])}, at"
        f" {usd(largest['amount_usd'])}."
    )


def tax(r: Results) -> str:
    gains, owed = r["gains"], r["tax"]
    net, estimate = gains["net_usd"], owed["estimate_usd"]
    said = [f"The sales realised a net {'gain' if net >= 0 else 'loss'} of {usd(net)}."]
    if owed["losses_used_usd"]:
        said.append(
            f"Losses of {usd(owed['losses_used_usd'])} from earlier years were set against it."
        )
    unsure = choose(
        r,
        "It is an estimate; the final bill depends on your whole tax return.",
        "The final amount may differ, as it depends on your whole tax return.",
    )
    budget = usd(r["policy"]["tax_budget_usd"])
    said.append(
        f"We estimate the tax at {usd(estimate)}, against a tax budget of {budget} in your"
        f" policy. {unsure}"
        if estimate
        else f"We therefore estimate the tax at {usd(estimate)}. {unsure}"
    )
    if owed["losses_carried_forward_usd"]:
        said.append(
            f"Losses of {usd(owed['losses_carried_forward_usd'])} are carried forward to later"
            " years."
        )
    return " ".join(said)


def risks(r: Results) -> list[str]:
    risk, limit = r["risk"], r["policy"]["drawdown_limit_pct"]
    more = risk["after"]["volatility_pct"] > risk["before"]["volatility_pct"]
    lead = (
        "The portfolio carries more risk than before, because your policy asks for more of what"
        " had shrunk."
        if more
        else "The trades lowered the risk of your portfolio, but did not remove it."
    )

    def moved(key: str) -> str:
        return f"from {risk['before'][key]}% before to {risk['after'][key]}% after"

    return [
        f"{lead} Before and after the trades:",
        f"- Volatility, the usual size of a year's swings: {moved('volatility_pct')}.\n"
        "- Value at risk, a monthly loss that is exceeded only rarely (95% confidence):"
        f" {moved('var_pct')}, or {usd(risk['after']['var_usd'])}.\n"
        f"- Drawdown, the loss in our stress scenario: {moved('drawdown_pct')}. Your policy's"
        f" limit on drawdown is {limit}%.",
        f"Shares are still {r['mix']['shares']['after_pct']}% of your portfolio after the"
        " trades, and they can fall sharply and stay down for long. Bonds lose value when"
        " interest rates rise, and in a crisis both may fall together. These figures are"
        " estimates from past behaviour, not a forecast; losses can be larger.",
    ]


def triggers(r: Results) -> list[str]:
    due = r["triggers"]
    near = due["nearest"]
    limits = due["sleeves"][near["sleeve"]]
    side = "upper" if near["limit_pct"] == limits["above_pct"] else "lower"
    return [
        "We would rebalance again if one of these happened:",
        f"- Value at risk passes its limit of {due['var_pct']}%, or drawdown its limit of"
        f" {due['drawdown_pct']}%.\n"
        f"- A deposit or withdrawal of yours reaches {usd(due['cash_flow_usd'])}.\n"
        f"- A sleeve leaves its band. Closest to that: {low(near['name'])}, with"
        f" {near['room_pp']} percentage points of room before the {side} limit. The limits of its"
        f" band are {limits['below_pct']}% and {limits['above_pct']}%.",
        f"The next review is on {day(due['review_date'])} in any case. Please tell us if your"
        " circumstances change before then.",
    ]


if __name__ == "__main__":
    main()
