"""Lists told off one by one: "the bonds and the gold were $8 and $3 respectively"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from pae_verifiers.numbers.aliases import Occurrence
from pae_verifiers.numbers.model import Quantity

_WORD = re.compile(r"\brespectively\b", re.IGNORECASE)
_JOINED = re.compile(
    r"^\s*(?:,|;|,?\s*(?:and|or))\s*(?:by|of|at|to|about|around)?\s*$", re.IGNORECASE
)
_LISTED = re.compile(
    r"^\s*(?:,|;|,?\s*(?:and|or))\s*(?:(?:the|its|their|your|our|those|that|of|in|on|for)\s+){0,3}$",
    re.IGNORECASE,
)
_TRAILING = 60  # characters from the last number to the word
_MOST = 12  # members of a list


def partners(
    text: str, offset: int, numbers: Sequence[Quantity], spoken: Sequence[Occurrence]
) -> Mapping[int, tuple[int, frozenset[int]]]:
    """Number's ``at`` -> the alias told off to it, and those told off to the others.

    ``text`` is the sentence, ``offset`` its place in the rendered text. The list of words is the
    nearest one before the numbers that is as long as the list of numbers.
    """
    found: dict[int, tuple[int, frozenset[int]]] = {}
    for word in _WORD.finditer(text):
        told = _numbers_before(text, offset, numbers, word.start() + offset)
        if len(told) < 2:
            continue
        names = _names_before(text, offset, spoken, told[0].at, len(told))
        for index, (number, name) in enumerate(zip(told, names, strict=False)):
            others = {other.alias for other in names[:index] + names[index + 1 :]}
            found[number.at] = name.alias, frozenset(others - {name.alias})
    return found


def _numbers_before(
    text: str, offset: int, numbers: Sequence[Quantity], end: int
) -> list[Quantity]:
    """The list of numbers that ends right before ``end``."""
    told: list[Quantity] = []
    for number in reversed([n for n in numbers if n.until <= end][-_MOST:]):
        limit = told[0].at if told else end
        between = text[number.until - offset : limit - offset]
        if (not told and len(between) > _TRAILING) or (told and not _JOINED.match(between)):
            break
        told.insert(0, number)
    return told


def _names_before(
    text: str, offset: int, spoken: Sequence[Occurrence], end: int, count: int
) -> list[Occurrence]:
    """The last list of exactly ``count`` names before ``end``; empty where there is none."""
    listed: list[Occurrence] = []
    for name in reversed([s for s in spoken if s.until <= end and not s.inside][-8 * _MOST :]):
        if listed and _LISTED.match(text[name.until - offset : listed[0].at - offset]):
            listed.insert(0, name)
        elif len(listed) == count:
            break
        else:
            listed = [name]
    return listed if len(listed) == count else []
