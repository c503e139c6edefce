"""Wholes and their parts, and one figure given as two facts."""

from __future__ import annotations

import pytest

from pae_verifiers.numbers.facts import load
from pae_verifiers.numbers.markdown import render
from pae_verifiers.numbers.scanner import scan
from pae_verifiers.numbers.tie import tie

RESULTS = """
{"trades": [{"name": "gold", "side": "sold", "usd": 1042.17},
            {"name": "property", "side": "sold", "usd": 7318.55}],
 "all": {"sold_usd": 8360.72, "bought_usd": 9517.30},
 "gains": {"net_usd": 2104.55, "long_term_usd": 1650.15, "winners_usd": 3377.41}}
"""
CONFIG = {
    "facts": {
        "/trades/*/usd": {"unit": "USD", "aliases": [["{name}", "{side}"]]},
        "/all/sold_usd": {"aliases": [["sold"]]},
        "/all/bought_usd": {"aliases": [["bought"]]},
        "/gains/net_usd": {"aliases": [["gain", "realised", "net gain"]]},
        "/gains/long_term_usd": {"aliases": [["gain", "realised"], ["long-term"]]},
        "/gains/winners_usd": {"aliases": [["gain", "realised"], ["gain", "lot"]]},
    }
}
SOLD, BOUGHT = "/all/sold_usd", "/all/bought_usd"
NET, LONG = "/gains/net_usd", "/gains/long_term_usd"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We sold $8,361.", [SOLD]),
        ("We sold $7,319.", ["wrong_fact"]),
        ("We sold $7,319 of property.", ["/trades/1/usd"]),
        ("The property had grown. We sold $7,319.", ["/trades/1/usd"]),
        ("## Property\n\nWe sold $7,319.", ["/trades/1/usd"]),
        ("| | Sold |\n|---|--:|\n| Property | $7,319 |\n| Gold | $1,042 |",
         ["/trades/1/usd", "/trades/0/usd"]),
    ],
)  # fmt: skip
def test_a_part_is_told_by_its_name(text: str, expected: list[str]) -> None:
    assert _said(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The gain was $2,105.", [NET]),
        ("The gain was $1,650.", ["wrong_fact"]),
        ("The long-term gain was $1,650.", [LONG]),
        ("Some of it is long-term. That gain was $1,650.", [LONG]),
        ("We realised a net gain of $2,105.", [NET]),
        ("We realised a net gain of $3,377.", ["wrong_fact"]),
        ("The lots sold at a gain gave $3,377.", ["/gains/winners_usd"]),
    ],
)
def test_a_whole_is_told_where_nothing_sets_the_part_apart(text: str, expected: list[str]) -> None:
    assert _said(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We sold $8,361 of it and bought $9,517 of it.", [SOLD, BOUGHT]),
        ("We sold $9,517 of it and bought $9,517 of it.", ["wrong_fact", BOUGHT]),
        ("We sold $8,361 of it and bought $8,361 of it.", [SOLD, "wrong_fact"]),
        ("We bought $9,517, and $9,517 it was.", [BOUGHT, BOUGHT]),
    ],
)
def test_one_figure_is_not_two_facts(text: str, expected: list[str]) -> None:
    assert _said(text) == expected


def _said(text: str) -> list[str]:
    """Per number: the pointer it is matched with, or its verdict and reason."""
    return [
        number.fact.pointer
        if number.verdict == "matched" and number.fact
        else number.reason or number.verdict
        for number in tie(scan(render(text)), load(RESULTS, CONFIG)).numbers
    ]
