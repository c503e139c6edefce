"""NUMBERS.md §4, one row a case: how it is shown, what the source says, what becomes of it."""

from __future__ import annotations

import pytest

from pae_verifiers.numbers.facts import load
from pae_verifiers.numbers.markdown import render
from pae_verifiers.numbers.scanner import scan
from pae_verifiers.numbers.tie import tie

MATCHED = "matched"
FABRICATED = "fabricated"
Row = tuple[str, str, str, str]

ROUNDING: list[Row] = [
    # shown, literal, unit, verdict or the slip's name
    ("12.5%", "12.5", "percent", MATCHED),
    ("12.50%", "12.5", "percent", MATCHED),  # padding zeros are not digits
    ("12.500%", "12.5", "percent", MATCHED),
    ("13%", "12.5", "percent", MATCHED),  # half up
    ("12%", "12.5", "percent", MATCHED),  # half even
    ("12%", "12.49", "percent", MATCHED),
    ("13%", "12.49", "percent", "misrounded"),
    ("12%", "12.51", "percent", "misrounded"),
    ("13%", "12.51", "percent", MATCHED),
    ("12.4%", "12.44", "percent", MATCHED),
    ("12.4%", "12.45", "percent", MATCHED),
    ("12.5%", "12.45", "percent", MATCHED),
    ("12.6%", "12.45", "percent", FABRICATED),
    ("12.4%", "12.46", "percent", "misrounded"),
    ("12.4%", "12.51", "percent", FABRICATED),
    ("14%", "12.9", "percent", FABRICATED),
    ("11.8%", "12.5", "percent", FABRICATED),
    ("2%", "2.41", "percent", MATCHED),
    ("2%", "2.5", "percent", MATCHED),
    ("2%", "2.51", "percent", "misrounded"),
    ("1%", "2.41", "percent", FABRICATED),
    ("0.0163%", "0.0163", "percent", MATCHED),
    ("0.02%", "0.0163", "percent", MATCHED),
    ("0.01%", "0.0163", "percent", "misrounded"),
    ("12.50%", "12.4951", "percent", MATCHED),
    ("$1,284.53", "1284.53", "USD", MATCHED),
    ("$1,284.5", "1284.53", "USD", MATCHED),
    ("$1,285", "1284.53", "USD", MATCHED),
    ("$1,284", "1284.53", "USD", "misrounded"),
    ("$1,286", "1284.53", "USD", FABRICATED),
    ("US$1,285", "1284.53", "USD", MATCHED),
    ("4.27 bps", "4.27", "bps", MATCHED),
    ("4.3 basis points", "4.27", "bps", MATCHED),
    ("4 bps", "4.27", "bps", MATCHED),
    ("5 bps", "4.27", "bps", "misrounded"),
    ("1.2x", "1.23", "multiple", MATCHED),
    ("1.3x", "1.23", "multiple", "misrounded"),
    ("2.3 percentage points", "2.34", "pp", MATCHED),
    ("2.4 percentage points", "2.34", "pp", "misrounded"),
]

TRAILING_ZEROS: list[Row] = [
    ("$1,280", "1284.53", "USD", MATCHED),
    ("$1,300", "1284.53", "USD", "misrounded"),  # 1.2 % off
    ("about $1,300", "1284.53", "USD", MATCHED),
    ("about $1,200", "1284.53", "USD", FABRICATED),  # 6.6 % off, and beyond half of 100
    ("$1,300", "1290.00", "USD", MATCHED),
    ("$1,000", "1284.53", "USD", FABRICATED),
    ("$1,000", "1090.00", "USD", "misrounded"),
    ("$1,000", "1120.00", "USD", FABRICATED),  # more than 10 % off
    ("about $1,000", "1049.00", "USD", MATCHED),
    ("about $1,000", "1060.00", "USD", "misrounded"),
    ("$100,000", "100999", "USD", MATCHED),
    ("$100,000", "101020", "USD", "misrounded"),
    ("$5,740,000", "5743291.01", "USD", MATCHED),
    ("$5,750,000", "5743291.01", "USD", FABRICATED),  # beyond half of 10,000
    ("$5,700,000", "5743291.01", "USD", MATCHED),
    ("100%", "99.2", "percent", MATCHED),
    ("100%", "98.9", "percent", "misrounded"),
    ("20%", "20.15", "percent", MATCHED),
    ("20%", "20.9", "percent", "misrounded"),
    ("roughly 20%", "20.9", "percent", MATCHED),
    ("roughly 20%", "21.2", "percent", "misrounded"),
]

