"""Length of sentences, and terms explained beside their use."""

from __future__ import annotations

from pae_verifiers.judge.candidate import Candidate
from pae_verifiers.judge.prose import Piece, statements
from pae_verifiers.judge.readability import terms, too_long
from pae_verifiers.numbers.markdown import render


def pieces(memo: str) -> list[Piece]:
    return statements(Candidate(render(memo)))


def test_a_term_is_explained_in_its_own_sentence() -> None:
    memo = "It fell. Volatility (how much values swing) is lower. All is well.\n"
    assert terms(pieces(memo)) == {
        "volatility": ("It fell.", "Volatility (how much values swing) is lower.", "All is well.")
    }


def test_a_term_may_be_left_unexplained() -> None:
    assert terms(pieces("Turnover rose. It is high.\n")) == {"turnover": ()}


def test_words_that_are_no_terms_need_no_explanation() -> None:
    assert terms(pieces("Shares fell, which is sad.\n")) == {}


def test_sentences_may_be_short_enough() -> None:
    assert too_long(pieces("We sold some shares. We bought bonds.\n"), mean=4, most=4) is None


def test_sentences_may_be_too_long_on_average() -> None:
    longest = too_long(pieces("We sold some of your shares. We bought bonds.\n"), mean=4, most=9)
    assert longest is not None
    assert longest.quote == "We sold some of your shares."


def test_one_sentence_may_be_too_long() -> None:
    memo = "We sold. We bought bonds and gold. We left.\n"
    longest = too_long(pieces(memo), mean=4, most=4)
    assert longest is not None
    assert longest.quote == "We bought bonds and gold."
