"""The items that code decides."""

from __future__ import annotations

import pytest

from pae_verifiers.judge.candidate import Candidate
from pae_verifiers.judge.machine import decide, wanted_files
from pae_verifiers.numbers.markdown import render
from pae_verifiers.rubric.item import Finding, Item

SECTIONS = Item(
    "s", "required", "", by="code", check="sections", params={"headings": ("Costs", "Risks")}
)
FILES = Item(
    "f", "required", "", by="code", check="files", params={"paths": ("/app/a.csv", "/app/b.csv")}
)


def words(limit: int) -> Item:
    return Item("w", "required", "", by="code", check="max_words", params={"max": limit})


def candidate(text: str) -> Candidate:
    return Candidate(render(text))


def test_the_word_limit_itself_is_allowed() -> None:
    assert decide(words(3), candidate("one **two** three"), frozenset()) == Finding(
        True, "3 words, of at most 3"
    )


def test_one_word_more_is_not() -> None:
    assert decide(words(3), candidate("one two three\u00a0four"), frozenset()) == Finding(
        False, "4 words, of at most 3"
    )


@pytest.mark.parametrize("blank", "\u115f\u1160\u2800\u3164\uffa0")
def test_words_between_what_looks_like_a_space_count(blank: str) -> None:
    assert not decide(words(3), candidate(blank.join(["word"] * 4)), frozenset()).passed


def test_words_that_a_reader_does_not_see_do_not_count() -> None:
    assert decide(words(1), candidate("one <!-- two three -->"), frozenset()).passed


def test_sections_may_stand_in_any_order() -> None:
    assert decide(SECTIONS, candidate("# Risks\n\nsome\n\n# Costs\n\nfew\n"), frozenset()).passed


@pytest.mark.parametrize(
    ("text", "rationale"),
    [
        ("# Costs\n\nfew\n", "'Risks' is missing"),
        ("# Costs\n\nfew\n\n# Risks\n", "'Risks' is empty"),
        ("# Costs\n\n\u200b\n\n# Risks\n\n&nbsp;—\n", "'Costs' is empty; 'Risks' is empty"),
        ("Costs and Risks\n", "'Costs' is missing; 'Risks' is missing"),
    ],
)
def test_missing_and_empty_sections_are_named(text: str, rationale: str) -> None:
    assert decide(SECTIONS, candidate(text), frozenset()) == Finding(False, rationale)


def test_missing_files_are_named() -> None:
    finding = decide(FILES, candidate("x"), frozenset({"/app/a.csv"}))
    assert finding == Finding(False, "missing: /app/b.csv")


def test_present_files_pass() -> None:
    assert decide(FILES, candidate("x"), frozenset({"/app/a.csv", "/app/b.csv"})).passed


def test_the_files_to_look_for_are_those_of_the_items() -> None:
    assert wanted_files((FILES, SECTIONS)) == {"/app/a.csv", "/app/b.csv"}
