"""A number found in one block's text, before it becomes a Quantity."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Context, Decimal

from pae_verifiers.numbers.model import Bound, QuantityKind

# Exact for every numeral the scanner accepts; the default context rounds at 28 digits.
EXACT = Context(prec=400)
# The scale of a number without a scale word.
ONE = Decimal(1)


@dataclass(slots=True, eq=False)
class Found:
    """``[at, until)`` is the whole form in the block's text, ``[body, stop)`` its digits or words.

    ``value`` and ``quantum`` are without the scale and without a sign.

    Unlike all else here it is not frozen: each stage of the scanner adds what it finds to the
    same object, of which a text may have hundreds of thousands.
    """

    at: int
    until: int
    body: int
    stop: int
    value: Decimal
    quantum: Decimal
    kind: QuantityKind = "quantity"
    unit: str | None = None
    scale: Decimal = ONE
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
