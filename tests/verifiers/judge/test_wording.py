"""Vocabularies and patterns, as rules write them."""

from __future__ import annotations

import re

import pytest

from pae_verifiers.judge.wording import Wording, Words


@pytest.mark.parametrize(
    ("vocabulary", "sentence"),
    [
        ("band", "the band is wide"),
        ("band", "inside its (band)."),
        ("target{,s}", "two targets"),
        ("polic{y,ies}", "your policies"),
        ("drift*", "it had drifted"),
        ("drift*", "a drift"),
        ("more_than", "by more than a point"),
        ("back_{in,inside}", "it is back inside"),
        ("value{-,_}at{-,_}risk", "the value-at-risk"),
        ("too_*", "had become too large"),
        ("'ll", "they'll be there"),
        ("401{k,(k}", "your 401(k) plan"),
        ("you", "you're done"),
    ],
)
def test_words_are_found(vocabulary: str, sentence: str) -> None:
    assert Words(vocabulary)(sentence)


@pytest.mark.parametrize(
    ("vocabulary", "sentence"),
    [
        ("band", "a husband"),
        ("band", "the bands"),
        ("target{,s}", "targeted"),
        ("drift*", "adrift"),
        ("more_than", "more, than"),
        ("more_than", "anymore than"),
        ("more_than", "more thank-yous"),
        ("too_*", "me too"),
    ],
)
def test_parts_of_words_are_not(vocabulary: str, sentence: str) -> None:
    assert not Words(vocabulary)(sentence)


def test_a_vocabulary_is_a_pattern_too() -> None:
    pattern = Words("polic{y,ies} drift* more_than 401{k,(k}").pattern
    assert pattern == r"(?:polic(?:y|ies)|drift\w*|more than|401(?:k|\(k))"


def test_a_wording_is_a_pattern_s_first_match() -> None:
    found = Wording(r"\d+ points").search("from 3 points to 4 points")
    assert found is not None
    assert found.group() == "3 points"


def test_a_wording_is_not_compiled_before_a_sentence_has_what_it_needs() -> None:
    broken = Wording("(", Words("points"), Words("risen"))
    assert not broken("it has risen by 3%")
    with pytest.raises(re.error):
        broken("it has risen by 3 points")
