"""Small counts: whether "nine" counts what a fact counts, or just something in the text."""

from __future__ import annotations

import re
from itertools import pairwise

from pae_verifiers.numbers.binding import Bound
from pae_verifiers.numbers.book import Entry
from pae_verifiers.numbers.model import Quantity

SMALL = 12  # bare integers up to here may just count something in the text ("three reasons")
_NEAR_WORDS = re.compile(r"^\s*(?:[^\W\d]+(?:['’-][^\W\d]+)*\s+){0,3}$")
_LOOSE_WORDS = re.compile(
    r"\b(?:of|in|and|or|to|for|with|that|which|who|were|was|is|are|have|has|had|will|from|on|at|by|"
    r"than|as|reasons?|things?|points?|ways?|steps?|months?|parts?|times|further|because|more|other)\b",
    re.IGNORECASE,
)
_LINKING = re.compile(
    r"^[\s:=|]*(?:(?:is|was|were|are|of|now|stands?\s+at|came\s+to|totall?(?:ed|s|ing)?|numbered)\s*)?$",
    re.IGNORECASE,
)

_SAID_OF = re.compile(r"^\s*(?:[^\W\d]+\s+){0,3}(?:is|are|was|were)\s+$", re.IGNORECASE)
_OF_THEIRS = re.compile(r"^\s*(?:of\s+)?(?:its|their|the|your|our)\s+$", re.IGNORECASE)


def is_small(quantity: Quantity) -> bool:
    """Whether this is a bare integer up to 12, spelled or not."""
    value = quantity.value
    return (
        quantity.unit in (None, "count")
        and quantity.scale == 1
        and 0 <= value <= SMALL
        and value == value.to_integral_value()
        and quantity.quantum >= 1
    )


def counts(bound: Bound) -> list[Entry]:
    """The candidate counts whose own words stand beside the number ("nine small trades").

    Or that are said of what it counts ("nine were outside their bands"), where it is more than
    any of them: less may be a part.
    """
    every = [entry for entry in bound.candidates if entry.fact.unit == "count" and entry.groups]
    beside = [entry for entry in every if _stands_beside(bound, entry)]
    said = [entry for entry in every if _is_said_of_it(bound, entry)]
    return beside or [e for e in said if all(bound.shown.value > s.known.value for s in said)]


def _is_said_of_it(bound: Bound, entry: Entry) -> bool:
    """Whether the words of two groups, one right after the other, are the number's predicate."""
    place, quantity = bound.place, bound.quantity
    if len(entry.groups) < 2:
        return False
    first, others = entry.groups[0], frozenset().union(*entry.groups[1:])
    words = first | others
    behind = [f for f in place.spoken if f.at >= quantity.until and f.alias in words]
    return any(
        one.alias in first
        and two.alias in others
        and _SAID_OF.match(place.between(quantity, one))
        and _OF_THEIRS.match(place.text[one.until - place.span.at : two.at - place.span.at])
        for one, two in pairwise(behind)
    )


def _stands_beside(bound: Bound, entry: Entry) -> bool:
    place, quantity = bound.place, bound.quantity
    aliases = frozenset().union(*entry.groups)
    if place.text.strip() == quantity.text and place.block.kind == "table_cell":
        return True
    for found in place.spoken:
        if found.alias not in aliases:
            continue
        text = place.between(quantity, found)
        if found.at >= quantity.until:
            if _NEAR_WORDS.match(text) and not _LOOSE_WORDS.search(text):
                return True
        elif _LINKING.match(text):
            return True
    return False
