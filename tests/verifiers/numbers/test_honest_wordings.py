"""Wordings of honest writers that were once marked down, and dishonest ones beside them."""

from __future__ import annotations

import pytest

from pae_verifiers.numbers.facts import load
from pae_verifiers.numbers.markdown import render
from pae_verifiers.numbers.scanner import scan
from pae_verifiers.numbers.tie import tie

RESULTS = """
{"sleeves": [{"name": "small companies", "ticker": "XSML", "now_pct": 7.21, "drift_pp": -1.66,
              "price_pct": -4.0, "target_pct": 40},
             {"name": "shares", "ticker": "XSHR", "now_pct": 42.87, "drift_pp": 2.59,
              "price_pct": 12.0, "target_pct": 51}],
 "policy": {"tail_pct": 5, "every_months": 6, "horizon_months": 1, "share_of_band_pct": 50},
 "cash_change_usd": -22075.45,
 "costs": {"share_usd": 12.25}}
"""
CONFIG = {
    "name_fields": ["ticker"],
    "facts": {
        "/sleeves/*/now_pct": {"aliases": [["{name}"], ["are", "now"]]},
        "/sleeves/*/drift_pp": {
            "sign": "signed", "aliases": [["{name}"], ["drift", "short", "over", "too", "above"]],
        },
        "/sleeves/*/price_pct": {"sign": "signed", "aliases": [["{name}"], ["price", "off"]]},
        "/sleeves/*/target_pct": {"aliases": [["{name}"], ["target"]]},
        "/policy/tail_pct": {"aliases": [["month", "worst"]]},
        "/policy/every_months": {"aliases": [["review"], ["every"]]},
        "/policy/horizon_months": {"aliases": [["loss", "month"]]},
        "/policy/share_of_band_pct": {"aliases": [["band"], ["half"]]},
        "/cash_change_usd": {"sign": "signed", "aliases": [["cash"], ["out"]]},
        "/costs/share_usd": {"aliases": [["a share"]]},
    },
}  # fmt: skip
SMALL, SHARES = "/sleeves/0", "/sleeves/1"
TAIL, EVERY, HALF = "/policy/tail_pct", "/policy/every_months", "/policy/share_of_band_pct"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # how often
        ("Once in every twenty months it could be more.", [TAIL]),
        ("Once in 20 months it could be more.", [TAIL]),
        ("Once in every ten months it could be more.", ["fabricated"]),
        ("The review comes once every six months.", [EVERY]),
        ("Reviews are due in June. Then every 6 months.", [EVERY]),
        # a phrase does not go on across a colon
        ("A: Shares, first of all: they are 42.87% of it.", [f"{SHARES}/now_pct"]),
        # distances below, without a sign
        ("Small companies were too small, by 1.66 points.", [f"{SMALL}/drift_pp"]),
        ("Small companies were too big, by 1.66 points.", ["sign_flipped"]),
        ("Small companies are off 4% in price.", [f"{SMALL}/price_pct"]),
        ("$22,075 came out of cash.", ["/cash_change_usd"]),
        # tickers
        ("XSML is now 7.21%.", [f"{SMALL}/now_pct"]),
        ("XSHR is now 7.21%.", ["wrong_fact"]),
        # a bare number takes a unit before it, not the nearest only
        (
            "Small companies were 1.66 points short of their target of 40.",
            [f"{SMALL}/drift_pp", "fabricated"],
        ),
        (
            "Small companies, 7.21% now, were 1.66 points short of their target of 40.",
            [f"{SMALL}/now_pct", f"{SMALL}/drift_pp", f"{SMALL}/target_pct"],
        ),
        (
            "- Small companies were 1.66 points short\n- Shares 2.59 over",
            [f"{SMALL}/drift_pp", f"{SHARES}/drift_pp"],
        ),
        # an item of a list that takes up the one before
        (
            "- Shares had used more than half of their band\n- Gold less than half of theirs",
            [HALF, HALF],
        ),
        # what explains a unit, and a period that is no figure
        ("One bp is 1/100 of 1%.", ["definition", "definition", "definition"]),
        ("It is the change over one year.", ["period"]),
    ],
)
def test_what_a_wording_speaks_of(text: str, expected: list[str]) -> None:
    assert _said(text) == expected


@pytest.mark.parametrize(
    "header", ["Drift, in points / Écart", "Drift (points)", "Drift, points", "Drift, points[^1]"]
)
def test_points_in_a_header_are_percentage_points(header: str) -> None:
    table = f"| Holding | {header} |\n|---|--:|\n| Shares | +2.59 |\n| Small companies | −1.66 |\n"
    note = "\n[^1]: Percentage points.\n"
    said = [pointer for pointer in _said(table + note) if pointer != "label"]
    assert said == [f"{SHARES}/drift_pp", f"{SMALL}/drift_pp"]


def test_points_to_note_are_no_unit() -> None:
    table = "| Holding | Points to note |\n|---|--:|\n| Shares | 2.59 |\n"
    assert _said(table) == ["fabricated"]


def _said(text: str) -> list[str]:
    """Per number: the pointer it is matched with, or its verdict and reason."""
    return [
        number.fact.pointer
        if number.verdict == "matched" and number.fact
        else number.reason or number.verdict
        for number in tie(scan(render(text)), load(RESULTS, CONFIG)).numbers
    ]
