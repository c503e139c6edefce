"""Text → quantities, one row a form. ``value unit`` are the right answers, written out by hand."""

from __future__ import annotations

from decimal import Decimal

import pytest

from pae_verifiers.numbers import markdown, scanner
from pae_verifiers.numbers.model import EXEMPT_KINDS, Quantity


def scanned(text: str) -> tuple[Quantity, ...]:
    return scanner.scan(markdown.render(text)).quantities


def stated(text: str) -> list[tuple[str, Decimal, str | None]]:
    """(text, value, unit) of what is not exempt."""
    return [(q.text, q.value, q.unit) for q in scanned(text) if q.kind not in EXEMPT_KINDS]


def one(text: str) -> Quantity:
    (quantity,) = (q for q in scanned(text) if q.kind not in EXEMPT_KINDS)
    return quantity


MONEY = [
    ("We paid $1,234.56 in all.", "$1,234.56", "1234.56", "USD"),
    ("We paid $1,234,567.89 in all.", "$1,234,567.89", "1234567.89", "USD"),
    ("We paid $ 94,000 in all.", "$ 94,000", "94000", "USD"),
    ("A cost of US$500.", "US$500", "500", "USD"),
    ("A cost of HK$10.05 billion.", "HK$10.05 billion", "10050000000", "HKD"),
    ("A cost of NT$3,000.", "NT$3,000", "3000", "TWD"),
    ("A cost of C$16.4 million.", "C$16.4 million", "16400000", "CAD"),
    ("A cost of A$5.", "A$5", "5", "AUD"),
    ("A cost of £60,000.", "£60,000", "60000", "GBP"),
    ("A cost of €1.", "€1", "1", "EUR"),
    ("A cost of ¥3,094.", "¥3,094", "3094", "JPY"),
    ("A cost of CHF 1'234.56.", "CHF 1'234.56", "1234.56", "CHF"),
    ("A cost of CHF 1’234.56.", "CHF 1’234.56", "1234.56", "CHF"),
    ("A cost of 1\u00a0234\u00a0567,89 EUR.", "1\u00a0234\u00a0567,89 EUR", "1234567.89", "EUR"),
    ("A cost of 1\u2009234\u2009567,89 EUR.", "1\u2009234\u2009567,89 EUR", "1234567.89", "EUR"),
    ("A cost of 1.234.567,89 EUR.", "1.234.567,89 EUR", "1234567.89", "EUR"),
    ("A cost of ₹5 crore.", "₹5 crore", "50000000", "INR"),
    ("A cost of 12,34,567.89 rupees.", "12,34,567.89 rupees", "1234567.89", "INR"),
    ("A cost of 35 lakh rupees.", "35 lakh rupees", "3500000", "INR"),
    ("A cost of USD 22.5 million.", "USD 22.5 million", "22500000", "USD"),
    ("A cost of USD115.5 today.", "USD115.5", "115.5", "USD"),
    ("A cost of 115.5 USD today.", "115.5 USD", "115.5", "USD"),
    ("A cost of 75 USD million today.", "75 USD million", "75000000", "USD"),
    ("A cost of 120 MEUR today.", "120 MEUR", "120000000", "EUR"),
    ("A cost of 125 million Australian dollars.", "125 million Australian dollars", "125000000",
     "AUD"),
    ("A cost of 10,000 Swiss francs.", "10,000 Swiss francs", "10000", "CHF"),
    ("A cost of 5 dollars.", "5 dollars", "5", "USD"),
    ("A cost of 50 cents.", "50 cents", "0.50", "USD"),
    ("A cost of $4.5m.", "$4.5m", "4500000", "USD"),
    ("A cost of $4.5mn.", "$4.5mn", "4500000", "USD"),
    ("A cost of $4.5mm.", "$4.5mm", "4500000", "USD"),
    ("A cost of $4.5bn.", "$4.5bn", "4500000000", "USD"),
    ("A cost of $4.5 bn.", "$4.5 bn", "4500000000", "USD"),
    ("A cost of $12k.", "$12k", "12000", "USD"),
    ("A cost of $12 thousand.", "$12 thousand", "12000", "USD"),
    ("A cost of $1.2 trillion.", "$1.2 trillion", "1200000000000", "USD"),
    ("A cost of five million yen.", "five million yen", "5000000", "JPY"),
    ("成本為HK$3.5億。", "HK$3.5億", "350000000", "HKD"),
    ("成本为1000万元。", "1000万元", "10000000", "CNY"),
    ("兑换１．０７５３美元。", "１．０７５３美元", "1.0753", "USD"),
    ("A cost of half a million dollars.", "half a million dollars", "500000", "USD"),
]  # fmt: skip

