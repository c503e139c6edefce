"""Units: which ones exist, which compare with which, and by what factor.

``UNITS`` is plain data; only ``registry`` imports pint, for whoever wants to convert with it.
"""

from __future__ import annotations

from decimal import Decimal

from pae_verifiers.numbers.units.table import UNITS, Unit

__all__ = ["UNITS", "Unit", "dimension", "factor"]


def dimension(unit: str | None) -> str | None:
    """The dimension of a unit or alias; None for a bare number.

    percent, ratio, multiple and bps are all "level"; pp is "change"; each currency is its own.
    Raises KeyError for a unit that the definition file does not have.
    """
    return None if unit is None else UNITS[unit].dimension


def factor(unit: str | None) -> Decimal:
    """The unit's size in its dimension's base: 0.01 for percent and pp, 0.0001 for bps.

    A bare number has factor 1. Raises KeyError for an unknown unit.
    """
    return Decimal(1) if unit is None else UNITS[unit].factor
