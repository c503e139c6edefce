"""Where sentences end."""

from __future__ import annotations

import pytest

from pae_verifiers.numbers.sentences import split


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("It rose. It fell.", ["It rose.", "It fell."]),
        ("It rose 1.5%. It fell.", ["It rose 1.5%.", "It fell."]),
        ("It cost $5. It fell.", ["It cost $5.", "It fell."]),
        ("Why? Because! So.", ["Why?", "Because!", "So."]),
        ('He said "no." She left.', ['He said "no."', "She left."]),
        ("It is 5% vs. 6% before.", ["It is 5% vs. 6% before."]),
        ("U.S. Treasuries fell.", ["U.S. Treasuries fell."]),
        ("We sold in the U.S. The rest stayed.", ["We sold in the U.S.", "The rest stayed."]),
        ("It is approx. 5%.", ["It is approx. 5%."]),
        ("On Nov. 30 it fell.", ["On Nov. 30 it fell."]),
        ("Mr. Smith and Acme Inc. agreed.", ["Mr. Smith and Acme Inc. agreed."]),
        ("We sold Acme Inc. The rest stayed.", ["We sold Acme Inc.", "The rest stayed."]),
        ("A rate of 5% p.a. It fell.", ["A rate of 5% p.a.", "It fell."]),
        ("Some, e.g. Bonds, fell.", ["Some, e.g. Bonds, fell."]),
        ("J. Smith wrote.", ["J. Smith wrote."]),
        ("1. Costs fell. Taxes rose.", ["1. Costs fell.", "Taxes rose."]),
        ("It fell\nby 5%. Then\nit rose.", ["It fell\nby 5%.", "Then\nit rose."]),
        ("One\n\nTwo", ["One", "Two"]),
        ("  ", []),
    ],
)
def test_sentences(text: str, sentences: list[str]) -> None:
    assert [text[start:end] for start, end in split(text)] == sentences


def test_code_is_cut_by_line() -> None:
    assert split("a. B\nc", by_line=True) == [(0, 4), (5, 6)]
