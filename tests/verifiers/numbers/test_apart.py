"""Where a number needs no sign to be negative."""

from __future__ import annotations

import pytest

from pae_verifiers.numbers.apart import is_distance
from pae_verifiers.numbers.markdown import render
from pae_verifiers.numbers.scanner import scan


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It was 4.4 points away from target.", True),
        ("a gap of 4.4 points", True),
        ("It was off target by 4.4 points.", True),
        ("It had drifted by 4.4 points.", True),
        ("It was 4.4 points above target.", False),
        ("The gap, 4.4 points above target, is wide.", False),
        ("It changed by 4.4 points.", False),
        ("The change was +4.4 points away from target.", False),
    ],
)
def test_words_of_distance(text: str, expected: bool) -> None:
    number = scan(render(text)).quantities[0]
    assert is_distance(text, 0, number) is expected


def test_a_word_of_direction_governs_the_numbers_after_it() -> None:
    text = "Its price fell 15.6% and that of the other fund 13.6%, while bonds rose 2.7%."
    numbers = scan(render(text)).quantities
    assert numbers[1].value < 0 or is_distance(text, 0, numbers[1])
    assert not is_distance(text, 0, numbers[2])


@pytest.mark.parametrize(
    ("label", "expected"),
    [("Net realised loss", True), ("Gain or loss", False), ("Net gain", False), ("Amount", False)],
)
def test_a_row_of_losses_needs_no_minus(label: str, expected: bool) -> None:
    number = scan(render("3,424.68")).quantities[0]
    assert is_distance("3,424.68", 0, number, label) is expected
