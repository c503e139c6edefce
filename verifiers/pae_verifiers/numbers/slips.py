"""Names the known ways in which a number misses the fact it speaks of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal

from pae_verifiers.numbers.matcher import (
    DIRECTIONS,
    NEAR,
    Pair,
    comparable,
    displays,
    distance,
    holds,
    pair,
    within,
)
from pae_verifiers.numbers.measure import EXACT, Known, Shown
from pae_verifiers.numbers.units import UNITS

_PARTS = frozenset({"level", "change"})
_CURRENCIES = frozenset(
    unit.dimension
    for unit in UNITS.values()
    if len(unit.dimension) == 3 and unit.dimension.isupper()
)
_FACTORS = (Decimal(100), Decimal("0.01"), Decimal(10000), Decimal("0.0001"))


def name_slip(shown: Shown, known: Known, *, apart: bool = False, is_bound: bool = True) -> str:
    """The slip that explains the difference, or "" when none does.

    The number must not match the fact (``matcher.matches``). A loose bound is a slip only against
    the fact that the number is bound to.
    """
    values = pair(shown, known, apart=apart)
    if not comparable(shown, known):
        return "unit_slip" if _wrong_unit(shown, known, values) else ""
    if known.fact.sign == "signed" and displays(shown, known, Pair(-values.d, values.v)):
        return "sign_flipped"
    if holds_not(shown, values):
        return "unit_slip" if _wrong_factor(shown, known, values) else ""
    return (
        _rounding_slip(shown, known, values)
        or ("unit_slip" if _wrong_factor(shown, known, values) else "")
        or ("loose_bound" if is_bound and holds(shown, values) else "")
    )


def holds_not(shown: Shown, values: Pair) -> bool:
    """Whether the number is a bound, and false of the fact."""
    return shown.bound in DIRECTIONS and not holds(shown, values)


def _rounding_slip(shown: Shown, known: Known, values: Pair) -> str:
    d, v = values
    gap = distance(values)
    if not d:
        return "rounded_to_zero" if abs(v) <= shown.quantum else ""
    if v and (d < 0) != (v < 0):
        return ""
    if shown.last_digit < known.quantum and gap * 2 <= known.quantum:
        return "overprecise"
    if gap <= shown.quantum or (gap * 2 <= shown.zeros and within(values, NEAR)):
        return "misrounded"
    return ""


def _wrong_unit(shown: Shown, known: Known, values: Pair) -> bool:
    """Percent for percentage points, or the right figure in the wrong currency."""
    either = (_PARTS, _CURRENCIES)
    related = any(shown.dimensions & kind and known.dimensions & kind for kind in either)
    return related and displays(shown, known, values)


def _wrong_factor(shown: Shown, known: Known, values: Pair) -> bool:
    """Off by 100 or 10000, as bps written as percent are."""
    if not shown.dimensions & known.dimensions & _PARTS:
        return False
    return any(
        displays(scaled, known, Pair(EXACT.multiply(values.d, by), values.v))
        for scaled, by in _scaled(shown)
    )


def _scaled(shown: Shown) -> Iterable[tuple[Shown, Decimal]]:
    for by in _FACTORS:
        yield (
            replace(
                shown,
                quantum=EXACT.multiply(shown.quantum, by),
                zeros=EXACT.multiply(shown.zeros, by),
                last_digit=EXACT.multiply(shown.last_digit, by),
            ),
            by,
        )
