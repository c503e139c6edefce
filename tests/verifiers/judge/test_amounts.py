"""Which numbers of a document are amounts, and how a text reads with them marked."""

from __future__ import annotations

import pytest

from pae_verifiers.judge.amounts import amounts, marked
from pae_verifiers.numbers.markdown import render


def read(source: str) -> str:
    document = render(source)
    return marked(document.text, 0, amounts(document))


@pytest.mark.parametrize(
    ("source", "marks"),
    [
        ("It cost $412.", "It cost ¤."),
        ("It cost twelve hundred dollars.", "It cost ¤."),
        ("It cost 1.62 basis points.", "It cost ¤."),
        ("It fell by 0.45 percentage points.", "It fell by ¤."),
        ("It is 7.13% or seven percent.", "It is ¤% or ¤%."),
        ("They paid 412.", "They paid ¤."),
    ],
)
def test_money_and_shares_of_a_whole_are_amounts(source: str, marks: str) -> None:
    assert read(source) == marks


@pytest.mark.parametrize(
    "source",
    [
        "It follows in 2028.",
        "It falls due on 15 April 2028.",
        "It is at 95% confidence.",
        "One is cost, the other tax.",
        "There are two kinds of bonds.",
        "One month in twenty is worse.",
        "It takes 5 days.",
    ],
)
def test_dates_labels_and_small_counts_are_none(source: str) -> None:
    assert read(source) == source


def test_a_part_of_a_text_is_marked_from_its_own_beginning() -> None:
    document = render("It cost $412. Tax is $9,000.")
    assert marked(document.text[14:], 14, amounts(document)) == "Tax is ¤."
