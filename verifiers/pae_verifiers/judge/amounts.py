"""Where a document gives amounts: of money, in percent, in basis or percentage points, or bare.

The scanner finds them, so an amount in words ("twelve hundred dollars") is one, and a date, an
ordinal, a label ("95% confidence") or a small count in words ("two kinds") is none.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import islice
from operator import attrgetter
from typing import NamedTuple

from pae_verifiers.numbers.model import Document, Quantity
from pae_verifiers.numbers.scanner import scan

_OF_A_WHOLE = frozenset({"percent", "bps", "pp"})
_SPELLED_OUT = 100  # a bare number in words is an amount from here on


class Amount(NamedTuple):
    """An amount at ``[at, until)`` of the rendered text.

    ``mark`` is how a statement shows it: ``¤``, or ``¤%`` if it is in percent.
    """

    at: int
    until: int
    mark: str


def amounts(document: Document) -> tuple[Amount, ...]:
    """The amounts of the rendered text, in order."""
    return tuple(
        Amount(q.at, q.until, "¤%" if q.unit == "percent" else "¤")
        for q in scan(document).quantities
        if _is_amount(q)
    )


def marked(text: str, start: int, found: Sequence[Amount]) -> str:
    """``text``, which begins at ``start`` of the rendered text, with each amount as its mark."""
    parts: list[str] = []
    at = 0
    for amount in islice(found, bisect_left(found, start, key=attrgetter("at")), None):
        if amount.at >= start + len(text):
            break
        if start + at <= amount.at and amount.until <= start + len(text):
            parts += text[at : amount.at - start], amount.mark
            at = amount.until - start
    return "".join([*parts, text[at:]])


def _is_amount(quantity: Quantity) -> bool:
    unit = quantity.unit
    if unit in _OF_A_WHOLE or (unit is not None and len(unit) == 3 and unit.isupper()):
        return quantity.kind in ("quantity", "spelled")
    if unit is not None:
        return False
    if quantity.kind == "spelled":
        return abs(quantity.value) >= _SPELLED_OUT
    return quantity.kind == "quantity"
