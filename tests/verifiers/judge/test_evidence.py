"""Evidence: exact passages of the document, located by code."""

from __future__ import annotations

import pytest

from pae_verifiers.judge.evidence import MOST_EXCERPTS, Quote, evidence_faults, locate

SOURCE = "Costs **rose**. “Ünïted” 🙂 costs rose. \u200b"


def test_a_quote_gets_code_point_offsets() -> None:
    assert locate(["costs rose."], SOURCE) == (Quote("costs rose.", 27, 38),)


def test_the_first_place_counts() -> None:
    assert locate(["rose"], SOURCE) == (Quote("rose", 8, 12),)


def test_absence_is_no_quote() -> None:
    assert locate([], SOURCE) == ()


@pytest.mark.parametrize("text", ["costs rose!", "Costs rose", "COSTS"])
def test_what_the_document_does_not_say_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="does not stand in the document"):
        locate([text], SOURCE)


@pytest.mark.parametrize("text", ["", "  ", None, 5, ".", "**", "\u200b", "“"])
def test_what_is_no_text_is_refused(text: object) -> None:
    with pytest.raises(ValueError, match="is empty or not text"):
        locate([text], SOURCE)


def test_an_answer_has_a_bounded_number_of_excerpts() -> None:
    assert evidence_faults(["rose"] * MOST_EXCERPTS, SOURCE, wanted=True) == ()
    assert evidence_faults(["x"] * (MOST_EXCERPTS + 1), SOURCE, wanted=True) == (
        f"{MOST_EXCERPTS + 1} excerpts are too many: give the {MOST_EXCERPTS} that matter at most",
    )
