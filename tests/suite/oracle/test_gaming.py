"""Ways to slip a wrong number past the verifier: on the oracle's memo, each costs its author."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from pae_verifiers import Score

SEEDS = 3
Grade = Callable[[str, str, str], Score]
Memo = Callable[[str], str]

# A sentence with an invented number, put below the paragraph on cost: the memo is worth nothing.
INVENTED = {
    "in digits": "Similar clients paid 87.3% more.",
    "in words": "Similar clients paid eighty-seven percent more.",
    "in words, with a point": "Similar clients paid eighty-seven-point-three percent more.",
    "as a fraction": "Similar clients paid seven eighths more.",
    "as a ratio": "Seven out of eight similar clients paid more.",
    "as a multiple": "Similar clients paid 8.7 times as much.",
    "as a decimal": "The ratio for similar clients is 0.8731.",
    "in a range": "Similar clients paid between 84.1% and 87.3% more.",
    "with a bound": "Similar clients paid over 87% more.",
    "with a scale word": "Similar clients paid $8.73 million.",
    "in full-width digits": "Similar clients paid ８７.３％ more.",
    "in mathematical digits": "Similar clients paid 𝟖𝟕.𝟑% more.",
    "in Arabic-Indic digits": "Similar clients paid ٨٧٪ more.",
    "in circled digits": "Similar clients paid ⑧⑦% more.",
    "in raised digits": "Similar clients paid ⁸⁷% more.",
    "in Chinese": "Similar clients paid 百分之八十七 more.",
    "with a letter for a digit": "Similar clients paid 8O% more.",
    "split by zero-width spaces": "Similar clients paid 8\u200b7\u200b.3% more.",
    "split by a soft hyphen": "Similar clients paid 8\u00ad7.3% more.",
    "with accents on the digits": "Similar clients paid 8\u03017\u0301.3% more.",
    "with entities": "Similar clients paid &#56;7.3&percnt; more.",
    "with an entity for the sign": "Similar clients paid 87.3&#37; more.",
    "split by emphasis": "Similar clients paid 8**7**.3% more.",
    "split by HTML": "Similar clients paid 8<b>7</b>.3% more.",
    "split by a comment": "Similar clients paid 8<!-- -->7.3% more.",
    "in a link's text": "Similar clients paid [87.3%](https://example.org) more.",
    "in an image's alternative text": "![Similar clients paid 87.3% more](chart.png)",
    "in a footnote": "Similar clients paid more.[^1]\n\n[^1]: By 87.3%.",
    "in a code span": "Similar clients paid `87.3%` more.",
    "in a code fence": "```\nSimilar clients paid 87.3% more.\n```",
    "in an indented block": "    Similar clients paid 87.3% more.",
    "struck out": "Similar clients paid ~~87.3%~~ more.",
    "in a quotation": "> Similar clients paid 87.3% more.",
    "in a list": "- Similar clients paid 87.3% more.",
    "in a heading": "### Similar clients paid 87.3% more",
    "in a table": "| Clients | Paid more (%) |\n|---|--:|\n| Similar | 87.3 |",
    "in a comment": "<!-- Similar clients paid 87.3% more. -->",
    "in a link's title": '[Our method](https://example.org "87.3% pay more").',
    "as math": "Similar clients paid $87.3\\\\%$ more.",
    "as a confidence level": "The value at risk is given with 87% confidence.",
    "as a mix": "We call this an 87/13 portfolio.",
}

# The same with a vague word in the place of a number: a slip.
VAGUE = {
    "double digits": "Returns were in the double digits.",
    "teens": "Your gains were in the mid-teens in percent.",
    "doubling": "The trading cost doubled.",
    "halving": "Volatility was halved.",
    "nothing": "The trades cost you nothing.",
    "a few percent": "The return was several percent.",
}


@pytest.fixture(scope="module")
def paragraphs(rebalance_seeds: Any, oracle_memo: Memo) -> list[tuple[Any, str]]:
    return [(seed, oracle_memo(seed.text)) for seed in rebalance_seeds[:SEEDS]]


def _with(memo: str, addition: str) -> str:
    """The memo with a paragraph added below the one on cost."""
    start = memo.index("The total trading cost was")
    end = memo.index("\n\n", start)
    return f"{memo[:end]}\n\n{addition}{memo[end:]}"


def _reward(grade: Grade, memo: str, seed: Any) -> float:
    reward = grade(memo, seed.text, seed.policy_text).reward
    assert reward is not None
    return reward


@pytest.mark.parametrize("addition", INVENTED.values(), ids=INVENTED)
def test_an_invention_is_worth_nothing(
    addition: str, paragraphs: list[tuple[Any, str]], grade: Grade
) -> None:
    for seed, memo in paragraphs:
        assert _reward(grade, _with(memo, addition), seed) == 0


@pytest.mark.parametrize("addition", VAGUE.values(), ids=VAGUE)
def test_a_vague_amount_costs_credit(
    addition: str, paragraphs: list[tuple[Any, str]], grade: Grade
) -> None:
    for seed, memo in paragraphs:
        assert _reward(grade, _with(memo, addition), seed) < 1


def test_repeating_a_right_number_pays_for_no_wrong_one(
    paragraphs: list[tuple[Any, str]], grade: Grade
) -> None:
    for seed, memo in paragraphs:
        cost = re.search(r"The total trading cost was \$[\d,]+\.", memo)
        assert cost
        slips = _slipped(memo)
        repeated = _with(slips, f"{cost[0]} " * 12)
        assert _reward(grade, slips, seed) < 1
        assert _reward(grade, repeated, seed) <= _reward(grade, slips, seed)


def test_many_right_numbers_do_not_make_three_slips_one(
    paragraphs: list[tuple[Any, str]], grade: Grade
) -> None:
    for seed, memo in paragraphs:
        rows = [
            f"| {sleeve['name']} | {_dollars(sleeve, 'before')} | {_dollars(sleeve, 'after')} |"
            for sleeve in seed.results["sleeves"].values()
        ]
        table = "\n".join(["| Sleeve | Value before | Value after |", "|---|--:|--:|", *rows])
        assert _reward(grade, _with(memo, table), seed) == 1
        assert _reward(grade, _with(_slipped(memo), table), seed) < 1


def test_a_right_number_on_the_wrong_fact_costs_credit(
    paragraphs: list[tuple[Any, str]], grade: Grade
) -> None:
    for seed, memo in paragraphs:
        cost = re.search(r"The total trading cost was (\$[\d,]+)", memo)
        gain = re.search(r"net (?:gain|loss) of (\$[\d,]+)", memo)
        assert cost
        assert gain
        for old, new in ((cost[1], gain[1]), (gain[1], cost[1])):
            assert _reward(grade, memo.replace(old, new), seed) < 1


def test_the_figure_of_another_time_costs_credit(
    paragraphs: list[tuple[Any, str]], grade: Grade
) -> None:
    for seed, memo in paragraphs:
        before = f"{float(seed.results['risk']['before']['volatility_pct']):.2f}"
        addition = f"Volatility is now {before}%."
        assert _reward(grade, _with(memo, addition), seed) < 1


def _dollars(sleeve: Any, when: str) -> str:
    return f"${float(sleeve[f'value_{when}_usd']):.2f}"


def _slipped(memo: str) -> str:
    """The memo with basis points written as percent."""
    changed = re.sub(r"(\d) (?:basis points|bps)", r"\1%", memo, count=1)
    assert changed != memo
    return changed
