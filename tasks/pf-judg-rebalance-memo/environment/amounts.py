"""Rounding: money, rates and weights as they are shown, so that shown parts sum to shown totals."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_FLOOR, ROUND_HALF_UP, Decimal

ZERO = Decimal(0)
HUNDRED = Decimal(100)
CENT = Decimal("0.01")
BPS_PER_UNIT = Decimal(10000)


def shown(value: Decimal, places: int = 2) -> Decimal:
    """``value`` rounded half up to ``places`` decimals, never a negative zero."""
    rounded = value.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP)
    return abs(rounded) if rounded == 0 else rounded


def plain(value: Decimal) -> Decimal:
    """The same number without trailing zeros: 52.0 is written 52, 1.50 is written 1.5."""
    return shown(value, max(0, -int(value.normalize().as_tuple().exponent)))


def whole(value: Decimal) -> int:
    return int(value.quantize(Decimal(1), rounding=ROUND_HALF_UP))


def shown_parts(parts: Sequence[Decimal], total: Decimal, places: int = 2) -> list[Decimal]:
    """Parts rounded so that they sum to ``total`` (already rounded), by largest remainder.

    Ties go to the earlier part.
    """
    step = Decimal(1).scaleb(-places)
    floors = [part.quantize(step, rounding=ROUND_FLOOR) for part in parts]
    missing = int((total - sum(floors, ZERO)) / step)
    order = sorted(range(len(parts)), key=lambda i: (floors[i] - parts[i], i))
    raised = set(order[:missing])
    return [shown(floor + step * (i in raised), places) for i, floor in enumerate(floors)]


def percent_of(part: Decimal, whole_amount: Decimal) -> Decimal:
    return part * HUNDRED / whole_amount


def bps_of(part: Decimal, whole_amount: Decimal) -> Decimal:
    return part * BPS_PER_UNIT / whole_amount
