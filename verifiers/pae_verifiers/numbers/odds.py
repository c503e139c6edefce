"""How often something happens: "once in every twenty months" is a ratio, if it is no period."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal

from pae_verifiers.numbers.measure import EXACT
from pae_verifiers.numbers.model import Quantity

_ONCE = re.compile(
    r"\bonce\s+(?:in|every|out\s+of)(?:\s+(?:every|each|about|around|some|roughly))*\s*$",
    re.IGNORECASE,
)
_COUNTED = frozenset({None, "count", "multiple", "day", "week", "month", "year"})
_REACH = 40  # characters before the number
_MOST = 100  # of which something may happen once
_PLACES = 6


def as_odds(quantity: Quantity, text: str, offset: int) -> Quantity | None:
    """The number, in the sentence ``text`` at ``offset``, read as one in so many.

    None where no "once in" stands before it. Its quantum is about the step to one in one more.
    """
    whole = quantity.value == quantity.value.to_integral_value()
    if quantity.unit not in _COUNTED or not whole or not 1 < quantity.value <= _MOST:
        return None
    at = max(0, quantity.at - offset)
    if not _ONCE.search(text[max(0, at - _REACH) : at]):
        return None
    share = round(EXACT.divide(Decimal(1), quantity.value), _PLACES)
    step = round(EXACT.divide(share, quantity.value), _PLACES)
    return replace(quantity, value=share, unit="ratio", kind="spelled", quantum=step)
