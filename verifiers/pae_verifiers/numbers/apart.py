"""Words of distance: beside them a gap needs no sign."""

from __future__ import annotations

import re

from pae_verifiers.numbers.model import Quantity

_REACH = 70  # characters to either side of the number
_TARGET = (
    r"(?:(?:its|the|their|your|our)\s+)?(?:[\w-]+\s+)?"
    r"(?:targets?|mark|goal|plan|policy|agreed|middle|benchmark)"
)
_APART = re.compile(
    rf"\b(?:away\s+from|gaps?\b|off\s+{_TARGET}|from\s+{_TARGET}|distances?|distant|adrift|apart\b|"
    r"deviat\w+|out\s+of\s+line|drift(?:ed|ing|s)?\s+(?:of|by|about|around|some|roughly|more|up)\b|"
    r"stray\w*|wandered|out\s+of\s+place|off\s+course|either\s+(?:side|way|direction))",
    re.IGNORECASE,
)
_SIDED = re.compile(
    r"\b(?:above|over(?!all)|overweight|exceed\w*|higher|rose|risen|gained|up|too\s+(?:much|high|large))\b",
    re.IGNORECASE,
)
_BELOW = re.compile(
    r"^\s*(?:below|under|short\s+of|beneath|less\s+than|too\s+(?:low|little|small))\b", re.I
)


def is_distance(text: str, offset: int, quantity: Quantity) -> bool:
    """Whether the number, in the sentence ``text`` at ``offset``, needs no sign to be negative.

    It is a distance without a side, or "below target" follows it. False where the number shows a
    sign of its own, or the words name the other side.
    """
    if quantity.text[:1] in "+＋" or quantity.value <= 0:
        return False
    if _BELOW.match(text[quantity.until - offset : quantity.until - offset + _REACH]):
        return True
    start = max(0, quantity.at - offset - _REACH)
    near = text[start : quantity.until - offset + _REACH]
    return bool(_APART.search(near)) and not _SIDED.search(near)