RATES = [
    ("It is 12.5% now.", "12.5%", "12.5", "percent"),
    ("It is 12.5 % now.", "12.5 %", "12.5", "percent"),
    ("It is 12.5 percent now.", "12.5 percent", "12.5", "percent"),
    ("It is 12.5 per cent now.", "12.5 per cent", "12.5", "percent"),
    ("It is 12.5pct now.", "12.5pct", "12.5", "percent"),
    ("It is 12,5 % now.", "12,5 %", "12.5", "percent"),
    ("It is .5% now.", ".5%", "0.5", "percent"),
    ("It is 12.5\\% now.", "12.5\\%", "12.5", "percent"),
    ("It is $12.5\\%$ now.", "12.5\\%", "12.5", "percent"),
    ("It is 1½% now.", "1½%", "1.5", "percent"),
    ("It is ½% now.", "½%", "0.5", "percent"),
    ("It is 1 1/2% now.", "1 1/2%", "1.5", "percent"),
    ("It is 5% p.a. now.", "5%", "5", "percent"),
    ("It is 35 bps now.", "35 bps", "35", "bps"),
    ("It is 35bp now.", "35bp", "35", "bps"),
    ("It is 35 basis points now.", "35 basis points", "35", "bps"),
    ("A 25-basis-point fee.", "25-basis-point", "25", "bps"),
    ("It is 2.5pp off.", "2.5pp", "2.5", "pp"),
    ("It is 2.5 percentage points off.", "2.5 percentage points", "2.5", "pp"),
    ("A 2.5-percentage-point gap.", "2.5-percentage-point", "2.5", "pp"),
    ("It is 2.5 points off.", "2.5 points", "2.5", "pp"),
    ("It is 2.5 ppt off.", "2.5 ppt", "2.5", "pp"),
    ("It is 2.5 %-points off.", "2.5 %-points", "2.5", "pp"),
    ("The 15% long-term rate.", "15%", "15", "percent"),
    ("It is twelve point five percent.", "twelve point five percent", "12.5", "percent"),
    ("It is twenty-five basis points.", "twenty-five basis points", "25", "bps"),
    ("It is one hundred and five bps.", "one hundred and five bps", "105", "bps"),
    ("It is two and a half percent.", "two and a half percent", "2.5", "percent"),
    ("It is half a percentage point.", "half a percentage point", "0.5", "pp"),
    ("It is a quarter of a percent.", "a quarter of a percent", "0.25", "percent"),
]

