"""A number found in one block's text, before it becomes a Quantity."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Context, Decimal

from pae_verifiers.numbers.model import Bound, QuantityKind, made

# Exact for every numeral the scanner accepts; the default context rounds at 28 digits.
EXACT = Context(prec=400)


@dataclass(frozen=True)
class Found:
    """``[at, until)`` is the whole form in the block's text, ``[body, stop)`` its digits or words.

    ``value`` and ``quantum`` are without the scale and without a sign.
    """

    at: int
    until: int
    body: int
    stop: int
    value: Decimal
    quantum: Decimal
    kind: QuantityKind = "quantity"
    unit: str | None = None
    scale: Decimal = Decimal(1)
    negative: bool = False
    sign_from_word: bool = False
    bound: Bound | None = None
    lookalike: bool = False
    per_annum: bool = False
    prefixed: bool = False  # a currency stands before the digits
    exempt: bool = False

    @property
    def bare(self) -> bool:
        return self.unit is None and self.scale == 1


def replace(found: Found, **fields: object) -> Found:
    """The number with other values in some fields, as ``dataclasses.replace`` but faster."""
    return made(Found, found.__dict__ | fields)
