"""Numbers that a writer might show to a reader and hope to hide from a scanner, one row a trick."""

from __future__ import annotations

from decimal import Decimal

import pytest

from pae_verifiers.numbers import markdown, scanner
from pae_verifiers.numbers.model import EXEMPT_KINDS, Quantity

Row = tuple[str, str | None]


def claims(text: str) -> list[Quantity]:
    """The quantities that are held against the facts."""
    found = scanner.scan(markdown.render(text)).quantities
    return [quantity for quantity in found if quantity.kind not in EXEMPT_KINDS]


def kinds(text: str) -> list[str]:
    return [quantity.kind for quantity in scanner.scan(markdown.render(text)).quantities]


ONE = [
    # words
    ("two dozen trades", "24", None),
    ("2 dozen trades", "24", None),
    ("half a dozen trades", "6", None),
    ("two-and-a-half percent", "2.5", "percent"),
    ("twelve-point-five percent", "12.5", "percent"),
    ("twentyfive percent", "25", "percent"),
    ("fourty percent", "40", "percent"),
    ("a hundred and twenty thousand dollars", "120000", "USD"),
    ("half a million dollars", "500000", "USD"),
    ("hundred percent", "100", "percent"),
    ("half percent", "0.5", "percent"),
    ("a quarter percent", "0.25", "percent"),
    ("by a percentage point", "1", "pp"),
    ("a full percent", "1", "percent"),
    ("five grand", "5000", None),
    ("5 k dollars", "5000", "USD"),
    ("5 mil dollars", "5000000", "USD"),
    ("15 dollars 50 cents", "15.50", "USD"),
    ("15 dollars and 50 cents", "15.50", "USD"),
    # parts
    ("an eighth of it", "0.125", "ratio"),
    ("a 20th of it", "0.05", "ratio"),
    ("1/20th of it", "0.05", "ratio"),
    ("3/4ths of it", "0.75", "ratio"),
    ("12 hundredths of it", "0.12", "ratio"),
    ("a three-quarter share", "0.75", "ratio"),
    ("1 in 5", "0.2", "ratio"),
    ("1-in-5", "0.2", "ratio"),
    ("one in five", "0.2", "ratio"),
    ("one out of five", "0.2", "ratio"),
    ("one month in twenty", "0.05", "ratio"),
    ("1 in 20 times", "0.05", "ratio"),
    ("one in twenty months", "0.05", "ratio"),
    ("3:1", "3", "multiple"),
    ("1:4", "0.25", "ratio"),
    ("a ratio of 12:48", "0.25", "ratio"),
    ("two-to-one", "2", "multiple"),
    ("2-to-1", "2", "multiple"),
    ("a ratio of two to one", "2", "multiple"),
    ("by a factor of 3", "3", "multiple"),
    ("3-fold", "3", "multiple"),
    ("12X", "12", "multiple"),
    ("cut by a third this year", "0.333333", "ratio"),
    ("up by a percent then", "1", "percent"),
    ("9 of every 100", "0.09", "ratio"),
    ("9 per 100", "0.09", "ratio"),
    ("9 parts in 100", "0.09", "ratio"),
    # percent, oddly spelled
    ("9 (percent)", "9", "percent"),
    ("9 (%)", "9", "percent"),
    ("9.%", "9", "percent"),
    ("9 full percent", "9", "percent"),
    ("9 more basis points", "9", "bps"),
    ("nine-odd percent", "9", "percent"),
    ("in percent: 9", "9", "percent"),
    ("%9", "9", "percent"),
    ("a return (in %) of 9", "9", "percent"),
    ("9 more dollars", "9", "USD"),
    ("9'5%", "9.5", "percent"),
    ("9 000 USD", "9000", "USD"),
    ("USD 9 500", "9500", "USD"),
    ("9 012 in all", "9012", None),
    ("12 per-cent", "12", "percent"),
    ("12 per  cents", "12", "percent"),
    ("12 per centum", "12", "percent"),
    ("12 p.c.", "12", "percent"),
    ("12 pc", "12", "percent"),
    ("12 prcnt", "12", "percent"),
    ("12 o/o", "12", "percent"),
    ("12 per hundred", "12", "percent"),
    ("12 &percnt;", "12", "percent"),
    ("12 p\u0435rcent", "12", "percent"),  # a Cyrillic e
    ("5‰", "0.5", "percent"),
    ("5 per mille", "0.5", "percent"),
    ("5‱", "5", "bps"),
    ("12%of it", "12", "percent"),
    ("(12) percent", "-12", "percent"),
    # numerals of other kinds
    ("XII%", "12", "percent"),
    ("XIV percent", "14", "percent"),
    ("Ⅻ%", "12", "percent"),
    ("⑫%", "12", "percent"),
    ("⒓%", "12", "percent"),
    ("①②%", "12", "percent"),
    ("❶❷%", "12", "percent"),
    ("1️⃣2️⃣%", "12", "percent"),
    ("🔟%", "10", "percent"),
    ("₁₂%", "12", "percent"),
    ("१२%", "12", "percent"),
    ("百分之十二", "12", "percent"),
    ("十二個百分點", "12", "pp"),
    ("三萬五千港元", "35000", "HKD"),
    ("十二亿美元", "1200000000", "USD"),
    # split by markup and by what takes no room
    ("1<b>2</b>.5%", "12.5", "percent"),
    ("1<!-- x -->2.5%", "12.5", "percent"),
    ("[1](a)2.5%", "12.5", "percent"),
    ("1![2](a.png).5%", "12.5", "percent"),
    ("1\u00ad2.5%", "12.5", "percent"),
    ("1\u202e2.5%", "12.5", "percent"),
    ("1\u200a2.5%", "12.5", "percent"),
    ("1\u0007" + "2.5%", "12.5", "percent"),
    ("1\u03012.5%", "12.5", "percent"),
    ("1\u20d22\u20d2.5%", "12.5", "percent"),
    ("12<sup>5</sup>%", "125", "percent"),
    ("10<sup>6</sup>", "1000000", None),
    ("cost:<sup>12</sup>%", "12", "percent"),
    ("cost¹² percent", "12", "percent"),
    ("$12\\\\%$", "12", "percent"),
    ("$12^{\\\\%}$", "12", "percent"),
    ("$\\mathbf{12}\\\\%$", "12", "percent"),
    ("$\\frac{1}{8}\\\\%$", "0.125", "percent"),
    ("1.2e3%", "1200", "percent"),
    # in the dress of something exempt
    ("Figure 12% growth", "12", "percent"),
    ("Figure 4500", "4500", None),
    ("Page 4,500", "4500", None),
    ("No. 4,500", "4500", None),
    ("Note 4500", "4500", None),
    ("Unit 4500 euros", "4500", "EUR"),
    ("Step 12 times", "12", "multiple"),
    ("v12.5%", "12.5", "percent"),
    ("#12%", "12", "percent"),
    ("[12%]", "12", "percent"),
    ("[4500]", "4500", None),
    ("12th percent", "12", "percent"),
    ("S&P 500%", "500", "percent"),
    ("S&P 4500", "4500", None),
    ("IFRS 12%", "12", "percent"),
    ("COVID-19%", "19", "percent"),
    ("24/76%", "0.315789", "percent"),
    ("Dec 12 USD", "12", "USD"),
    ("Dec 12x", "12", "multiple"),
    ("45 November", "45", None),
    ("by 2026 shares", "2026", "share"),
    ("cost4500", "4500", None),
    ("risk-45", "45", None),
    ("450dollars", "450", "USD"),
    ("2026%", "2026", "percent"),
]


