"""Brings quantities and facts to common units: dimension, value and precision in base units."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Context, Decimal

from pae_verifiers.numbers.model import Bound, Fact, Quantity
from pae_verifiers.numbers.units import dimension, factor

# Exact for anything a memo shows, and no input can make it raise.
EXACT = Context(prec=80, traps=[])

BARE = "bare"  # facts without a unit, and numbers without one
_DIGITS_ONLY = re.compile(r"[^\W\d_]|[%‰½¼¾⅓⅔/]")


@dataclass(frozen=True)
class Shown:
    """A quantity as it is compared: signed value and quantum in base units.

    ``dimensions`` are those it may be of; ``zeros`` is 10^tz, the size that its trailing zeros may
    stand for, or 0 for a display with decimals; ``last_digit`` is the size of its last digit that
    is not a padding zero; ``fraction`` marks a spelled fraction, ``scaled`` a scale word.
    """

    dimensions: frozenset[str]
    value: Decimal
    quantum: Decimal
    zeros: Decimal
    last_digit: Decimal
    bound: Bound | None
    integer: bool
    fraction: bool
    scaled: bool


@dataclass(frozen=True)
class Known:
    """A fact as it is compared. ``rough`` is the value as a float, for a first look."""

    fact: Fact
    dimensions: frozenset[str]
    value: Decimal
    quantum: Decimal
    rough: float

    @property
    def exact_only(self) -> bool:
        """A count is right or wrong; it is not rounded."""
        return self.fact.unit == "count"


def dimensions_of_fact(unit: str | None) -> frozenset[str]:
    """bps is a level, and a change as well; a fact without unit compares with bare numbers only."""
    if unit is None:
        return frozenset({BARE})
    if unit == "bps":
        return frozenset({"level", "change"})
    return frozenset({dimension(unit) or BARE})


def dimensions_of_quantity(quantity: Quantity) -> frozenset[str]:
    """A bare integer may be a count or a number of shares, a bare decimal a ratio."""
    if quantity.unit == "bps":
        return frozenset({"level", "change"})
    if quantity.unit not in (None, "ratio", "count"):
        return frozenset({dimension(quantity.unit) or BARE})
    whole = quantity.value == quantity.value.to_integral_value()
    if quantity.unit == "count":
        return frozenset({"count"})
    if quantity.unit == "ratio" and not is_bare(quantity):
        return frozenset({"level"})
    if whole and quantity.quantum >= 1:
        return frozenset({BARE, "count", "share"})
    return frozenset({BARE, "level"})


def is_bare(quantity: Quantity) -> bool:
    """Whether the text shows digits only, whatever unit the scanner reads them as."""
    if quantity.kind == "spelled":
        return quantity.unit is None
    return quantity.unit is None or (
        quantity.unit == "ratio" and not _DIGITS_ONLY.search(quantity.text)
    )


def known(fact: Fact) -> Known:
    """The fact in base units."""
    size = factor(fact.unit)
    value = EXACT.multiply(fact.value, size)
    exponent = fact.value.as_tuple().exponent
    quantum = EXACT.scaleb(size, exponent) if isinstance(exponent, int) else size
    return Known(fact, dimensions_of_fact(fact.unit), value, quantum, float(value))


def shown(quantity: Quantity) -> Shown:
    """The quantity in base units."""
    size = factor(quantity.unit)
    value = EXACT.multiply(quantity.value, size)
    quantum = EXACT.multiply(quantity.quantum, size)
    fraction = quantity.kind == "spelled" and quantity.unit == "ratio"
    integer = quantity.quantum >= quantity.scale and not fraction
    last_digit = _last_digit(quantity.value, size)
    zeros = Decimal(0)
    if integer and value and last_digit > quantum:
        zeros = last_digit
    return Shown(
        dimensions=dimensions_of_quantity(quantity),
        value=value,
        quantum=quantum,
        zeros=zeros,
        last_digit=Decimal("Infinity") if fraction else last_digit,
        bound=quantity.bound,
        integer=integer,
        fraction=fraction,
        scaled=quantity.scale != 1,
    )


def _last_digit(value: Decimal, size: Decimal) -> Decimal:
    """The size of the last digit that is not zero, times ``size``; infinite for 0."""
    digits, exponent = value.as_tuple().digits, value.as_tuple().exponent
    if not value or not isinstance(exponent, int):
        return Decimal("Infinity")
    text = "".join(map(str, digits))
    return EXACT.scaleb(size, exponent + len(text) - len(text.rstrip("0")))
