"""Signs as they are written: minus characters, "minus", accounting parentheses."""

from __future__ import annotations

import re

from pae_verifiers.numbers import chinese
from pae_verifiers.numbers.found import Found, replace
from pae_verifiers.numbers.starts import Starts

_MINUS_WORD = re.compile(r"\b(minus|negative)\s(?:of\s)?$", re.IGNORECASE)
_MINUS_WORDS = frozenset({"minus", "negative", "of", "-", "–"})
_STANDS_ALONE = re.compile(
    r"(?:^|[=:|,;]|\b(?:was|is|were|are|of|at|to|by|from|and|or|versus|vs\.?|returned|earned|"
    r"made|posted|reported|"
    r"showed|shows|recorded|registered|a|an|with|than|against|came\sin\sat))\s*$",
    re.IGNORECASE,
)


def may_be_last(word: str) -> bool:
    """Whether the words or marks of a minus before a number can end so."""
    return word in _MINUS_WORDS


def minus(text: str, original: str, places: Starts, found: Found, floor: int, last: str) -> Found:
    """The number with the sign that is written before it, or around it in parentheses.

    ``original`` is the text with its dashes as written; ``floor`` is where the number before
    ends, ``last`` the last word before the number.
    """
    at = found.at
    before = text[at - 1] if at else ""
    if before == "+" and (at == 1 or text[at - 2] not in "/0123456789"):
        return replace(found, at=at - 1)
    if before and before in "-– \u00a0" and _is_minus(text, original, at, floor):
        start = at - 1 if text[at - 1] in "-–" else at - 2
        return replace(found, at=start, negative=True)
    if found.negative:
        return found
    near = last in _MINUS_WORDS
    word = _MINUS_WORD.search(text, max(floor, at - 12), at) if near else None
    if word and not re.search(r"\bor\s$", text[max(0, at - 20) : word.start()]):
        return replace(found, at=word.start(), negative=True, sign_from_word=True)
    if places.chinese and chinese.has_chinese(text[max(floor, at - 3) : at]):
        word = chinese.words.minus().search(text, max(floor, at - 3), at)
        if word and text[word.start() - 1 : word.start()] != "正":
            return replace(found, at=word.start(), negative=True, sign_from_word=True)
    if before != "(" and found.body == at:
        return found
    return _parentheses(text, found, floor)


def _is_minus(text: str, original: str, at: int, floor: int) -> bool:
    if not at:
        return False
    if text[at - 1] in "-–":
        dash = at - 1
    elif at > 1 and text[at - 1] in " \u00a0" and original[at - 2] in "−－﹣":
        dash = at - 2
    else:
        return False
    if dash < floor:
        return False
    if dash == 0:
        return True
    before = text[dash - 1]
    if before in "([{\"'=:|~≈<>≤≥/*" or before in "“‘":
        return True
    if "\u4e00" <= before <= "\u9fff":
        return True
    return before.isspace() and not (dash - 1 == floor and floor > 0 and original[dash] in "–")


def _parentheses(text: str, found: Found, floor: int) -> Found:
    at, until = found.at, found.until
    if not at or text[at - 1] != "(":
        inside = text.find("(", at, found.body)
        if inside < 0 or not text.startswith(")", found.stop):
            return found
        return replace(found, until=max(until, found.stop + 1), negative=True)
    if not text.startswith(")", until) or (floor and not text[floor : at - 1].strip()):
        return found
    unit_after = found.unit is None and re.match(r"\)\s?(%|percent\b)", text[until : until + 12])
    if not _STANDS_ALONE.search(text[max(floor, at - 24) : at - 1]):
        if unit_after:
            return replace(found, at=at - 1, until=until + unit_after.end(), unit="percent")
        return found
    if unit_after:
        end = until + unit_after.end()
        return replace(found, at=at - 1, until=end, unit="percent", negative=True)
    return replace(found, at=at - 1, until=until + 1, negative=True)
