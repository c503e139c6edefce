"""The pint registry behind the unit table. The scanner never imports this module."""

from __future__ import annotations

from decimal import Decimal
from importlib.resources import as_file, files
from typing import TYPE_CHECKING

from pae_verifiers.numbers.units.table import Unit

if TYPE_CHECKING:
    import pint


def registry() -> pint.UnitRegistry[Decimal]:
    """The project's own units in a fresh registry; values are Decimal."""
    import pint

    units: pint.UnitRegistry[Decimal] = pint.UnitRegistry(None, non_int_type=Decimal)
    with as_file(files(__package__) / "definitions.txt") as path:
        units.load_definitions(path)
    return units


def aliases() -> tuple[str, ...]:
    """Every name that the definition file gives a unit, in its order."""
    names: dict[str, None] = {}
    text = (files(__package__) / "definitions.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            name, _, *others = (part.strip() for part in line.split("="))
            names.update(dict.fromkeys((name, *others)))
    return tuple(names)


def derive() -> dict[str, Unit]:
    """alias -> unit, dimension and factor to the dimension's base, as the registry has them."""
    units = registry()
    table: dict[str, Unit] = {}
    for alias in aliases():
        quantity = units.Quantity(Decimal(1), alias)
        base = quantity.to_base_units()
        (dimension,) = quantity.dimensionality
        table[alias] = Unit(
            units.get_name(alias), str(dimension).strip("[]"), Decimal(base.magnitude).normalize()
        )
    return table
