"""Words of distance: beside them a gap needs no sign."""

from __future__ import annotations

import re

from pae_verifiers.numbers.model import Quantity

_REACH = 70  # characters to either side of the number
_FAR = 160  # characters before it in which a word of direction still governs it
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
_DIRECTION = re.compile(
    r"\b(?P<down>fell|fall(?:s|ing|en)?|los[st]|loss(?:es)?|losing|down|drop(?:s|ped|ping)?|declin\w+|decreas\w+|"
    r"slip(?:s|ped|ping)?|cut(?:s|ting)?|reduc\w+|lower\w*|shrank|shrunk|shed(?:s|ding)?|slid|dwindl\w+|"
    r"weaken\w*|short(?:fall)?|below|underweight|too\s+(?:low|little|small|light))\b"
    r"|\b(?:rose|ris(?:e|es|en|ing)|gain\w*|profits?|up|grew|grow\w*|increas\w+|added|adding|climb\w*|"
    r"higher|more|above|over(?:weight)?|advanc\w+|rall(?:y|ied)|jump\w*|"
    r"too\s+(?:much|high|large|big|heavy))\b",
    re.IGNORECASE,
)
_OFF = re.compile(r"\boff(?:\s+(?:by|about|around|some|roughly|almost|nearly))*\s*$", re.IGNORECASE)
_OUT_OF = re.compile(
    r"^\s*(?:(?:was|were|is|has|had|been)\s+)*(?:came|comes?|went|drawn|taken)\s+(?:out\s+of|from)\b",
    re.IGNORECASE,
)
_BELOW = re.compile(
    r"^\s*(?:or\s+so\s+|or\s+thereabouts\s+)?(?:below|under|short\s+of|beneath|less\s+than|too\s+(?:low|little|small))\b",
    re.I,
)


def is_distance(text: str, offset: int, quantity: Quantity, label: str = "") -> bool:
    """Whether the number, in the sentence ``text`` at ``offset``, needs no sign to be negative.

    ``label`` is that of its table row.

    It is a distance without a side, "below target" or "came out of" follows it, "off" stands before
    it, or the last word of direction before
    it points down ("losses of $8 on A and $3 on B"). False where the number shows a sign of its
    own, or the words name the other side; a sign that the scanner took from one of several words
    that point both ways is left open as well.
    """
    if quantity.text[:1] in "+＋":
        return False
    if quantity.value <= 0:
        return quantity.sign_from_word and _mixed(_lead(text, offset, quantity))
    tail = text[quantity.until - offset : quantity.until - offset + _REACH]
    lead = _lead(text, offset, quantity)
    if _BELOW.match(tail) or _OUT_OF.match(tail) or _OFF.search(lead):
        return True
    directions = list(_DIRECTION.finditer(lead))
    if directions and directions[-1]["down"]:
        return True
    if not lead.strip() and _points_down(label):
        return True
    start = max(0, quantity.at - offset - _REACH)
    near = text[start : quantity.until - offset + _REACH]
    return bool(_APART.search(near)) and not _SIDED.search(near)


def _lead(text: str, offset: int, quantity: Quantity) -> str:
    at = max(0, quantity.at - offset)
    return text[max(0, at - _FAR) : at]


def _mixed(lead: str) -> bool:
    """Whether the words before a number point both ways ("gains, less losses")."""
    return {bool(found["down"]) for found in _DIRECTION.finditer(lead)} == {True, False}


def _points_down(label: str) -> bool:
    """Whether a row's label speaks of losses or falls, and of nothing that rises ("gain/loss")."""
    directions = list(_DIRECTION.finditer(label))
    return bool(directions) and all(found["down"] for found in directions)
