"""Vague amounts: listed, and a slip where they stand in for a number."""

from __future__ import annotations

from decimal import Decimal

import pytest

from pae_verifiers.numbers.facts import load
from pae_verifiers.numbers.markdown import render
from pae_verifiers.numbers.model import Tie
from pae_verifiers.numbers.scanner import scan
from pae_verifiers.numbers.tie import tie
from pae_verifiers.numbers.vagueness import Range, meaning

CONFIG = {"facts": {"/volatility_pct": {"aliases": [["volatility"]]}}}


def tied(text: str) -> Tie:
    return tie(scan(render(text)), load('{"volatility_pct": 9.84}', CONFIG))


@pytest.mark.parametrize(
    "text",
    [
        "Double-digit returns are gone.",
        "It had mid-teens gains.",
        "It is a double-digit % figure.",
        "The loss was halved.",
        "Volatility is in the double digits.",  # contradicts 9.84 %
        "Volatility is in the mid-teens.",
    ],
)
def test_a_vague_word_in_place_of_a_number_is_a_slip(text: str) -> None:
    (number,) = tied(text).numbers
    assert (number.verdict, number.reason) == ("mismatch", "vague")


@pytest.mark.parametrize(
    "text",
    [
        "A handful of clients asked.",
        "Our work was halved.",
        "Volatility is in the single digits.",  # agrees
    ],
)
def test_other_vague_words_are_listed_only(text: str) -> None:
    result = tied(text)
    assert result.numbers == ()
    assert len(result.vague) == 1


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("double-digit", 10, 100),
        ("single digits", 0, 10),
        ("mid-teens", 13, 17),
        ("low twenties", 20, 24),
        ("high single digits", 6, 10),
        ("triple-digit", 100, 1000),
    ],
)
def test_meaning(text: str, low: int, high: int) -> None:
    assert meaning(text) == Range(Decimal(low), Decimal(high))


def test_some_words_have_no_range() -> None:
    assert meaning("halved") is None