@pytest.mark.parametrize(("text", "value", "unit"), ONE)
def test_is_read_as_a_reader_reads_it(text: str, value: str, unit: str | None) -> None:
    (found,) = claims(f"It was {text}")
    assert (round(found.value, 6), found.unit) == (Decimal(value), unit)


SEVERAL: list[tuple[str, list[Row]]] = [
    ("twenty thirty percent", [("20", None), ("30", "percent")]),
    ("Note 1: 5%", [("5", "percent")]),
    ("Q3 2026 12%", [("12", "percent")]),
    ("Section 5, 12%", [("12", "percent")]),
    ("Section 5 to 12 dollars", [("12", "USD")]),
    ("2025-26%", [("26", "percent")]),
    ("10:30%", [("10", None), ("30", "percent")]),
    ("5 percent of 10", [("5", "percent"), ("10", None)]),
    ("up 5% 12 times a year", [("5", "percent"), ("12", None)]),
    ("12 450 lots", [("12", None), ("450", None)]),
    ("from two to one", [("2", None)]),
    ("the three bond funds and $88 of the two share funds", [("3", None), ("88", "USD"),
     ("2", None)]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), SEVERAL)
def test_are_read_as_a_reader_reads_them(text: str, expected: list[Row]) -> None:
    assert [(str(found.value), found.unit) for found in claims(f"It was {text}")] == expected


