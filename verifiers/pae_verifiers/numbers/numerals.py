"""Digits → values: grouping, decimal points and commas, exponents, fractions."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache

from pae_verifiers.numbers import chinese
from pae_verifiers.numbers.found import Found
from pae_verifiers.numbers.reading import NBSP
from pae_verifiers.numbers.starts import Starts

# Nobody reads more digits than these; what is longer counts as too large (or too fine) to match.
MAX_DIGITS = 40
HUGE = Decimal(1).scaleb(MAX_DIGITS)

_POINT_FIRST = re.compile(r"(?<![\w.,])\.")
_EXPONENT = re.compile(r"[eE]([+-]?\d{1,2})(?!\w|\.\d)")
_POWER = re.compile(r"\s?[×x*·]\s?10\s?\^?\s?([-⁻]?[\d⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2})(?!\d)")
_WESTERN = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_INDIAN = re.compile(r"\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?")
_SWISS = re.compile(r"\d{1,3}(?:'\d{3})+(?:[.,]\d+)?")
_SPACED = re.compile(rf"\d{{1,3}}(?:{NBSP}\d{{3}})+(?:[.,]\d+)?")
_APOSTROPHE = re.compile(r"\d+'\d{1,2}")
_PLAIN = re.compile(r"\d+(?:\.\d+)?|\.\d+")
_EUROPEAN = re.compile(r"\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:\.\d{3}){2,}")
_COMMA = re.compile(r"\d+,\d{1,2}|\d+,\d{4,}|0,\d+")
_FRACTION_SLASH = re.compile(r"\s?/\s?(\d{1,3})(?:ths?|rds?|nds?)?(?![\d/.,]{0,20}\d)")
_FRACTION_TEX = re.compile(r"(?<=frac\{)\d{1,9}\}\{(\d{1,9})\}")
_TEN_TO = re.compile(r"(?:\^\{?(-?\d{1,2})\}?|([⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2}))(?!\d)")
_MIXED = re.compile(r"[ -](\d{1,2})/(\d{1,3})(?![\d/])")
_VULGAR = {
    char: Decimal(top) / Decimal(bottom)
    for char, top, bottom in (
        ("½", 1, 2), ("⅓", 1, 3), ("⅔", 2, 3), ("¼", 1, 4), ("¾", 3, 4), ("⅕", 1, 5), ("⅖", 2, 5),
        ("⅗", 3, 5), ("⅘", 4, 5), ("⅙", 1, 6), ("⅚", 5, 6), ("⅐", 1, 7), ("⅛", 1, 8), ("⅜", 3, 8),
        ("⅝", 5, 8), ("⅞", 7, 8), ("⅑", 1, 9), ("⅒", 1, 10),
    )
}  # fmt: skip
_VULGAR_RUN = re.compile("[" + "".join(_VULGAR) + "]")
# Numbers that are one character and stand before a unit: ⑫ Ⅻ ㉒ 🔟.
_WHOLE_RUN = re.compile(
    "[\u2160-\u216f\u2170-\u217f\u2469-\u2473\u247d-\u2487\u2491-\u249b\u24eb-\u24f4\u24fe\u277f"
    "\u2789\u2793\u3251-\u325f\u32b1-\u32bf\U0001f51f\U0001f4af]"
    r"(?=\s?(?:%|‰|‱|per\s?cent|pct|bps|basis|percentage|pp\b|million|billion|[€£¥]))"
)
_EMOJI = {"\U0001f51f": 10, "\U0001f4af": 100}
_ONE = Decimal(1)
_QUANTA = tuple(_ONE.scaleb(-places) for places in range(MAX_DIGITS + 1))
_FRACTION_QUANTUM = Decimal("0.1")
# What may follow a numeral and never continues it.
_ENDS = frozenset(("", *",;:.%)|"))


def find(text: str, places: Starts) -> Iterator[Found]:
    """Every numeral in a text already read by ``reading.read``, in order, without overlaps."""
    at = 0
    for index in places.runs:
        start, run = places.places[index], places.tokens[index]
        if start < at:
            continue
        at = start + len(run)
        if places.gaps[index][-1:] == "." and _POINT_FIRST.match(text, start - 1):
            start, run = start - 1, "." + run
        read = _short(run) if len(run) <= MAX_DIGITS else _number(run)
        if read:
            found = _at(start, at, read)
            if text[at : at + 1] not in _ENDS:
                found = _extend(text, found)
                at = found.stop
            yield found
            continue
        for part in _listed(start, run):
            found = _extend(text, part)
            yield found
            at = found.stop
    if text.isascii():
        return
    for match in _VULGAR_RUN.finditer(text):
        if not (match.start() and text[match.start() - 1].isdigit()):
            start, end = match.span()
            value = _VULGAR[match.group()]
            yield Found(start, end, start, end, value, _FRACTION_QUANTUM, "spelled")
    for match in _WHOLE_RUN.finditer(text):
        start, end = match.span()
        size = _EMOJI.get(match.group()) or int(unicodedata.numeric(match.group()))
        yield Found(start, end, start, end, Decimal(size), Decimal(1), lookalike=True)


def _listed(at: int, run: str) -> Iterator[Found]:
    """The numbers of a run of digits and separators that is no single number."""
    for part in re.finditer(rf"[^,{NBSP}']+", run):
        start, end = at + part.start(), at + part.end()
        if _PLAIN.fullmatch(part.group()):
            yield _at(start, end, _valued(part.group()))
        else:
            yield Found(start, end, start, end, Decimal(0), Decimal(1), "label", exempt=True)


def _digits(run: str) -> str | None:
    """Plain ``1234.56`` for a run, None where it is no single number."""
    if run.isdigit() or _PLAIN.fullmatch(run):
        return run
    if _WESTERN.fullmatch(run) or _INDIAN.fullmatch(run):
        return run.replace(",", "")
    if _SWISS.fullmatch(run):
        return run.replace("'", "").replace(",", ".")
    if _SPACED.fullmatch(run):
        return run.replace(NBSP, "").replace(",", ".")
    if _EUROPEAN.fullmatch(run):
        return run.replace(".", "").replace(",", ".")
    if _APOSTROPHE.fullmatch(run):
        return run.replace("'", ".")
    if _COMMA.fullmatch(run):
        return run.replace(",", ".")
    return None


def _number(run: str) -> tuple[Decimal, Decimal] | None:
    """The value and quantum of a run, None where it is no single number."""
    digits = _digits(run)
    return None if digits is None else _valued(digits)


# The same short numbers stand in a text again and again.
_short = lru_cache(maxsize=4096)(_number)


def _valued(digits: str) -> tuple[Decimal, Decimal]:
    whole, _, decimals = digits.partition(".")
    if len(digits) <= MAX_DIGITS:
        return Decimal(digits), _QUANTA[len(decimals)]
    decimals = decimals[:MAX_DIGITS]
    whole = whole.lstrip("0") or "0"
    value = HUGE if len(whole) > MAX_DIGITS else Decimal(f"{whole}.{decimals or '0'}")
    if not decimals and value != HUGE:
        value = Decimal(whole)
    return value, _QUANTA[len(decimals)]


def _at(at: int, stop: int, read: tuple[Decimal, Decimal]) -> Found:
    return Found(at, stop, at, stop, *read)


def _extend(text: str, found: Found) -> Found:
    """The numeral with the exponent, fraction or further groups that follow it."""
    stop = found.stop
    ahead = text[stop : stop + 2]
    if found.exempt or ahead[:1] in _ENDS:
        return found
    if (
        ahead == "**"
        or ahead >= chinese.FIRST
        or (ahead[0] == " " and ahead[1:].isalpha() and ahead.isascii() and ahead[1] != "x")
    ):
        return found
    exponent = _EXPONENT.match(text, stop) or _POWER.match(text, stop)
    if exponent:
        power = _power(exponent.group(1))
        return _to(found, exponent.end(), found.value.scaleb(power), found.quantum.scaleb(power))
    if stop < len(text) and text[stop] in _VULGAR:
        return _to(found, stop + 1, found.value + _VULGAR[text[stop]], _FRACTION_QUANTUM)
    if found.quantum != 1:
        return found
    tex = _FRACTION_TEX.match(text, found.at)
    if tex and int(tex.group(1)):
        part = found.value / Decimal(tex.group(1))
        return _to(found, tex.end(), part, _FRACTION_QUANTUM)
    ten = _TEN_TO.match(text, stop) if found.value == 10 else None
    if ten and ten.group(2) != "¹":
        size = Decimal(1).scaleb(_power(ten.group(1) or ten.group(2)))
        return _to(found, ten.end(), size, size)
    mixed = _MIXED.match(text, stop)
    if mixed and 0 < int(mixed.group(1)) < int(mixed.group(2)):
        part = Decimal(mixed.group(1)) / Decimal(mixed.group(2))
        return _to(found, mixed.end(), found.value + part, _FRACTION_QUANTUM)
    slash = _FRACTION_SLASH.match(text, stop)
    if slash and 0 < found.value < int(slash.group(1)) <= 100:
        part = found.value / Decimal(slash.group(1))
        return _to(found, slash.end(), part, _FRACTION_QUANTUM)
    return found


def _power(written: str) -> int:
    plain = "".join(
        "-" if char in "-⁻" else str(unicodedata.digit(char)) for char in written.lstrip("+")
    )
    return max(-MAX_DIGITS, min(MAX_DIGITS, int(plain)))


def _to(found: Found, stop: int, value: Decimal, quantum: Decimal) -> Found:
    return Found(found.at, stop, found.body, stop, value, quantum)
