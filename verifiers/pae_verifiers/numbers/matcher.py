"""The value rule: when a shown number is a fair display of a stored one. Pure arithmetic."""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple

from pae_verifiers.numbers.measure import EXACT, Known, Shown

ROUNDING = Decimal("0.01")  # how far trailing zeros may round
ROUGH_ROUNDING = Decimal("0.05")  # the same after "about"
NEAR = Decimal("0.1")  # bounds, scale words and numbers that are bound to nothing
FRACTION_SLACK = Decimal("0.15")  # "more than half", in parts of the whole
DIRECTIONS = ("<", "<=", ">", ">=")


class Pair(NamedTuple):
    """Shown value d and stored value v, their signs made comparable."""

    d: Decimal
    v: Decimal


def pair(shown: Shown, known: Known, *, apart: bool = False) -> Pair:
    """d and v in base units.

    Signs go where the fact is a magnitude, where a number is given as ± or, with ``apart``, where
    the words around the number leave its sign open.
    """
    d, v = shown.value, known.value
    if known.fact.sign == "magnitude" or shown.bound == "+-":
        return Pair(abs(d), abs(v))
    return Pair(abs(d), abs(v)) if apart else Pair(d, v)


def comparable(shown: Shown, known: Known) -> bool:
    """Whether the two are of one dimension."""
    return not shown.dimensions.isdisjoint(known.dimensions)


def displays(shown: Shown, known: Known, values: Pair) -> bool:
    """The value rule, bounds left aside: d is v, rounded as a careful writer would."""
    d, v = values
    if d == v:
        return True
    if not d or not v or (d < 0) != (v < 0) or known.exact_only:
        return False
    if shown.last_digit < known.quantum:
        return False
    gap = distance(values)
    if shown.scaled and gap > EXACT.multiply(NEAR, abs(v)):
        return False
    return gap * 2 <= shown.quantum or rounds_by_zeros(shown, values)


def rounds_by_zeros(shown: Shown, values: Pair) -> bool:
    """Trailing zeros as rounding: within half of 10^tz, and within 1 % (5 % after "about")."""
    gap = distance(values)
    share = ROUGH_ROUNDING if shown.bound == "~" else ROUNDING
    return gap * 2 <= shown.zeros and gap <= EXACT.multiply(share, abs(values.v))


def matches(shown: Shown, known: Known, *, apart: bool = False, is_bound: bool = True) -> bool:
    """Whether the number ties out to the fact.

    A number that is not bound to the fact is held to more: an integer display must lie within
    10 %, and a limit must be the fact itself.
    """
    if not comparable(shown, known):
        return False
    values = pair(shown, known, apart=apart)
    if displays(shown, known, values):
        return is_bound or not shown.integer or within(values, NEAR)
    if not is_bound or not holds(shown, values):
        return False
    return distance(values) <= (
        FRACTION_SLACK if shown.fraction else EXACT.multiply(NEAR, abs(values.v))
    )


def holds(shown: Shown, values: Pair) -> bool:
    """Whether the number is a bound, and true of the fact."""
    d, v = values
    truths = {"<": v < d, "<=": v <= d, ">": v > d, ">=": v >= d}
    return truths.get(shown.bound or "", False)


def within(values: Pair, share: Decimal) -> bool:
    return distance(values) <= EXACT.multiply(share, abs(values.v))


def distance(values: Pair) -> Decimal:
    return abs(EXACT.subtract(values.d, values.v))