OTHER_UNITS = [
    ("We hold 1,200 shares.", "1,200 shares", "1200", "share"),
    ("We sold 450 shares of ABC.", "450 shares", "450", "share"),
    ("We sold 450 ABC shares.", "450 ABC shares", "450", "share"),
    ("Buy 3,400 × BND.", "3,400", "3400", None),
    ("We sold 3.5 million shares.", "3.5 million shares", "3500000", "share"),
    ("It took 30 days.", "30 days", "30", "day"),
    ("It took 5 trading days.", "5 trading days", "5", "day"),
    ("It took two weeks.", "two weeks", "2", "week"),
    ("It took 12 months.", "12 months", "12", "month"),
    ("It took 5 years.", "5 years", "5", "year"),
    ("It is 1.2x now.", "1.2x", "1.2", "multiple"),
    ("It is 1.2× now.", "1.2×", "1.2", "multiple"),
    ("It is 9.5 times earnings.", "9.5 times", "9.5", "multiple"),
    ("A Sharpe ratio of 0.85.", "0.85", "0.85", "ratio"),
    ("It rose in nineteen months out of twenty.", "nineteen months out of twenty", "0.95",
     "ratio"),
    ("It rose in 3 in 4 cases.", "3 in 4", "0.75", "ratio"),
    ("There were three reasons.", "three", "3", None),
    ("There were 17 trades.", "17", "17", None),
    ("Costs of 12,34,567 in all.", "12,34,567", "1234567", None),
    ("A value of 1.2e-3 here.", "1.2e-3", "0.0012", "ratio"),
    ("More than half of it.", "half", "0.5", "ratio"),
    ("A quarter of it.", "A quarter", "0.25", "ratio"),
    ("Three quarters of it.", "Three quarters", "0.75", "ratio"),
    ("One half of it.", "One half", "0.5", "ratio"),
    ("It is ¾ of it.", "¾", "0.75", "ratio"),
    ("It has 4.5m clients.", "4.5m", "4500000", None),
    ("Twenty-one sleeves.", "Twenty-one", "21", None),
    ("A hundred trades.", "A hundred", "100", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "shown", "value", "unit"), [*MONEY, *RATES, *OTHER_UNITS])
def test_form(text: str, shown: str, value: str, unit: str | None) -> None:
    assert stated(text) == [(shown, Decimal(value), unit)]


def test_thirds_are_thirds() -> None:
    assert abs(one("One-third of it.").value - Decimal(1) / 3) < Decimal("1e-20")
    assert abs(one("Two-thirds of it.").value - Decimal(2) / 3) < Decimal("1e-20")


SEVERAL = [
    ("from 24.1% to 20.0%", [("24.1%", "24.1", "percent"), ("20.0%", "20.0", "percent")]),
    ("between 18% and 22%", [("18%", "18", "percent"), ("22%", "22", "percent")]),
    ("between 18 and 22%", [("18", "18", "percent"), ("22%", "22", "percent")]),
    ("a band of 5–7%", [("5", "5", "percent"), ("7%", "7", "percent")]),
    ("a band of 20%-25%", [("20%", "20", "percent"), ("25%", "25", "percent")]),
    ("a band of 5-7 bps", [("5", "5", "bps"), ("7 bps", "7", "bps")]),
    ("a move of 60 → 2 bps", [("60", "60", "bps"), ("2 bps", "2", "bps")]),
    ("sales of $4.8–5.1 billion",
     [("$4.8", "4800000000", "USD"), ("5.1 billion", "5100000000", "USD")]),
    ("between $1.2 and $1.4 million",
     [("$1.2", "1200000", "USD"), ("$1.4 million", "1400000", "USD")]),
    ("from $500 to $1.2 million", [("$500", "500", "USD"), ("$1.2 million", "1200000", "USD")]),
    ("from 12.1 to 9.8%", [("12.1", "12.1", "percent"), ("9.8%", "9.8", "percent")]),
    ("weights of 12.1, 9.8 and 7.5 percent",
     [("12.1", "12.1", "percent"), ("9.8", "9.8", "percent"), ("7.5 percent", "7.5", "percent")]),
    ("a Sharpe ratio of 0.45 and 5.2% volatility",
     [("0.45", "0.45", "ratio"), ("5.2%", "5.2", "percent")]),
    ("10 rmb 20 usd", [("10 rmb", "10", "CNY"), ("20 usd", "20", "USD")]),
    ("$20,000.00 $37,305.97", [("$20,000.00", "20000", "USD"), ("$37,305.97", "37305.97", "USD")]),
    ("a cost of $4,821 (0.12%)", [("$4,821", "4821", "USD"), ("0.12%", "0.12", "percent")]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), SEVERAL)
