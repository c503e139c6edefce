"""Settles the numbers that are no claim of their own: dates, ordinals, labels, list markers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from decimal import Decimal
from typing import NamedTuple

from pae_verifiers.numbers.dates import Calendar
from pae_verifiers.numbers.model import Fact, Quantity, Verdict

_UNIT = (
    r"[%％﹪$€£¥₹]|\bper\s?cent(?:age)?\b|\bbps?\b|\bbasis\s+points?\b|\bppt?\b"
    r"|\bpercentage\s+points?\b"
)
_UNITS = re.compile(_UNIT, re.IGNORECASE)
_CODE = re.compile(r"\b(?:USD|EUR|GBP|JPY|CHF|CNY|HKD|TWD|SGD|AUD|CAD|INR)\b")
_SLASH_MIX = re.compile(r"(?<![\d/])\d{1,3}(?:\s?/\s?\d{1,3})+(?![\d/])")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_SPACE = re.compile(r"\s+")


class Ruling(NamedTuple):
    """A verdict with its reason."""

    verdict: Verdict
    reason: str


class Names:
    """Dates, names and labels that the sources know, and the numbers that labels may carry."""

    def __init__(self, strings: Iterable[str], facts: Iterable[Fact]) -> None:
        texts = tuple(strings)
        self.calendar = Calendar(texts)
        self._text = "\n".join(map(_folded, texts))
        self._levels: dict[str, list[Decimal]] = {}
        for fact in facts:
            self._levels.setdefault(fact.unit or "", []).append(fact.value)

    def contain(self, label: str) -> bool:
        """Whether the sources write this label, or the measured number in it is a fact."""
        folded = _folded(label)
        if re.search(rf"(?<![\w.]){re.escape(folded)}(?!\w|\.\d)", self._text):
            return True
        if _SLASH_MIX.search(folded):
            mix = _SLASH_MIX.search(folded)
            return bool(mix and re.search(rf"(?<![\d./]){mix.group()}(?![\d/]|\.\d)", self._text))
        numbers = _NUMBER.findall(folded)
        return bool(numbers) and all(self._measured(number, folded) for number in numbers)

    def _measured(self, number: str, label: str) -> bool:
        if re.search(rf"(?<![\d.]){re.escape(number)}\s?(?:{_UNIT})", self._text):
            return True
        value = Decimal(number)
        if "%" in label or "percent" in label or "per cent" in label:
            shares = (Decimal(v * 100) for v in self._levels.get("ratio", ()))
            return value in self._levels.get("percent", ()) or value in shares
        units = [unit for unit in self._levels if unit not in ("", "count", "share")]
        return any(value in self._levels[unit] for unit in units)


def rule_on(quantity: Quantity, names: Names) -> Ruling:
    """The verdict on a quantity of an exempt kind."""
    if quantity.kind == "date":
        if names.calendar.knows(quantity.text):
            return Ruling("exempt", "date")
        return Ruling("mismatch", "unknown_date")
    if quantity.kind == "label" and _claims(quantity.text) and not names.contain(quantity.text):
        return Ruling("fabricated", "unknown_label")
    return Ruling("exempt", quantity.kind)


def _claims(label: str) -> bool:
    """Whether a label carries a measured amount or a mix, which could be invented."""
    return bool(_UNITS.search(label) or _CODE.search(label) or _SLASH_MIX.search(label))


def _folded(text: str) -> str:
    return _SPACE.sub(" ", unicodedata.normalize("NFKC", text).casefold())