SCALES: list[Row] = [
    ("$5.74 million", "5743291.01", "USD", MATCHED),
    ("$5.7m", "5743291.01", "USD", MATCHED),
    ("$6 million", "5743291.01", "USD", MATCHED),
    ("$5.75 million", "5743291.01", "USD", "misrounded"),
    ("$5 million", "5743291.01", "USD", "misrounded"),
    ("$1 million", "1090000", "USD", MATCHED),
    ("$1 million", "1120000", "USD", "misrounded"),  # within half a unit, not within 10 %
    ("$10 million", "10400000", "USD", MATCHED),
    ("$10 million", "10600000", "USD", "misrounded"),
    ("$190k", "189972.09", "USD", MATCHED),
    ("$2.35bn", "2348910220.5", "USD", MATCHED),
    ("$2.34bn", "2348910220.5", "USD", "misrounded"),
    ("$2.31bn", "2348910220.5", "USD", FABRICATED),
]

PRECISION: list[Row] = [
    ("12.53%", "12.5", "percent", "overprecise"),
    ("12.547%", "12.5", "percent", "overprecise"),
    ("12.56%", "12.5", "percent", FABRICATED),
    ("11.240731%", "11.24", "percent", "overprecise"),
    ("$1,284.527", "1284.53", "USD", "overprecise"),
    ("$184,000.37", "184000", "USD", "overprecise"),
    ("1250.3 bps", "12.5", "percent", "overprecise"),
    ("0.0427%", "4.27", "bps", MATCHED),
    ("0.042731%", "4.27", "bps", "overprecise"),
]

ZERO_AND_SIGN: list[Row] = [
    ("0%", "0", "percent", MATCHED),
    ("0.0%", "0.00", "percent", MATCHED),
    ("$0", "0.00", "USD", MATCHED),
    ("0%", "0.4", "percent", "rounded_to_zero"),
    ("0.0%", "-0.0163", "percent", "rounded_to_zero"),
    ("0%", "1.2", "percent", FABRICATED),
    ("0.1%", "0.00", "percent", "misrounded"),
    ("−2.5%", "-2.5", "percent", MATCHED),
    ("2.5%", "-2.5", "percent", "sign_flipped"),
    ("−2.5%", "2.5", "percent", "sign_flipped"),
    ("−2.4%", "-2.44", "percent", MATCHED),
    ("2.4%", "-2.44", "percent", "sign_flipped"),
    ("−2.5%", "-2.44", "percent", "misrounded"),
    ("a fall of 2.5 percentage points", "-2.5", "pp", MATCHED),
    ("a rise of 2.5 percentage points", "-2.5", "pp", "sign_flipped"),
    ("2.5 percentage points away from target", "-2.5", "pp", MATCHED),
    ("2.5 percentage points below target", "-2.5", "pp", MATCHED),
    ("2.5 percentage points above target", "-2.5", "pp", "sign_flipped"),
    ("±2.5%", "2.5", "percent", MATCHED),
]

UNITS: list[Row] = [
    ("125 bps", "1.25", "percent", MATCHED),
    ("1.25%", "125", "bps", MATCHED),
    ("0.25", "25", "percent", MATCHED),
    ("1.25x", "125", "percent", MATCHED),
    ("25 bps", "0.25", "pp", MATCHED),
    ("0.25 percentage points", "25", "bps", MATCHED),
    ("4.27%", "4.27", "bps", "unit_slip"),
    ("427 bps", "4.27", "bps", "unit_slip"),
    ("0.12%", "12", "percent", "unit_slip"),
    ("1200%", "12", "percent", "unit_slip"),
    ("12 bps", "12", "percent", "unit_slip"),
    ("2.3%", "2.34", "pp", "unit_slip"),
    ("2.3 percentage points", "2.34", "percent", "unit_slip"),
    ("€1,285", "1284.53", "USD", "unit_slip"),
    ("€1,300", "1284.53", "USD", FABRICATED),
    ("$12.50", "12.5", "percent", FABRICATED),
    ("365 days", "365", "day", MATCHED),
    ("12 months", "1", "year", MATCHED),
    ("30 months", "30", "day", FABRICATED),
]