@pytest.mark.parametrize("text", ["# 12% more", "## 12 More trades", "### 12 Percent of costs"])
def test_heading_that_begins_with_an_amount(text: str) -> None:
    assert [found.value for found in claims(text)] == [Decimal(12)]


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("A 12-share lot.", "12", "share"),
        ("A 450 share sale.", "450", "share"),
        ("One share.", "1", "share"),
        ("The two share funds.", "2", None),
        ("The two share classes.", "2", None),
        ("The two US share prices.", "2", None),
        ("Two share portfolios.", "2", None),
    ],
)
def test_share_before_a_noun_is_no_unit(text: str, value: str, unit: str | None) -> None:
    (found,) = claims(text)
    assert (found.value, found.unit) == (Decimal(value), unit)


@pytest.mark.parametrize(
    "text",
    [
        "the 3M Company",
        "the 12m volatility",
        "a 3m Treasury bill",
        "at 12:45",
        "call +1 212 555 0100",
        "on 12/11/2026",
        "the S&P 500 fell",
        "see [12]",
        "Table 3 shows",
        "lot-3 went",
        "in the second half",
    ],
)
def test_what_names_something_stays_exempt(text: str) -> None:
    assert claims(f"We saw {text} then.") == []
    assert kinds(f"We saw {text} then.") != []


@pytest.mark.parametrize(
    "text",
    ["a grand total", "scores well", "several hundred ways", "some 一些 words", "Section XII",
     "a double bed", "by a third party", "the Ⅻ Corps", "a half-year", "one-off",
     "all percentages"],
)  # fmt: skip
def test_words_that_are_no_amounts(text: str) -> None:
    assert claims(f"It is {text} here") == []


@pytest.mark.parametrize(
    "text",
    ["twice the cost", "thrice its cost", "double the cost", "tripled", "threefold", "tenfold",
     "every second dollar", "a score of trades", "twenty-fold"],
)  # fmt: skip
def test_multiples_in_words_are_vague(text: str) -> None:
    assert len(scanner.scan(markdown.render(f"It was {text}.")).vague) == 1


def test_footnote_mark_raised_by_markup_is_no_digit() -> None:
    assert [found.value for found in claims("It cost $4,821<sup>1</sup> in all.")] == [4821]


@pytest.mark.parametrize(
    ("lead_in", "unit"),
    [
        ("All amounts in US dollars.", "USD"),
        ("Weights, in percent:", "percent"),
        ("Changes in percentage points:", "pp"),
        ("Costs in bps:", "bps"),
        ("After the fall in prices:", None),
        ("What we hold:", None),
    ],
)
def test_table_and_list_take_a_unit_from_their_lead_in(lead_in: str, unit: str | None) -> None:
    table = f"{lead_in}\n\n| Sleeve | Now |\n|---|---|\n| Bonds | 9 |\n"
    items = f"{lead_in}\n\n- Bonds: 9\n"
    assert [found.unit for source in (table, items) for found in claims(source)] == [unit, unit]


def test_count_inside_a_list_item_takes_no_unit_from_the_lead_in() -> None:
    assert [found.unit for found in claims("Weights, in percent:\n\n- Bonds, 3 lots\n")] == [None]


def test_per_mille_column() -> None:
    (found,) = claims("| Sleeve | Cost (‰) |\n|---|---|\n| Bonds | 9 |\n")
    assert (found.value, found.unit) == (Decimal("0.9"), "percent")


HOSTILE = [
    "twenty " * 3_000, "a hundred and " * 2_000, "1:" * 4_000, "1\u0301" * 4_000, "十" * 8_000,
    "XI" * 4_000, "<sup>1" * 2_000, "\\frac{1}{" * 2_000, "1 in " * 3_000, "loss was " * 2_000,
    "fell 3% and " * 2_000, "fell 3%, bonds " * 2_000, "in percent " * 2_000, "+1 " * 4_000,
    "1/2th" * 3_000, "(1) " * 4_000, "one 1th " * 2_000, "ratio of " * 2_000, "①" * 8_000,
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_read_to_its_end(text: str) -> None:
    assert claims(f"{text}\n\nIt is 77.7% now")[-1].value == Decimal("77.7")


@pytest.mark.parametrize(
    "text", ["It fell by 31m7.7%.", "It fell 5x7.7%.", "It fell 1s7,7 %.", "It fell \x1b[31m7.7%."]
)
def test_a_name_takes_no_amount_along(text: str) -> None:
    """After an escape sequence a terminal shows a clean "7.7%"."""
    assert (Decimal("7.7"), "percent") in [(q.value, q.unit) for q in claims(text)]


@pytest.mark.parametrize("text", ["The fund 3a7 grew.", "See A1b2, C3d4.", "Under 5x7 rules."])
def test_a_name_with_two_numbers_is_a_name(text: str) -> None:
    assert set(kinds(text)) == {"label"}
