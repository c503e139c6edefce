"""The score, from verdicts made by hand."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest

from pae_verifiers.numbers.model import Fact, NumberVerdict, Quantity, Verdict
from pae_verifiers.numbers.score import missing, score


def fact(pointer: str, required: str | None = None) -> Fact:
    return Fact(pointer, "12.5", Decimal("12.5"), "percent", required=required)


def number(
    verdict: Verdict,
    about: Fact | None = None,
    shown: str = "12.5",
    *,
    hidden: bool = False,
    unit: str = "percent",
) -> NumberVerdict:
    quantity = Quantity(
        f"{shown} {unit}", 0, 1, Decimal(shown), unit, "quantity", Decimal("0.1"), 0, 1
    )
    return NumberVerdict(quantity, verdict, fact=about, hidden=hidden)


def matched(count: int) -> list[NumberVerdict]:
    return [number("matched", fact(f"/right/{i}")) for i in range(count)]


def slips(count: int) -> list[NumberVerdict]:
    return [number("mismatch", fact(f"/slip/{i}")) for i in range(count)]


@pytest.mark.parametrize(
    ("right", "wrong", "expected"),
    [
        (20, 0, Fraction(1)),
        (1, 0, Fraction(1)),
        (19, 1, Fraction(19, 20)),  # one in twenty
        (18, 1, Fraction(0)),  # one in nineteen: more than 5 %
        (38, 2, Fraction(9, 10)),
        (37, 2, Fraction(0)),
        (399, 21, Fraction(0)),  # the score never goes below 0
        (0, 0, Fraction(0)),  # no numbers at all
    ],
)
def test_each_slip_costs_a_twentieth_up_to_five_percent(
    right: int, wrong: int, expected: Fraction
) -> None:
    assert score([*matched(right), *slips(wrong)], ()) == expected


def test_one_fabricated_number_is_the_end_of_it() -> None:
    assert score([*matched(100), number("fabricated")], ()) == 0


def test_repeating_a_right_number_dilutes_nothing() -> None:
    repeated = [number("matched", fact("/right")) for _ in range(30)]
    assert score([*repeated, *slips(1)], ()) == 0


def test_the_same_value_in_another_unit_is_the_same_citation() -> None:
    facts = [fact(f"/right/{i}") for i in range(10)]
    in_percent = [number("matched", f, "0.5") for f in facts]
    in_bps = [number("matched", f, "50", unit="bps") for f in facts]
    assert score([*in_percent, *in_bps, *slips(1)], ()) == 0


def test_a_slip_made_twice_is_one_slip() -> None:
    assert score([*matched(19), *slips(1), *slips(1)], ()) == Fraction(19, 20)


def test_other_roundings_of_a_fact_count_apart() -> None:
    shown = [number("matched", fact("/right"), text) for text in ("12.5", "12", "13")]
    assert score([*matched(17), *shown, *slips(1)], ()) == Fraction(19, 20)


def test_exempt_numbers_do_not_count() -> None:
    assert score([*matched(18), *slips(1), number("exempt"), number("exempt")], ()) == 0
    assert score([number("exempt")], ()) == 0


def test_the_share_of_required_groups_multiplies() -> None:
    verdicts = [number("matched", fact("/cost", "cost")), number("matched", fact("/tax", "tax"))]
    assert score(verdicts, ("cost", "tax")) == 1
    assert score(verdicts, ("cost", "tax", "drift")) == Fraction(2, 3)
    assert missing(verdicts, ("cost", "tax", "drift")) == ("drift",)


def test_a_group_cited_only_by_a_slip_is_not_covered() -> None:
    verdicts = [*matched(19), number("mismatch", fact("/cost", "cost"))]
    assert missing(verdicts, ("cost",)) == ("cost",)
    assert score([*verdicts, number("matched", fact("/cost", "cost"))], ("cost",)) == Fraction(
        19, 20
    )


def test_a_hidden_number_must_match_and_earns_nothing() -> None:
    shown, hidden = matched(20), number("matched", fact("/cost", "cost"), hidden=True)
    assert score([*shown, hidden], ()) == 1
    assert missing([*shown, hidden], ("cost",)) == ("cost",)
    assert score([hidden], ()) == 0
    assert score([*shown, number("mismatch", fact("/cost"), hidden=True)], ()) == 0
    assert score([*shown, number("fabricated", hidden=True)], ()) == 0
    assert score([*shown, number("exempt", hidden=True)], ()) == 1