BOUNDS: list[Row] = [
    ("below 50%", "50", "percent", MATCHED),  # a quoted limit
    ("no more than 25%", "25", "percent", MATCHED),
    ("at least $100,000", "100000", "USD", MATCHED),
    ("less than 12%", "11.24", "percent", MATCHED),  # true and near
    ("less than 12.4%", "11.24", "percent", "loose_bound"),
    ("less than 20%", "11.24", "percent", "loose_bound"),
    ("less than 11.1%", "11.24", "percent", FABRICATED),  # false
    ("more than 10.2%", "11.24", "percent", MATCHED),
    ("more than 10.1%", "11.24", "percent", "loose_bound"),
    ("more than 12%", "11.24", "percent", FABRICATED),
    ("at least 11%", "11.24", "percent", MATCHED),
    ("over $1,200", "1284.53", "USD", MATCHED),
    ("over $1,100", "1284.53", "USD", "loose_bound"),
    ("over $1,400", "1284.53", "USD", FABRICATED),
    ("under $1,400", "1284.53", "USD", MATCHED),
]

COUNTS: list[Row] = [
    ("14 trades", "14", "count", MATCHED),
    ("fourteen trades", "14", "count", MATCHED),
    ("15 trades", "14", "count", "misrounded"),
    ("20 trades", "14", "count", FABRICATED),
    ("869 shares", "869", "share", MATCHED),
    ("870 shares", "869", "share", MATCHED),
    ("900 shares", "869", "share", "misrounded"),
]

FRACTIONS: list[Row] = [
    ("one-third", "33.3", "percent", MATCHED),
    ("one-third", "36", "percent", MATCHED),
    ("one-third", "39", "percent", "misrounded"),
    ("half", "48", "percent", MATCHED),
    ("half", "45", "percent", MATCHED),
    ("half", "39", "percent", FABRICATED),
    ("more than half", "52", "percent", MATCHED),
    ("more than half", "64", "percent", MATCHED),
    ("more than half", "66", "percent", "loose_bound"),
    ("more than half", "44", "percent", FABRICATED),
    ("three quarters", "0.78", "ratio", MATCHED),
    ("twelve point five percent", "12.5", "percent", MATCHED),
    ("twelve percent", "12.5", "percent", MATCHED),
    ("twelve percent", "13.9", "percent", FABRICATED),
]


def outcome(shown: str, literal: str, unit: str) -> str:
    """The verdict, or slip, of the first number of a sentence that speaks of the only fact."""
    config = {"facts": {"/figure": {"unit": unit, "aliases": [["figure"]]}}}
    facts = load(f'{{"figure": {literal}}}', config)
    result = tie(scan(render(f"The figure is {shown}.")), facts)
    number = result.numbers[0]
    return number.reason if number.verdict == "mismatch" else number.verdict


@pytest.mark.parametrize(
    ("shown", "literal", "unit", "expected"),
    [
        *ROUNDING,
        *TRAILING_ZEROS,
        *SCALES,
        *PRECISION,
        *ZERO_AND_SIGN,
        *UNITS,
        *BOUNDS,
        *COUNTS,
        *FRACTIONS,
    ],
)
def test_a_shown_number_against_its_fact(
    shown: str, literal: str, unit: str, expected: str
) -> None:
    assert outcome(shown, literal, unit) == expected


@pytest.mark.parametrize(
    ("pointer", "shown", "literal", "expected"),
    [
        ("/loss_pct", "2.5%", "-2.5", MATCHED),
        ("/drawdown_pct", "22.4%", "-22.43", MATCHED),
        ("/var_pct", "−4.5%", "4.47", MATCHED),
        ("/tax_usd", "$935", "-935.44", MATCHED),
        ("/cost_usd", "−$935", "935.44", MATCHED),
        ("/drift_pp", "2.5 pp", "-2.5", "sign_flipped"),
        ("/change_pct", "2.5%", "-2.5", "sign_flipped"),
    ],
)
def test_magnitudes_carry_no_sign(pointer: str, shown: str, literal: str, expected: str) -> None:
    facts = load(f'{{"{pointer[1:]}": {literal}}}', {"facts": {pointer: {"aliases": [["figure"]]}}})
    number = tie(scan(render(f"The figure is {shown}.")), facts).numbers[0]
    assert (number.reason or number.verdict) == expected
