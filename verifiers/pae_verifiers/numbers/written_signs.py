"""Signs as they are written: minus characters, "minus", accounting parentheses."""

from __future__ import annotations

import re

from pae_verifiers.numbers import chinese
from pae_verifiers.numbers.found import Found
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


def minus(text: str, original: str, places: Starts, found: Found, floor: int, last: str) -> None:
    """Give the number the sign that is written before it, or around it in parentheses.

    ``original`` is the text with its dashes as written; ``floor`` is where the number before
    ends, ``last`` the last word before the number.
    """
    at = found.at
    before = text[at - 1] if at else ""
    if before == "+" and (at == 1 or text[at - 2] not in "/0123456789"):
        found.at = at - 1
        return
    if before and before in "-– \u00a0" and _is_minus(text, original, at, floor):
        found.at = at - 1 if text[at - 1] in "-–" else at - 2
        found.negative = True
        return
    if found.negative:
        return
    near = last in _MINUS_WORDS
    word = _MINUS_WORD.search(text, max(floor, at - 12), at) if near else None
    if word and not re.search(r"\bor\s$", text[max(0, at - 20) : word.start()]):
        found.at, found.negative, found.sign_from_word = word.start(), True, True
        return
    if places.chinese:
        word = chinese.words.minus().search(text, max(floor, at - 3), at)
        if word and text[word.start() - 1 : word.start()] != "正":
            found.at, found.negative, found.sign_from_word = word.start(), True, True
            return
    if before == "(" or found.body != at:
        _parentheses(text, found, floor)


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


def _parentheses(text: str, found: Found, floor: int) -> None:
    at, until = found.at, found.until
    if not at or text[at - 1] != "(":
        if text.find("(", at, found.body) >= 0 and text.startswith(")", found.stop):
            found.until, found.negative = max(until, found.stop + 1), True
        return
    if not text.startswith(")", until) or (floor and not text[floor : at - 1].strip()):
        return
    unit_after = found.unit is None and re.match(r"\)\s?(%|percent\b)", text[until : until + 12])
    alone = _STANDS_ALONE.search(text[max(floor, at - 24) : at - 1]) is not None
    if alone or unit_after:
        found.at, found.negative = at - 1, alone
        found.until = until + unit_after.end() if unit_after else until + 1
        found.unit = "percent" if unit_after else found.unit
