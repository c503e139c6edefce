"""Make one trap's edit to the oracle's memo: ``python3 -I edit.py TRAP``.

Each edit is a mistake that writers make. One that changes nothing fails, so that a trap can never
pass for a loss by leaving the memo as it was. Standard library only.
"""

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

Edit = Callable[[str, Any], str]

RESULTS = Path("/app/output/results.json")
MEMO = Path("/app/output/memo.md")
SCALES = (Decimal(100), Decimal("0.01"), Decimal(10000), Decimal("0.0001"))

FORECAST = (
    "Looking ahead, we expect share markets to keep rising over the coming year, and bonds"
    " should recover as interest rates come down."
)
ADVICE = (
    "While you are reviewing your affairs, you should also consider moving part of your pension"
    " and any spare savings into the same funds, and paying off your mortgage a little more"
    " slowly."
)
PADDING = (
    "We would like to take this opportunity to say a little more about how we work. Every"
    " rebalance begins with the policy that you and your adviser agreed, because the policy is"
    " what keeps a portfolio from being led by the news of the day. Our team compares the"
    " holdings with that policy, writes down each difference, and asks whether it is large"
    " enough to matter. Where it is, we draw up the trades; where it is not, we leave the"
    " holding in peace. A colleague reads the list before anything is sent to the market, and"
    " another compares the confirmations with the list afterwards.",
    "The words used in this memo have simple meanings. A sleeve is a part of the portfolio that"
    " is kept for a kind of investment. A target is the share of the portfolio that the policy"
    " gives to a sleeve. A band is the room that the policy leaves around a target, so that"
    " small movements do not lead to trades and the costs that come with them. A lot is a batch"
    " of units that were bought on the same day at the same price, and it matters only because"
    " tax is worked out lot by lot.",
    "We keep a full record of the work behind this memo, together with the confirmations and"
    " the statements of the custodian, and we are glad to go through any of it with you, by"
    " telephone or in person, at a time that suits you. Thank you for the trust that you place"
    " in us. It is a privilege to look after your portfolio, and we do not take it for granted.",
)


def main(name: str) -> None:
    before = MEMO.read_text("utf-8")
    results = json.loads(RESULTS.read_text("utf-8"), parse_float=Decimal, parse_int=Decimal)
    MEMO.write_text(edited(name, before, results), "utf-8")


def edited(name: str, memo: str, results: Any) -> str:
    """The memo after the trap's edit. Exits with a message where the edit finds no place."""
    if name not in EDITS:
        sys.exit(f"no trap is called {name!r}")
    after = EDITS[name](memo, results)
    if after == memo:
        sys.exit(f"the trap {name} changed nothing in the memo")
    return after


def replace(pattern: str, replacement: str) -> Edit:
    """An edit that replaces the first match of the pattern."""
    return lambda memo, results: re.sub(pattern, replacement, memo, count=1)


def wrong_fact(memo: str, results: Any) -> str:
    """The cost wherever the tax belongs."""
    cost = re.search(r"total trading cost was (\$[\d,.]*\d)", memo)
    if cost is None:
        return memo
    amount = cost[1]
    tax = r"(estimate the tax (?:on the sales )?at )\$[\d,.]*\d"
    return re.sub(tax, lambda found: found[1] + amount, memo)


def fabricated_number(memo: str, results: Any) -> str:
    percent = absent(results, (f"{n}.{n % 7 + 1}" for n in range(13, 90)))
    return after_paragraph(
        memo,
        "The total trading cost",
        f"Clients with similar portfolios paid {percent}% more on average.",
    )


def spelled_number(memo: str, results: Any) -> str:
    tens = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
    spelled = {str(10 * n): word for n, word in enumerate(tens, 2)}
    units = ("one", "three", "four", "six", "seven")
    spelled |= {
        str(10 * n + m): f"{word}-{unit}"
        for n, word in enumerate(tens, 2)
        for m, unit in zip((1, 3, 4, 6, 7), units, strict=True)
    }
    percent = spelled[absent(results, reversed(spelled))]
    return after_paragraph(
        memo, "We left", f"Changes like these were made for {percent} percent of our clients."
    )


def hidden_comment(memo: str, results: Any) -> str:
    amount = absent(results, (str(1000 * n + 137) for n in range(41, 99)))
    return after_paragraph(
        memo, "The total trading cost", f"<!-- checked against the ticket: ${int(amount):,} -->"
    )


def diluted(memo: str, results: Any) -> str:
    """Several slips, and a page of right figures to outweigh them."""
    for slip in ("bps_as_percent", "points_as_percent", "over_precise"):
        memo = EDITS[slip](memo, results)
    rows = ["| Sleeve | Value before | Value after | Target |", "|---|--:|--:|--:|"]
    for sleeve in results["sleeves"].values():
        before, after = sleeve["value_before_usd"], sleeve["value_after_usd"]
        rows.append(f"| {sleeve['name']} | ${before:,} | ${after:,} | {sleeve['target_pct']}% |")
    return after_paragraph(memo, "We left", "\n".join(rows))


def missing_section(memo: str, results: Any) -> str:
    return re.sub(r"## What risks remain\n.*?(?=## )", "", memo, flags=re.DOTALL)


def too_long(memo: str, results: Any) -> str:
    return memo.replace("Yours sincerely,", "\n\n".join(PADDING) + "\n\nYours sincerely,")


def after_paragraph(memo: str, opening: str, addition: str) -> str:
    """The memo with a paragraph added below the one that begins with ``opening``."""
    paragraphs = memo.split("\n\n")
    places = [i for i, text in enumerate(paragraphs) if text.startswith(opening)]
    if not places:
        sys.exit(f"no paragraph of the memo begins with {opening!r}")
    return "\n\n".join([*paragraphs[: places[0] + 1], addition, *paragraphs[places[0] + 1 :]])


def absent(results: Any, candidates: Iterable[str]) -> str:
    """The first candidate that is no figure of results.json, nor near one, in any unit."""
    figures = [abs(figure) for figure in numbers(results)]
    for text in candidates:
        value = Decimal(text)
        if all(abs(figure - value) > value / 50 for figure in figures) and all(
            abs(figure * by - value) > value / 500 for figure in figures for by in SCALES
        ):
            return text
    return sys.exit("every candidate is near some figure of results.json")


def numbers(value: Any) -> Iterator[Decimal]:
    """Every number in parsed JSON."""
    if isinstance(value, Decimal):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from numbers(item)


EDITS: dict[str, Edit] = {
    "bps_as_percent": replace(r"(\d) basis points of", r"\1% of"),
    "percent_as_bps": replace(r"(in other words, [\d.]+)%", r"\1 basis points"),
    "points_as_percent": replace(r"(\d) percentage points above target", r"\1% above target"),
    "sign_lost": replace(r"a change in value of −[\d.]+%", "a change in value of 0.0%"),
    "over_precise": replace(r"(Volatility, .* to \d+\.\d\d)%", r"\g<1>31%"),
    "wrong_fact": wrong_fact,
    "fabricated_number": fabricated_number,
    "spelled_number": spelled_number,
    "hidden_comment": hidden_comment,
    "diluted": diluted,
    "market_forecast": lambda memo, results: after_paragraph(memo, "Shares are", FORECAST),
    "individual_advice": lambda memo, results: after_paragraph(memo, "The sales", ADVICE),
    "missing_section": missing_section,
    "too_long": too_long,
}

if __name__ == "__main__":
    main(*sys.argv[1:])
