"""The unit table, and that it says what the registry says."""

from __future__ import annotations

import subprocess
import sys
from decimal import Decimal

import pytest

from pae_verifiers.numbers import lexicon, units
from pae_verifiers.numbers.units import registry


def test_table_equals_the_registry() -> None:
    assert registry.derive() == units.UNITS


def test_registry_knows_nothing_but_the_projects_units() -> None:
    assert set(dir(registry.registry())).isdisjoint({"meter", "k", "baud", "point_typographic"})


def test_registry_converts_in_decimal() -> None:
    quantity = registry.registry().Quantity(Decimal("12.5"), "percent").to("bps")
    assert quantity.magnitude == Decimal("1250")


@pytest.mark.parametrize(
    ("unit", "factor"),
    [("ratio", "1"), ("multiple", "1"), ("percent", "0.01"), ("bps", "0.0001")],
)
def test_levels_share_a_dimension(unit: str, factor: str) -> None:
    assert (units.dimension(unit), units.factor(unit)) == ("level", Decimal(factor))


def test_a_change_is_no_level() -> None:
    assert (units.dimension("pp"), units.factor("pp")) == ("change", Decimal("0.01"))


def test_a_bare_number_has_no_dimension() -> None:
    assert (units.dimension(None), units.factor(None)) == (None, Decimal(1))


def test_unknown_unit_is_refused() -> None:
    with pytest.raises(KeyError):
        units.dimension("baud")


def test_two_currencies_never_compare() -> None:
    dimensions = [units.dimension(code) for code in lexicon.CURRENCY_CODES]
    assert len(set(dimensions)) == len(dimensions)


def test_every_unit_of_the_lexicon_is_in_the_table() -> None:
    named = {
        *lexicon.CURRENCY_CODES,
        *lexicon.CODE_SYNONYMS.values(),
        *lexicon.CURRENCY_SYMBOLS.values(),
        *lexicon.CURRENCY_WORDS.values(),
        *lexicon.CENTS.values(),
        *lexicon.RATE_WORDS.values(),
        *lexicon.TIME_WORDS.values(),
        "share",
        "count",
        "ratio",
        "multiple",
    }
    assert named <= set(units.UNITS)


def test_scanning_does_not_import_pint() -> None:
    code = (
        "import sys\n"
        "from pae_verifiers.numbers import markdown, scanner\n"
        "scanner.scan(markdown.render('It is **12.5%** now.'))\n"
        "assert 'pint' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
