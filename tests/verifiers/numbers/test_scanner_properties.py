"""What holds for any text at all."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from hypothesis import given, settings
from hypothesis import strategies as st

from pae_verifiers.numbers import markdown, plain, scanner
from pae_verifiers.numbers.lexicon import CURRENCY_CODES
from pae_verifiers.numbers.model import Document
from pae_verifiers.numbers.units import UNITS

FRAGMENTS = [
    "12.5%", "$1,234.56", "−0.4%", "(0.4%)", "35 bps", "2.5 percentage points", "1,200 shares",
    "half", "one-third", "three", "below", "between", "and", "to", "–", "-", "from", "fell by",
    "2026-11-30", "30 November", "95% VaR", "S&P 500", "60/40", "Q3 2026", "[^1]", "[1]: ", "**",
    "*", "_", "`", "```\n", "\n", "\n\n", "\r\n", "# ", "- ", "1. ", "> ", "| ",
    "|\n|---|---|\n", "&#49;", "&amp;", "\\", "<!--", "-->", "<b>", "</b>", "<div hidden>", "![",
    "](", ")", "[", "]", '"', "~~", "<", ">", "½", "²", "１２", "𝟏", "\u200b", "\u00a0", "'", ".",
    ",", "0", "1", "9" * 30, "e5", "x", "m", "bn", "USD", "€", "億", "三萬五千", "百分之",
    "個百分點", "七成六", "元", "角", "負", "低於", "2026年11月", "，", "% ", "per cent", "minus ",
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
    at = last = 0
    for quantity in result.quantities:
        assert at <= quantity.at < quantity.until <= length
        assert 0 <= quantity.start < quantity.end <= size
        assert quantity.text == document.source[quantity.start : quantity.end]
        assert quantity.value.is_finite()
        assert quantity.quantum > 0
        assert at == 0 or quantity.start >= last
        at, last = quantity.until, quantity.end
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
    "percent": ("{}%", "{} %", "{} percent", "{} per cent"),
    "bps": ("{} bps", "{}bp", "{} basis points"),
    "pp": ("{} percentage points", "{}pp"),
    "multiple": ("{}x", "{} times"),
    "share": ("{} shares",),
    "day": ("{} days",),
    "week": ("{} weeks",),
    "month": ("{} months",),
    "year": ("{} years",),
    "USD": ("${}", "US${}", "USD {}", "{} USD", "{} dollars", "{}美元"),
    "HKD": ("HK${}", "港幣{}元", "{}港元"),
    "CNY": ("RMB {}", "{} yuan", "{}元"),
    **{code: ("{} " + code, code + " {}") for code in CURRENCY_CODES - {"USD", "HKD", "CNY"}},
}
FORMS = [(unit, form) for unit, forms in sorted(SHOWN.items()) for form in forms]
SCALES = {"": 1, "k": 10**3, " thousand": 10**3, "m": 10**6, " million": 10**6, "bn": 10**9,
          " billion": 10**9, " trillion": 10**12}  # fmt: skip
SIGNS = {"": 1, "-": -1, "−": -1, "minus ": -1, "negative ": -1}
numbers = st.tuples(st.integers(0, 10**12), st.integers(0, 4))


def test_every_unit_of_the_table_has_a_form() -> None:
    assert set(SHOWN) | {"ratio", "count", "change"} == {unit.name for unit in UNITS.values()}


@given(numbers, st.sampled_from(FORMS), st.sampled_from(sorted(SIGNS)))
@settings(max_examples=500, deadline=None)
def test_a_number_that_is_written_out_scans_back(
    number: tuple[int, int], form: tuple[str, str], sign: str
) -> None:
    value, (unit, shown) = Decimal(number[0]).scaleb(-number[1]), form
    text = f"It is {sign}{shown.format(f'{value:,}')} now."
    (quantity,) = scanner.scan(markdown.render(text)).quantities
    assert (quantity.value, quantity.unit) == (SIGNS[sign] * value, unit)
    assert quantity.quantum == Decimal(1).scaleb(-number[1])


@given(
    st.tuples(st.integers(0, 10**6), st.integers(0, 3)),
    st.sampled_from([form for form in FORMS if form[0] in CURRENCY_CODES and form[1].isascii()]),
    st.sampled_from(sorted(SCALES)),
    st.sampled_from(sorted(SIGNS)),
)
@settings(max_examples=500, deadline=None)
def test_money_with_a_scale_scans_back(
    number: tuple[int, int], form: tuple[str, str], scale: str, sign: str
) -> None:
    value, (unit, shown) = Decimal(number[0]).scaleb(-number[1]), form
    text = f"It is {sign}{shown.format(f'{value:,}{scale}')} now."
    (quantity,) = scanner.scan(markdown.render(text)).quantities
    assert (quantity.value, quantity.unit) == (SIGNS[sign] * value * SCALES[scale], unit)
    assert quantity.quantum == Decimal(SCALES[scale]).scaleb(-number[1])


HAN = "零一二三四五六七八九"


def in_han(value: int) -> str:
    """Below a hundred million, as one writes it: 一萬零五十."""
    if value >= 10**4:
        rest = value % 10**4
        zero = "零" if 0 < rest < 1000 else ""
        return in_han(value // 10**4) + "萬" + zero + (in_han(rest) if rest else "")
    for size, name in ((1000, "千"), (100, "百"), (10, "十")):
        if value >= size:
            rest = value % size
            zero = "零" if 0 < rest < size // 10 else ""
            return HAN[value // size] + name + zero + (in_han(rest) if rest else "")
    return HAN[value]


@given(st.integers(0, 10**8 - 1), st.sampled_from(["{}元", "港幣{}元", "百分之{}"]))
@settings(max_examples=500, deadline=None)
def test_a_number_in_chinese_numerals_scans_back(value: int, shown: str) -> None:
    unit = {"{}元": "CNY", "港幣{}元": "HKD", "百分之{}": "percent"}[shown]
    (quantity,) = scanner.scan(markdown.render(f"為{shown.format(in_han(value))}。")).quantities
    assert (quantity.value, quantity.unit) == (Decimal(value), unit)
    assert quantity.kind == "spelled"


REWRITTEN = [
    lambda text: text.replace("%", "\\%"),
    lambda text: text.replace("\\%", "%").replace("%", "&#37;"),
    lambda text: f"**{text}**",
    lambda text: f"*{text}*",
    lambda text: f"~~{text}~~",
    lambda text: f"> {text}",
    lambda text: f"- {text}",
    lambda text: f"[{text}](https://a.org)",
    lambda text: text.replace(" ", "\n"),
    lambda text: text.replace("It", "<b>It</b>"),
    lambda text: f"{text}\n<!-- nothing -->",
    lambda text: f"\r\n{text}\r\n",
]  # fmt: skip


@given(
    numbers, st.sampled_from(FORMS), st.lists(st.sampled_from(REWRITTEN), max_size=3, unique=True)
)
@settings(max_examples=300, deadline=None)
def test_other_markdown_of_the_same_meaning_says_the_same(
    number: tuple[int, int], form: tuple[str, str], changes: list[Callable[[str], str]]
) -> None:
    value = Decimal(number[0]).scaleb(-number[1])
    text = f"It is {form[1].format(f'{value:,}')} now."
    before = scanner.scan(markdown.render(text)).quantities
    for change in changes:
        text = change(text)
    after = scanner.scan(markdown.render(text)).quantities
    assert [(q.value, q.unit, q.quantum, q.bound) for q in after] == [
        (q.value, q.unit, q.quantum, q.bound) for q in before
    ]
