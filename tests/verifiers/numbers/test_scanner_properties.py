"""What holds for any text at all."""

from __future__ import annotations

from decimal import Decimal

from hypothesis import given, settings
from hypothesis import strategies as st

from pae_verifiers.numbers import markdown, plain, scanner
from pae_verifiers.numbers.model import Document

FRAGMENTS = [
    "12.5%", "$1,234.56", "−0.4%", "(0.4%)", "35 bps", "2.5 percentage points", "1,200 shares",
    "half", "one-third", "three", "below", "between", "and", "to", "–", "-", "from", "fell by",
    "2026-11-30", "30 November", "95% VaR", "S&P 500", "60/40", "Q3 2026", "[^1]", "[1]: ", "**",
    "*", "_", "`", "```\n", "\n", "\n\n", "\r\n", "# ", "- ", "1. ", "> ", "| ",
    "|\n|---|---|\n", "&#49;", "&amp;", "\\", "<!--", "-->", "<b>", "</b>", "<div hidden>", "![",
    "](", ")", "[", "]", '"', "~~", "<", ">", "½", "²", "１２", "𝟏", "\u200b", "\u00a0", "'", ".",
    ",", "0", "1", "9" * 30, "e5", "x", "m", "bn", "USD", "€", "億", "% ", "per cent", "minus ",
    "twelve point five percent", "3 in 4", "a", "\x00", "\ud800", "\t", "    ",
]  # fmt: skip

texts = st.one_of(
    st.text(max_size=60),
    st.lists(st.sampled_from(FRAGMENTS), max_size=30).map("".join),
    st.lists(st.sampled_from(FRAGMENTS), max_size=30).map(" ".join),
)


def check(document: Document) -> None:
    """The promises of Document and Scan."""
    size, length = len(document.source), len(document.text)
    assert len(document.offsets) == len(document.ends) == length
    assert all(
        0 <= start <= end <= size
        for start, end in zip(document.offsets, document.ends, strict=True)
    )
    at = 0
    for block in document.blocks:
        assert at <= block.span.at <= block.span.until <= length
        at = block.span.until
        inner = block.span.at
        for sentence in block.sentences:
            assert inner <= sentence.at < sentence.until <= block.span.until
            inner = sentence.until
    result = scanner.scan(document)
    at = 0
    for quantity in result.quantities:
        assert at <= quantity.at < quantity.until <= length
        assert 0 <= quantity.start < quantity.end <= size
        assert quantity.text == document.source[quantity.start : quantity.end]
        assert quantity.value.is_finite()
        assert quantity.quantum > 0
        at = quantity.until
    for vague in result.vague:
        assert vague.text == document.source[vague.start : vague.end]
    for hidden in result.hidden:
        assert hidden.text == document.source[hidden.start : hidden.end]


@given(texts)
@settings(max_examples=300, deadline=None)
def test_markdown_never_fails_and_keeps_its_promises(text: str) -> None:
    check(markdown.render(text))


@given(texts)
@settings(max_examples=200, deadline=None)
def test_plain_text_never_fails_and_keeps_its_promises(text: str) -> None:
    check(plain.render(text))


@given(texts)
@settings(max_examples=50, deadline=None)
def test_a_scan_is_deterministic(text: str) -> None:
    assert scanner.scan(markdown.render(text)) == scanner.scan(markdown.render(text))


SHOWN = {
    "percent": "{}%",
    "bps": "{} bps",
    "pp": "{} percentage points",
    "USD": "${}",
    "EUR": "{} EUR",
    "share": "{} shares",
    "day": "{} days",
    "multiple": "{}x",
}


@given(st.integers(0, 10**12), st.integers(0, 4), st.sampled_from(sorted(SHOWN)), st.booleans())
@settings(max_examples=300, deadline=None)
def test_a_number_that_is_written_out_scans_back(
    digits: int, places: int, unit: str, negative: bool
) -> None:
    value = Decimal(digits).scaleb(-places)
    sign = "−" if negative else ""
    text = f"It is {sign}{SHOWN[unit].format(f'{value:,}')} now."
    (quantity,) = scanner.scan(markdown.render(text)).quantities
    assert (quantity.value, quantity.unit) == (-value if negative else value, unit)
    assert quantity.quantum == Decimal(1).scaleb(-places)
