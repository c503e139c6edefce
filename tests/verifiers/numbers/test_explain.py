"""What is said of a number that misses, beyond the name of the slip."""

from __future__ import annotations

import pytest

from pae_verifiers.numbers.explain import excerpt
from pae_verifiers.numbers.facts import load
from pae_verifiers.numbers.markdown import render
from pae_verifiers.numbers.scanner import scan
from pae_verifiers.numbers.tie import tie, tie_json


@pytest.mark.parametrize(
    ("shown", "literal", "unit", "reason", "note"),
    [
        ("0.35 bps", "35", "bps", "unit_slip", "×100"),
        ("4.27%", "4.27", "bps", "unit_slip", "÷100"),
        ("0.0012%", "12", "percent", "unit_slip", "×10000"),
        ("2.3%", "2.34", "pp", "unit_slip", "percent for percentage points"),
        ("€1,285", "1284.53", "USD", "unit_slip", "EUR for USD"),
        ("12.4%", "12.46", "percent", "misrounded", "rounds to 12.5"),
        ("$1,284", "1284.53", "USD", "misrounded", "rounds to 1,285"),
        ("$1,284.527", "1284.53", "USD", "overprecise", "no more digits than 1284.53"),
        ("2.5%", "-2.5", "percent", "sign_flipped", "the source is negative"),
        ("less than 20%", "11.24", "percent", "loose_bound", "78% off"),
        ("0%", "0.4", "percent", "rounded_to_zero", ""),
        ("12.5%", "12.5", "percent", "", ""),
    ],
)
def test_note(shown: str, literal: str, unit: str, reason: str, note: str) -> None:
    config = {"facts": {"/figure": {"unit": unit, "aliases": [["figure"]]}}}
    facts = load(f'{{"figure": {literal}}}', config)
    (number,) = tie(scan(render(f"The figure is {shown}.")), facts).numbers
    assert (number.reason, number.note) == (reason, note)


def test_a_wrong_fact_says_whose_figure_it_is() -> None:
    config = {"facts": {"/tax_usd": {"aliases": [["tax"]]}, "/cost_usd": {"aliases": [["cost"]]}}}
    facts = load('{"tax_usd": 2345.67, "cost_usd": 1284.53}', config)
    (number,) = tie(scan(render("The tax is $1,285.")), facts).numbers
    assert (number.reason, number.fact and number.fact.pointer) == ("wrong_fact", "/tax_usd")
    assert number.note == "this is /cost_usd"


def test_of_a_very_long_sentence_only_what_is_around_the_number_is_kept() -> None:
    sentence = "word " * 200 + "$1,285" + " word" * 200
    short = excerpt(sentence, "$1,285")
    assert len(short) == 2 * 120 + len("$1,285") + 2
    assert "word $1,285 word" in short
    assert excerpt("It was $1,285.", "$1,285") == "It was $1,285."


def test_sixty_kilobytes_in_one_sentence_make_no_gigabytes() -> None:
    facts = load('{"cost_usd": 5}', {"facts": {"/cost_usd": {"aliases": [["cost"]]}}})
    numbers = tie_json(tie(scan(render("the cost $5 " * 5000)), facts))["numbers"]
    assert isinstance(numbers, list)
    assert max(len(number["sentence"]) for number in numbers) < 300
