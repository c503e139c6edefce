"""Numbers that nothing beside them changes: no sign, bound or direction is looked for."""

from __future__ import annotations

import re
from functools import lru_cache

from pae_verifiers.numbers import bounds, signs
from pae_verifiers.numbers.found import Found

_LONGEST = 16  # of the word before a number that is looked at here
# The words that make a bound or a fall of the number before them; see ``bounds`` and ``signs``.
_LOUD_AFTER = re.compile(
    r" (?:or|and|at|give|approximately|of|below|beneath|under|short|underweight|shy|lower|smaller|"
    r"less|fewer|down)\b",
    re.IGNORECASE,
)
_LOUD_LETTERS = frozenset("oagbusldOAGBUSLD")


def is_quiet(text: str, found: Found, falls: bool, losses: bool) -> bool:
    """Whether what stands beside a number in English gives it neither sign nor bound.

    ``falls`` says that the text has a word such as "decline", which may follow the number,
    ``losses`` that it has one whose sign reaches far. True only where it is certain: it saves many
    numbers the search for what they do not have.
    """
    at, until = found.at, found.until
    if found.body - at > 1:
        return False
    after = text[until : until + 1]
    if after == " ":
        letter = text[until + 1 : until + 2]
        if falls or (letter in _LOUD_LETTERS and _LOUD_AFTER.match(text, until)):
            return False
    elif after in ("+", "-") or after.isspace():
        return False
    if not at:
        return True
    if text[at - 1] != " ":
        return text[at - 1] == "*"
    start = max(0, at - _LONGEST)
    word = text[text.rfind(" ", start, at - 1) + 1 or start : at - 1]
    if word.isalpha():
        return len(word) < _LONGEST - 2 and _is_quiet(word, losses)
    last = word[-1:]
    return not (last.isalpha() or last.isspace()) and _is_quiet(last, losses)


@lru_cache(maxsize=4096)
def _is_quiet(word: str, losses: bool) -> bool:
    word = word.lower()
    return bounds.is_quiet(word) and signs.is_quiet(word, losses)
