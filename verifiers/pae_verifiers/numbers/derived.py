"""Recognises a number that was worked out from two others of its sentence."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from itertools import combinations

from pae_verifiers.numbers.binding import Bound
from pae_verifiers.numbers.measure import EXACT

_PARTS = frozenset({"level", "change"})


def is_derived(bound: Bound, operands: Sequence[Bound]) -> bool:
    """Whether the number is the sum or difference of two operands, as they are shown.

    The difference of two percentages may be given in percent or in percentage points.
    """
    related = [o for o in operands if _related(bound, o)]
    return any(
        _equals(bound, EXACT.add(one.shown.value, two.shown.value), one, two)
        or _equals(bound, EXACT.subtract(one.shown.value, two.shown.value), one, two)
        for one, two in combinations(related, 2)
    )


def _related(bound: Bound, other: Bound) -> bool:
    mine, others = bound.shown.dimensions, other.shown.dimensions
    return bool(mine & others) or bool(mine & _PARTS and others & _PARTS)


def _equals(bound: Bound, result: Decimal, one: Bound, two: Bound) -> bool:
    """Equal within half a last digit of the number, and of each operand."""
    slack = sum((b.shown.quantum for b in (bound, one, two)), Decimal(0)) / 2
    exact = max(one.shown.quantum, two.shown.quantum) <= bound.shown.quantum
    limit = bound.shown.quantum / 2 if exact else slack
    return abs(EXACT.subtract(abs(result), abs(bound.shown.value))) <= limit
