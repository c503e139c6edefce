"""Texts that other scanners of numbers are known to misread, each with what it says."""

from __future__ import annotations

from decimal import Decimal

import pytest

from pae_verifiers.numbers import markdown, scanner
from pae_verifiers.numbers.model import EXEMPT_KINDS, Quantity

Row = tuple[str, str | None]

TEXTS: list[tuple[str, list[Row]]] = [
    ("(1,234)", [("-1234", None)]),
    ("18 to 25 percent", [("18", "percent"), ("25", "percent")]),
    ("80 per cent", [("80", "percent")]),
    ("Der Anteil beträgt 589,2 EUR", [("589.2", "EUR")]),
    ("1.234.567,89 EUR und 589,2 EUR", [("1234567.89", "EUR"), ("589.2", "EUR")]),
    ("$13 009 million", [("13009000000", "USD")]),
    ("EUR 1.2k", [("1200", "EUR")]),
    ("negative $71.5 million or -$23", [("-71500000", "USD"), ("-23", "USD")]),
    ("15-20 usd", [("15", "USD"), ("20", "USD")]),
    ("$1MM", [("1000000", "USD")]),
    ("US$4.7 billion company[3]", [("4700000000", "USD")]),
    ("9-7 lakh rupees", [("900000", "INR"), ("700000", "INR")]),
    ("-$100,000.00", [("-100000.00", "USD")]),
    ("1,234,567.890", [("1234567.890", "ratio")]),
    ("2 pairs from $349", [("2", None), ("349", "USD")]),
    ("minus two point five", [("-2.5", "ratio")]),
    ("壹佰壹拾万贰仟陆佰壹拾肆元陆角", [("1102614.6", "CNY")]),
]


def quantities(text: str) -> list[Quantity]:
    return list(scanner.scan(markdown.render(text)).quantities)


@pytest.mark.parametrize("sentence", ["{}", "It was {} then.", "> - It was **{}**\n"])
@pytest.mark.parametrize(("text", "expected"), TEXTS)
def test_is_read_right(text: str, expected: list[Row], sentence: str) -> None:
    stated = [q for q in quantities(sentence.format(text)) if q.kind not in EXEMPT_KINDS]
    assert [(q.value, q.unit) for q in stated] == [(Decimal(v), unit) for v, unit in expected]


def test_a_citation_is_no_number() -> None:
    citation = quantities("US$4.7 billion company[3]")[-1]
    assert (citation.text, citation.kind) == ("[3]", "label")
