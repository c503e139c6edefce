"""The candidate: what a rule sees of a document."""

from __future__ import annotations

import pytest

from pae_verifiers.judge.candidate import Candidate
from pae_verifiers.numbers.markdown import render

MEMO = """\
# Your portfolio

Dear Ms Weber,

## 1. What *changed* and why:

We sold **shares**. They were at 45.2%.

### Detail

| fund | sold |
|------|------|
| World | 12 |

## What risks remain

<!-- unseen words -->

## What you’d notice

Little.
"""


@pytest.fixture
def candidate() -> Candidate:
    return Candidate(render(MEMO))


def test_the_source_is_as_written_and_the_text_as_read(candidate: Candidate) -> None:
    assert candidate.source == MEMO
    assert "We sold shares. They were at 45.2%." in candidate.text


def test_words_are_counted_as_a_reader_sees_them(candidate: Candidate) -> None:
    # 2 title, 3 greeting, 5 heading, 7 prose, 1 heading, 4 table, 3 heading, 3 heading, 1 prose
    assert candidate.words() == 29


def test_the_number_of_a_list_item_is_no_word_as_a_bullet_is_none() -> None:
    numbered, bulleted = "1. one two\n2. three\n", "- one two\n- three\n"
    assert [Candidate(render(source)).words() for source in (numbered, bulleted)] == [3, 3]


def test_a_decimal_point_ends_no_sentence(candidate: Candidate) -> None:
    assert candidate.sentences()[3:5] == ("We sold shares.", "They were at 45.2%.")


@pytest.mark.parametrize(
    "heading",
    ["What changed and why", "WHAT CHANGED AND WHY?", "## What  changed and **why**"],
)
def test_a_heading_is_found_however_it_is_spelled(candidate: Candidate, heading: str) -> None:
    section = candidate.section(heading)
    assert section is not None
    assert section.startswith("We sold shares.")


def test_a_section_holds_its_subsections_and_ends_at_the_next_one(candidate: Candidate) -> None:
    assert (candidate.section("What changed and why") or "").split() == [
        "We", "sold", "shares.", "They", "were", "at", "45.2%.",
        "Detail", "fund", "sold", "World", "12",
    ]  # fmt: skip


def test_a_curly_apostrophe_is_an_apostrophe(candidate: Candidate) -> None:
    assert candidate.section("What you'd notice") == "Little."


def test_a_section_without_visible_text_is_empty(candidate: Candidate) -> None:
    assert candidate.section("What risks remain") == ""


def test_a_missing_section_is_none(candidate: Candidate) -> None:
    assert candidate.section("Cost and tax impact") is None


def test_a_heading_s_words_in_a_paragraph_are_no_section() -> None:
    assert (
        Candidate(render("**What risks remain**\n\nSome.\n")).section("What risks remain") is None
    )


def test_subheadings_alone_are_no_text() -> None:
    assert Candidate(render("# Costs\n\n## Fees\n\n## Tax\n")).section("Costs") == ""


def test_sections_of_one_name_follow_one_another() -> None:
    text = "# Risks\n\nOne.\n\n# Other\n\nTwo.\n\n# Risks\n\nThree.\n"
    assert Candidate(render(text)).section("risks") == "One.\n\nThree."
