"""Recognises what explains a unit ("100 bps = 1%"): a definition, and no figure of the sources."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise

from pae_verifiers.numbers.measure import EXACT
from pae_verifiers.numbers.model import Quantity
from pae_verifiers.numbers.units import dimension, factor

_EQUALS = re.compile(
    r"\s*(?:=|≙|equals?|is|are|means?|makes?|make\s+up|is\s+equal\s+to|is\s+the\s+same\s+as|being)\s*",
    re.IGNORECASE,
)
_BASIS_POINT = re.compile(r"basis\s+points?\b|\bbps?\b", re.IGNORECASE)
_IN_WORDS = re.compile(r"\bhundredths?\b|\b1/100\b", re.IGNORECASE)
_HUNDREDTH_OF = re.compile(r"\b(?:hundredths?|1/100)\b[^.,;:]{0,20}$", re.IGNORECASE)
_UNITS = ("percent", "ratio", "bps")
_PERCENT = Decimal("0.01")  # one percent, in parts of the whole
_HUNDREDTH = Decimal("0.0001")  # a hundredth of it


def definitions(text: str, offset: int, numbers: Sequence[Quantity]) -> frozenset[int]:
    """Where (``at``) the numbers stand that only say what a unit is.

    ``text`` is a sentence at ``offset``. Found are two numbers set equal in two units, and one
    hundredth of a percent beside the words "basis point", as a figure or in words.
    """
    found: set[int] = set()
    for one, two in pairwise(numbers):
        between = text[one.until - offset : two.at - offset]
        if _EQUALS.fullmatch(between) and _same(one, two):
            found.update((one.at, two.at))
    if _BASIS_POINT.search(text):
        in_words = bool(_IN_WORDS.search(text))
        found.update(n.at for n in numbers if _explains(n, text[: n.at - offset], in_words))
    return frozenset(found)


def _explains(number: Quantity, before: str, in_words: bool) -> bool:
    """Whether a number beside "basis point" says how large one is; ``in_words``: as a hundredth."""
    if number.unit not in _UNITS or (number.unit == "bps" and not in_words):
        return False
    if _size(number) == _HUNDREDTH:
        return True
    of_it = number.unit == "ratio" or bool(_HUNDREDTH_OF.search(before))
    return in_words and of_it and _size(number) == _PERCENT


def _same(one: Quantity, two: Quantity) -> bool:
    """Whether the two are one amount in two units, one of them a single unit."""
    if one.unit is None or two.unit is None or one.unit == two.unit:
        return False
    related = {dimension(one.unit), dimension(two.unit)} <= {"level", "change"}
    alike = related or dimension(one.unit) == dimension(two.unit)
    return alike and 1 in (one.value, two.value) and _size(one) == _size(two)


def _size(number: Quantity) -> Decimal:
    return EXACT.multiply(number.value, factor(number.unit))
