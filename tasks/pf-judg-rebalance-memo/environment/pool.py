"""What portfolios are made of: the sleeves there are, invented funds, joint moves."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True)
class Kind:
    """A kind of sleeve. Ranges are (low, high), in percent, as decimal strings."""

    id: str
    name: str
    group: str  # shares, bonds, real_assets or cash
    code: str  # the last two letters of its fund's ticker
    fund: str
    volatility: tuple[str, str]
    stress: tuple[str, str]  # return in the stress scenario
    growth: tuple[str, str]  # a year, before the last rebalance
    half_spread_bps: tuple[str, str]


KINDS: tuple[Kind, ...] = (
    Kind(
        "us_large_cap",
        "US large-cap shares",
        "shares",
        "LC",
        "US Large Companies ETF",
        ("14", "17"),
        ("-38", "-33"),
        ("5", "10"),
        ("2.0", "5.0"),
    ),
    Kind(
        "us_small_cap",
        "US small-cap shares",
        "shares",
        "SC",
        "US Small Companies ETF",
        ("19", "23"),
        ("-44", "-38"),
        ("3", "9"),
        ("7.5", "17.5"),
    ),
    Kind(
        "intl_developed",
        "International developed shares",
        "shares",
        "DM",
        "Developed Markets ex US ETF",
        ("15", "18"),
        ("-40", "-35"),
        ("2", "7"),
        ("5.0", "12.5"),
    ),
    Kind(
        "emerging_markets",
        "Emerging-market shares",
        "shares",
        "EM",
        "Emerging Markets ETF",
        ("19", "23"),
        ("-46", "-40"),
        ("0", "6"),
        ("10.0", "22.5"),
    ),
    Kind(
        "ig_bonds",
        "Investment-grade bonds",
        "bonds",
        "IG",
        "Investment Grade Bond ETF",
        ("5.5", "7.5"),
        ("-8", "-4"),
        ("-4", "0"),
        ("3.8", "10.0"),
    ),
    Kind(
        "treasuries",
        "US Treasuries",
        "bonds",
        "TR",
        "US Treasury Bond ETF",
        ("4.5", "6.5"),
        ("4", "9"),
        ("-4", "0"),
        ("2.0", "6.2"),
    ),
    Kind(
        "tips",
        "Inflation-linked bonds",
        "bonds",
        "IL",
        "Inflation-Linked Bond ETF",
        ("5", "7"),
        ("-5", "-1"),
        ("-3", "1"),
        ("5.0", "12.5"),
    ),
    Kind(
        "real_estate",
        "Real estate",
        "real_assets",
        "RE",
        "Listed Real Estate ETF",
        ("18", "22"),
        ("-48", "-40"),
        ("-2", "5"),
        ("7.5", "20.0"),
    ),
    Kind(
        "gold",
        "Gold",
        "real_assets",
        "GD",
        "Physical Gold ETF",
        ("14", "17"),
        ("2", "8"),
        ("3", "9"),
        ("3.8", "11.2"),
    ),
)
CASH = Kind("cash", "Cash", "cash", "", "", ("0.4", "0.6"), ("0", "0"), ("0", "0"), ("0", "0"))

CORRELATIONS: tuple[tuple[str, ...], ...] = (
    ("1.00", "0.88", "0.85", "0.72", "0.15", "-0.20", "0.10", "0.70", "0.05"),
    ("0.88", "1.00", "0.80", "0.70", "0.12", "-0.22", "0.08", "0.72", "0.05"),
    ("0.85", "0.80", "1.00", "0.82", "0.18", "-0.15", "0.14", "0.65", "0.15"),
    ("0.72", "0.70", "0.82", "1.00", "0.15", "-0.15", "0.15", "0.55", "0.25"),
    ("0.15", "0.12", "0.18", "0.15", "1.00", "0.80", "0.75", "0.30", "0.30"),
    ("-0.20", "-0.22", "-0.15", "-0.15", "0.80", "1.00", "0.70", "0.05", "0.30"),
    ("0.10", "0.08", "0.14", "0.15", "0.75", "0.70", "1.00", "0.20", "0.40"),
    ("0.70", "0.72", "0.65", "0.55", "0.30", "0.05", "0.20", "1.00", "0.15"),
    ("0.05", "0.05", "0.15", "0.25", "0.30", "0.30", "0.40", "0.15", "1.00"),
)

ISSUERS: tuple[tuple[str, str], ...] = (
    ("Fernhill", "FZ"),
    ("Mossgate", "MZ"),
    ("Quillon", "QZ"),
    ("Tarnbrook", "TZ"),
    ("Ostrava", "OZ"),
)
CLIENTS: tuple[str, ...] = (
    "Ines Caldwell",
    "Tomas Brandreth",
    "Priya Lindqvist",
    "Hugo Castellane",
    "Wen Arkwright",
    "Dalia Fenwick",
    "Martin Oduya",
    "Clara Voss",
    "Aurelio Penhale",
    "Mei Tansley",
    "Rosalind Achterberg",
    "Samuel Quaye",
)
ADVISERS: tuple[str, ...] = (
    "Harrow Lane Advisers",
    "Saltmeadow Wealth",
    "Copperfield Row Partners",
    "Northgate & Pell",
)
PROFILES: dict[str, tuple[int, int]] = {  # percent in shares
    "cautious": (34, 42),
    "balanced": (48, 56),
    "growth": (60, 68),
}
# Returns since the last rebalance, in percent, by market and group of sleeves.
MARKETS: dict[str, dict[str, tuple[str, str]]] = {
    "rally": {"shares": ("6", "30"), "bonds": ("-4", "3"), "real_assets": ("-8", "24")},
    "slump": {"shares": ("-26", "-4"), "bonds": ("-2", "3"), "real_assets": ("-14", "18")},
    "rotation": {"shares": ("-14", "26"), "bonds": ("-5", "4"), "real_assets": ("-12", "26")},
}


def correlation(first: Kind, second: Kind) -> Decimal:
    """The pool's correlation of two sleeves; cash moves with nothing."""
    if first.id == second.id:
        return Decimal("1.00")
    if CASH in (first, second):
        return Decimal("0.00")
    ids = [kind.id for kind in KINDS]
    return Decimal(CORRELATIONS[ids.index(first.id)][ids.index(second.id)])
