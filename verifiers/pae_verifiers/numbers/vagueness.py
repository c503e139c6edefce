"""Vague amounts ("double-digit", "halved"): when they stand in for a number."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple

from pae_verifiers.numbers.binding import Bound
from pae_verifiers.numbers.model import Quantity, Vague

_BESIDE = re.compile(
    r"%|[$€£¥₹]|\b(?:per\s?cent|percent|percentages?|basis\s+points?|bps|dollars?|euros?|pounds?|francs?|"
    r"yen|USD|EUR|GBP|CHF|returns?|gains?|loss(?:es)?|growth|yields?)\b",
    re.IGNORECASE,
)
_REACH = 3  # words
_WINDOW = 80  # characters in which they stand
_PERCENT_LIKE = frozenset({"level", "change"})


class Range(NamedTuple):
    """What a vague word can mean, in percent or points: from ``low`` up to, not with, ``high``."""

    low: Decimal
    high: Decimal


_TENS = {
    "twent": 20,
    "thirt": 30,
    "fort": 40,
    "fift": 50,
    "sixt": 60,
    "sevent": 70,
    "eight": 80,
    "ninet": 90,
}
_PARTS = {"low": (0, 4), "mid": (3, 7), "high": (6, 10)}


def as_quantity(vague: Vague) -> Quantity:
    """A quantity without a value, to carry the verdict."""
    nothing = Decimal(0)
    return Quantity(
        vague.text, vague.start, vague.end, nothing, None, "spelled", nothing, vague.at, vague.until
    )


def stands_for_number(vague: Vague, text: str, offset: int) -> bool:
    """Whether %, a currency, return, gain or loss stands beside the word in sentence ``text``."""
    end, start = vague.until - offset, max(0, vague.at - offset)
    after = text[end : end + _WINDOW].split()[:_REACH]
    before = text[max(0, start - _WINDOW) : start].split()[-_REACH:]
    return bool(
        _BESIDE.search(vague.text)
        or _BESIDE.search(" ".join(after))
        or _BESIDE.search(" ".join(before))
    )


def contradicts(vague: Vague, bound: Bound) -> bool:
    """Whether the word is bound to facts of which none lies in its range."""
    meant = meaning(vague.text)
    spoken = (*bound.candidates, *bound.cousins)
    values = [
        abs(entry.known.value) * 100
        for entry in spoken
        if entry.groups and not entry.known.dimensions.isdisjoint(_PERCENT_LIKE)
    ]
    return (
        meant is not None
        and bool(values)
        and not any(meant.low <= value < meant.high for value in values)
    )


def meaning(text: str) -> Range | None:
    """The range of "double-digit", "mid-teens", "high single digits" and their kind."""
    word = text.casefold()
    part = next((name for name in _PARTS if re.search(rf"\b{name}", word)), "")
    start, width = _decade(word)
    if start is None:
        return None
    if not part:
        return Range(Decimal(start), Decimal(start + width))
    low, high = _PARTS[part]
    return Range(Decimal(start + low * width // 10), Decimal(start + high * width // 10))


def _decade(word: str) -> tuple[int | None, int]:
    if re.search(r"double[\s-]digits?", word):
        return 10, 90
    if re.search(r"triple[\s-]digits?", word):
        return 100, 900
    if re.search(r"single[\s-]digits?", word):
        return 0, 10
    if "teen" in word:
        return 10, 10
    return next(((ten, 10) for name, ten in _TENS.items() if f"{name}ies" in word), (None, 0))