def test_several_numbers(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert stated(text) == [(shown, Decimal(value), unit) for shown, value, unit in expected]


SIGNS = [
    ("It was -0.4% then.", "-0.4%", "-0.4", False),
    ("It was −0.4% then.", "−0.4%", "-0.4", False),
    ("It was －0.4% then.", "－0.4%", "-0.4", False),
    ("It was ﹣0.4% then.", "﹣0.4%", "-0.4", False),
    ("It was –0.4% then.", "–0.4%", "-0.4", False),
    ("It was − 0.4% then.", "− 0.4%", "-0.4", False),
    ("It was -$500 then.", "-$500", "-500", False),
    ("It was $-500 then.", "$-500", "-500", False),
    ("It was +0.4% then.", "+0.4%", "0.4", False),
    ("It was (0.4%) then.", "(0.4%)", "-0.4", False),
    ("It was (0.4)% then.", "(0.4)%", "-0.4", False),
    ("It was (1,234) then.", "(1,234)", "-1234", False),
    ("It was ($1,234) then.", "($1,234)", "-1234", False),
    ("It was $(1,234) then.", "$(1,234)", "-1234", False),
    ("US shares (24.1%) rose.", "24.1%", "24.1", False),
    ("It was minus 0.4% then.", "minus 0.4%", "-0.4", True),
    ("It was negative 0.4% then.", "negative 0.4%", "-0.4", True),
    ("It fell by 1.2%.", "1.2%", "-1.2", True),
    ("It fell 1.2%.", "1.2%", "-1.2", True),
    ("It was down 1.2%.", "1.2%", "-1.2", True),
    ("It lost $500.", "$500", "-500", True),
    ("Losses of $500.", "$500", "-500", True),
    ("We cut it by 2.1 points.", "2.1 points", "-2.1", True),
    ("We lowered the weight of US shares by 2.1 points.", "2.1 points", "-2.1", True),
    ("A reduction of 2.1 points.", "2.1 points", "-2.1", True),
    ("It contracted 1.2%.", "1.2%", "-1.2", True),
    ("It fell by more than 1.2%.", "1.2%", "-1.2", True),
    ("It was 2.1 points below target.", "2.1 points", "-2.1", True),
    ("It was 2.1 points under target.", "2.1 points", "-2.1", True),
    ("It was 2.1 points short of target.", "2.1 points", "-2.1", True),
    ("It was 2.1 points underweight.", "2.1 points", "-2.1", True),
    ("Underweight by 2.1 points.", "2.1 points", "-2.1", True),
    ("It was 2.1 points above target.", "2.1 points", "2.1", False),
    ("It is 2.1 points below its upper limit.", "2.1 points", "2.1", False),
    ("It is 2.1 points below its lower limit.", "2.1 points", "-2.1", True),
    ("We hold $5 million under management.", "$5 million", "5000000", False),
    ("A gain of $3,000 short term.", "$3,000", "3000", False),
    ("A 5% lower bound.", "5%", "5", False),
    ("A 1% fall in prices.", "1%", "-1", True),
    ("It fell to 20.0%.", "20.0%", "20.0", False),
    ("It is down from 24.1%.", "24.1%", "24.1", False),
    ("It drops below 18%.", "18%", "18", False),
    ("It slipped more than half of the way.", "half", "0.5", False),
    ("- 5% in cash", "5%", "5", False),
    ("We sold 450 shares.", "450 shares", "450", False),
]


@pytest.mark.parametrize(("text", "shown", "value", "from_word"), SIGNS)
def test_sign(text: str, shown: str, value: str, from_word: bool) -> None:
    quantity = one(text)
    assert (quantity.text, quantity.value, quantity.sign_from_word) == (
        shown,
        Decimal(value),
        from_word,
    )


def test_levels_of_a_fall_stay_positive() -> None:
    assert [q.value for q in scanned("It fell from 7% to 6%.")] == [Decimal(7), Decimal(6)]


BOUNDS = [
    ("below 50%", "<"),
    ("under 50%", "<"),
    ("less than 50%", "<"),
    ("fewer than 50 trades", "<"),
    ("<50%", "<"),
    ("no more than 50%", "<="),
    ("at most 50%", "<="),
    ("up to 50%", "<="),
    ("not above 50%", "<="),
    ("must not exceed 50%", "<="),
    ("shouldn't exceed 50%", "<="),
    ("≤ 50%", "<="),
    ("50% or less", "<="),
    ("above 50%", ">"),
    ("over 50%", ">"),
    ("more than 50%", ">"),
    ("exceeds 50%", ">"),
    ("more than half", ">"),
    (">50%", ">"),
    ("at least 50%", ">="),
    ("no less than 50%", ">="),
    ("≥50%", ">="),
    ("50% or more", ">="),
    ("about 50%", "~"),
    ("around 50%", "~"),
    ("roughly $12,000", "~"),
    ("some 50%", "~"),
    ("nearly 50%", "~"),
    ("almost 50%", "~"),
    ("just over 50%", "~"),
    ("just under 50%", "~"),
    ("approximately 50%", "~"),
    ("approx. 50%", "~"),
    ("~50%", "~"),
    ("≈ 50%", "~"),
    ("±5 percentage points", "+-"),
    ("± 0.5%", "+-"),
    ("+/- 0.5%", "+-"),
    ("plus or minus 0.5%", "+-"),
    ("exactly 50%", None),
    ("over 12 months", None),
]


@pytest.mark.parametrize(("text", "bound"), BOUNDS)
def test_bound(text: str, bound: str | None) -> None:
    assert one(f"It is {text}.").bound == bound


def test_level_after_a_distance_has_no_bound() -> None:
    assert [q.bound for q in scanned("It is 2 points below 50%.")] == [None, None]


EXEMPT = [
    ("on 2026-11-30", "2026-11-30", "date"),
    ("on 30 November 2026", "30 November 2026", "date"),
    ("on November 30, 2026", "November 30, 2026", "date"),
    ("on Nov. 30", "Nov. 30", "date"),
    ("on 30 November", "30 November", "date"),
    ("on 30/11/2026", "30/11/2026", "date"),
    ("in November 2026", "November 2026", "date"),
    ("in Q3 2026", "Q3 2026", "date"),
    ("in 3Q26", "3Q26", "date"),
    ("in FY25", "FY25", "date"),
    ("in H1 2026", "H1 2026", "date"),
    ("in fiscal 2026", "fiscal 2026", "date"),
    ("in 2026", "2026", "date"),
    ("in 2025/26", "2025/26", "date"),
    ("in the third quarter", "third quarter", "date"),
    ("in the second half of 2026", "second half of 2026", "date"),
    ("at 10:30 am", "10:30 am", "date"),
    ("at 4 pm", "4 pm", "date"),
    ("the 1st trade", "1st", "ordinal"),
    ("the 95th percentile", "95th percentile", "ordinal"),
    ("the S&P 500", "S&P 500", "label"),
    ("the Russell 2000", "Russell 2000", "label"),
    ("a 60/40 mix", "60/40", "label"),
    ("a 10-year bond", "10-year", "label"),
    ("a 10-day horizon", "10-day", "label"),
    ("a ten-year bond", "ten-year", "label"),
    ("the 95% VaR", "95% VaR", "label"),
    ("the VaR 99%", "VaR 99%", "label"),
    ("at 95% confidence", "95% confidence", "label"),
    ("see Table 2", "Table 2", "label"),
    ("see Figure 3", "Figure 3", "label"),
    ("see page 4", "page 4", "label"),
    ("see Section 5.2", "Section 5.2", "label"),
    ("see [3]", "[3]", "label"),
    ("see [^3]", "[^3]", "label"),
    ("with v1.2.3", "v1.2.3", "label"),
    ("lot TZLC-3", "TZLC-3", "label"),
    ("settles T+2", "T+2", "label"),
    ("a form 10-K", "10-K", "label"),
    ("the ISIN US0378331005", "US0378331005", "label"),
    ("call +1 212 555 0100", "+1 212 555 0100", "label"),
    ("call (212) 555-0100", "(212) 555-0100", "label"),
    ("see https://a.org/x?p=30%25", "https://a.org/x?p=30%25", "label"),
    ("write to a.b12@c3.org", "a.b12@c3.org", "label"),
    ("a 401(k) plan", "401(k)", "label"),
]


@pytest.mark.parametrize(("text", "shown", "kind"), EXEMPT)
def test_exempt(text: str, shown: str, kind: str) -> None:
    (quantity,) = scanned(f"We looked at it {text} then")
    assert (quantity.text, quantity.kind) == (shown, kind)


def test_label_that_carries_a_unit_says_so() -> None:
    (label,) = scanned("Look at the 99.5% VaR.")
    assert (label.value, label.unit) == (Decimal("99.5"), "percent")


@pytest.mark.parametrize("text", ["1. Costs fell", "2) Costs fell", "3\\. Costs fell"])
def test_list_marker(text: str) -> None:
    (marker,) = scanned(text)
    assert marker.kind == "list_marker"


@pytest.mark.parametrize("text", ["## 2. Costs", "## 2.1 Costs", "## 2 Costs"])
def test_heading_number_is_a_label(text: str) -> None:
    (number,) = scanned(text)
    assert number.kind == "label"


@pytest.mark.parametrize(
    "text",
    [
        "One of them moved.",
        "No one moved.",
        "It is a half-year report.",
        "The last quarter was good.",
        "The data is in a table.",
        "Only a small percent moved.",
        "Points to note.",
    ],
)
def test_no_number(text: str) -> None:
    assert scanned(text) == ()


DISGUISED = [
    ("It is 1**2**.5% now.", "1**2**.5%", "12.5"),
    ("It is １２．５％ now.", "１２．５％", "12.5"),
    ("It is 𝟏𝟐.5% now.", "𝟏𝟐.5%", "12.5"),
    ("It is ¹²·⁵% now.", "¹²·⁵%", "12.5"),
    ("It is &#49;2.5% now.", "&#49;2.5%", "12.5"),
    ("It is 1\u200b2.5% now.", "1\u200b2.5%", "12.5"),
    ("It is 1O.5% now.", "1O.5%", "10.5"),
    ("It is l2.5% now.", "l2.5%", "12.5"),
    ("It is 12·5% now.", "12·5%", "12.5"),
    ("It is ١٢٫٥٪ now.", "١٢٫٥٪", "12.5"),
]


@pytest.mark.parametrize(("text", "shown", "value"), DISGUISED)
def test_disguised_digits_are_read_and_flagged(text: str, shown: str, value: str) -> None:
    quantity = one(text)
    assert (quantity.text, quantity.value, quantity.unit) == (shown, Decimal(value), "percent")
    assert quantity.lookalike


@pytest.mark.parametrize(
    "text", ["**12.5%**", "**12.5**%", "−12.5%", "1\u00a0234 EUR", "[12.5%](x)"]
)
def test_ordinary_markup_is_no_disguise(text: str) -> None:
    assert not one(f"It is {text} now.").lookalike


def test_footnote_mark_is_not_a_digit() -> None:
    assert stated("It is 12%¹ now.") == [("12%", Decimal(12), "percent")]


QUANTA = [
    ("12.5%", "0.1"),
    ("12%", "1"),
    ("20.0%", "0.1"),
    ("$1,234.56", "0.01"),
    ("$4.5bn", "100000000"),
    ("$12 thousand", "1000"),
    ("35 bps", "1"),
    ("more than half", "0.1"),
    ("three reasons", "1"),
    ("twelve point five percent", "0.1"),
]


@pytest.mark.parametrize(("text", "quantum"), QUANTA)
def test_quantum_is_the_last_digit_shown(text: str, quantum: str) -> None:
    assert one(text).quantum == Decimal(quantum)


def test_scale_is_kept_beside_the_value() -> None:
    assert one("$4.5m").scale == Decimal(1000000)


def test_per_annum_is_tagged() -> None:
    assert one("5% p.a. on it").per_annum
    assert not one("5% on it").per_annum


TABLES = [
    ("Cost (USD)", "1,234.50", "1234.50", "USD"),
    ("Weight, %", "24.1", "24.1", "percent"),
    ("Weight (%)", "24.1", "24.1", "percent"),
    ("$ thousand", "12", "12000", "USD"),
    ("Value ($m)", "4.5", "4500000", "USD"),
    ("Value (USD millions)", "4.5", "4500000", "USD"),
    ("Value ($000)", "12", "12000", "USD"),
    ("Value ($000)", "$12", "12000", "USD"),
    ("Drift (pp)", "-2.1", "-2.1", "pp"),
    ("Drift (percentage points)", "(2.1)", "-2.1", "pp"),
    ("Drift, %-point", "2.1", "2.1", "pp"),
    ("Cost (bps)", "1.6", "1.6", "bps"),
    ("Shares", "1,200", "1200", "share"),
    ("Holding (days)", "30", "30", "day"),
    ("VaR 95% (USD)", "1,200", "1200", "USD"),
    ("% of portfolio", "24.1", "24.1", "percent"),
    ("Weight", "24.1", "24.1", "ratio"),
    ("Weight (%)", "$24.10", "24.10", "USD"),
    ("Cost ($) or bps", "24", "24", None),
]


@pytest.mark.parametrize(("header", "cell", "value", "unit"), TABLES)
def test_cell_takes_unit_and_scale_from_its_column(
    header: str, cell: str, value: str, unit: str | None
) -> None:
    text = f"| Sleeve | {header} |\n|---|---|\n| Bonds | {cell} |\n"
    quantity = scanned(text)[-1]
    assert (quantity.value, quantity.unit) == (Decimal(value), unit)


def test_cell_takes_unit_from_its_row_where_the_column_has_none() -> None:
    rows = "| | Before | After |\n|---|---|---|\n| Volatility, % | 10.5 | 9.8 |\n"
    assert stated(rows) == [
        ("10.5", Decimal("10.5"), "percent"),
        ("9.8", Decimal("9.8"), "percent"),
    ]


@pytest.mark.parametrize(
    "markup",
    ["`12.5%`", "![12.5%](a.png)", "~~12.5%~~", "[12.5%](a.html)", "*12.5%*", "<b>12.5%</b>"],
)
def test_what_a_reader_sees_is_read(markup: str) -> None:
    assert [q.value for q in scanned(f"It is {markup} now.")] == [Decimal("12.5")]


def test_footnote_is_read() -> None:
    assert (("12.5%", Decimal("12.5"), "percent")) in stated("So.[^1]\n\n[^1]: It is 12.5% now.")


@pytest.mark.parametrize(
    "markup",
    [
        "<!-- 12.5% -->",
        '[a](b "12.5%")',
        '![](b "12.5%")',
        '<span title="12.5%">a</span>',
        "<span hidden>12.5%</span>",
        '<span style="display: none">12.5%</span>',
    ],
)
def test_what_no_reader_sees_is_reported_as_hidden(markup: str) -> None:
    source = f"It is {markup} now."
    result = scanner.scan(markdown.render(source))
    assert result.quantities == ()
    (hidden,) = result.hidden
    assert (hidden.value, hidden.unit) == (Decimal("12.5"), "percent")
    assert source[hidden.start : hidden.end] == "12.5%"


def test_title_in_a_link_definition_is_hidden() -> None:
    result = scanner.scan(markdown.render('See [a].\n\n[a]: b "12.5%"\n'))
    assert result.quantities == ()
    assert [q.value for q in result.hidden] == [Decimal("12.5")]


@pytest.mark.parametrize(
    "text", ["double-digit", "mid-teens", "halved", "a handful", "high single-digit", "doubled"]
)
def test_vague_amounts_are_listed(text: str) -> None:
    (vague,) = scanner.scan(markdown.render(f"It saw {text} growth.")).vague
    assert vague.text == text


def test_offsets_count_code_points_of_the_source() -> None:
    source = "# 𝐀\r\n\r\nCosts &amp; taxes: **$1,234.56** or 5&nbsp;%."
    for quantity in scanned(source):
        assert source[quantity.start : quantity.end] == quantity.text
    assert [q.text for q in scanned(source)] == ["$1,234.56", "5&nbsp;%"]


@pytest.mark.parametrize("text", ["1" * 100_000, "1," * 5_000, "0." + "1" * 100_000, "1e99 2e-99"])
def test_more_digits_than_anyone_reads_do_no_harm(text: str) -> None:
    for quantity in scanned(text):
        assert abs(quantity.value) <= Decimal("1e41")
        assert quantity.quantum >= Decimal("1e-41")
