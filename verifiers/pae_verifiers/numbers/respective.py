"""Lists told off one by one: "the bonds and the gold were $8 and $3 respectively"."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
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
    ends = [number.until for number in numbers]
    starts = [name.at for name in spoken]
    for word in _WORD.finditer(text):
        last = bisect_right(ends, word.start() + offset)
        told = _list_of_numbers(text, offset, numbers[max(0, last - _MOST) : last], word.start())
        if len(told) < 2:
            continue
        last = bisect_left(starts, told[0].at)
        near = spoken[max(0, last - 8 * _MOST) : last]
        names = _list_of_names(text, offset, _single(near), len(told))
        for index, (number, name) in enumerate(zip(told, names, strict=False)):
            others = {other.alias for other in names[:index] + names[index + 1 :]}
            found[number.at] = name.alias, frozenset(others - {name.alias})
    return found


def _list_of_numbers(
    text: str, offset: int, numbers: Sequence[Quantity], end: int
) -> list[Quantity]:
    """The list of numbers that ends right before ``end`` of the sentence."""
    told: list[Quantity] = []
    for number in reversed(numbers):
        between = text[number.until - offset : told[0].at - offset if told else end]
        if len(between) > _TRAILING if not told else not _JOINED.match(between):
            break
        told.insert(0, number)
    return told


def _list_of_names(
    text: str, offset: int, names: Sequence[Occurrence], count: int
) -> list[Occurrence]:
    """The last list of exactly ``count`` of the names; empty where there is none."""
    listed: list[Occurrence] = []
    for name in reversed(names):
        if listed and _LISTED.match(text[name.until - offset : listed[0].at - offset]):
            listed.insert(0, name)
        elif len(listed) == count:
            break
        else:
            listed = [name]
    return listed if len(listed) == count else []


def _single(spoken: Sequence[Occurrence]) -> list[Occurrence]:
    """The longest names, but of "gold and real estate" the two."""
    kept: list[Occurrence] = []
    for name in spoken:
        inner = [s for s in spoken if s is not name and name.at <= s.at and s.until <= name.until]
        parted = any(s.at == name.at for s in inner) and any(
            s.until == name.until and s.at > name.at for s in inner
        )
        if not parted and not any(k.at <= name.at and name.until <= k.until for k in kept):
            kept.append(name)
    return kept
