"""A document as sentences and rows."""

from __future__ import annotations

import pytest

from pae_verifiers.judge.candidate import Candidate
from pae_verifiers.judge.prose import alone, first, pairs, plain, statements, under
from pae_verifiers.judge.wording import Words
from pae_verifiers.numbers.markdown import render

MEMO = """\
# Your portfolio

We sold **shares**. They’d grown.

## Costs

- One fee

| fund | cost |
|------|------|
| World | 12 |

```
code
```
"""


@pytest.fixture
def candidate() -> Candidate:
    return Candidate(render(MEMO))


def test_a_document_is_cut_into_sentences_and_rows(candidate: Candidate) -> None:
    assert [(piece.kind, piece.text) for piece in candidate.pieces] == [
        ("heading", "your portfolio"),
        ("prose", "we sold shares."),
        ("prose", "they'd grown."),
        ("heading", "costs"),
        ("prose", "one fee"),
        ("row", "fund cost"),
        ("row", "world 12"),
        ("code", "code"),
    ]


def test_quotes_are_as_written(candidate: Candidate) -> None:
    assert [piece.quote for piece in candidate.pieces[:3]] == [
        "Your portfolio",
        "We sold **shares**.",
        "They’d grown.",
    ]


def test_statements_are_neither_headings_nor_code(candidate: Candidate) -> None:
    assert [piece.kind for piece in statements(candidate)] == [
        "prose", "prose", "prose", "row", "row",
    ]  # fmt: skip


def test_a_section_is_what_stands_below_its_heading(candidate: Candidate) -> None:
    below = under(statements(candidate), "costs")
    assert [piece.text for piece in below] == ["one fee", "fund cost", "world 12"]


def test_a_missing_section_is_the_whole_document(candidate: Candidate) -> None:
    assert under(statements(candidate), "risks") == statements(candidate)


def test_a_very_long_sentence_is_cut() -> None:
    pieces = Candidate(render("word " * 400 + "\n")).pieces
    assert [len(piece.quote) for piece in pieces] == [1500, 499]


def test_signs_may_be_asked_of_one_sentence(candidate: Candidate) -> None:
    pieces = statements(candidate)
    assert first(alone(pieces), Words("sold"), Words("grown")) == ()
    assert first(alone(pieces), Words("sold"), Words("shares")) == ("We sold **shares**.",)


def test_or_of_two_neighbours(candidate: Candidate) -> None:
    signs = (Words("sold"), Words("grown"))
    assert first(pairs(statements(candidate)), *signs) == ("We sold **shares**.", "They’d grown.")


def test_plain_text_folds_what_a_reader_overlooks() -> None:
    assert plain("  **It’s the\u00a0 BAND_") == "it's the band"


def test_a_statement_is_read_with_its_amounts_marked() -> None:
    (piece,) = Candidate(render("It cost **twelve hundred dollars**, or 0.02%.\n")).pieces
    assert piece.said == "it cost ¤, or ¤%."


def test_a_row_is_read_with_each_cell_under_its_header() -> None:
    rows = Candidate(render("| Item | USD |\n|---|---|\n| Tax | 9,000 |\n")).pieces
    assert [row.said for row in rows] == ["item; usd", "item tax; usd ¤"]


def test_a_column_is_read_with_each_row_s_label() -> None:
    memo = "| | Volatility |\n|---|---|\n| Before | 11.2% |\n| After | 9.8% |\n"
    (column,) = Candidate(render(memo)).columns
    assert column.said == "volatility; before ¤%; after ¤%"
    assert column.quote in memo


def test_tables_have_columns_of_their_own() -> None:
    memo = "| a | b |\n|---|---|\n| x | 1 |\n\n| c | d |\n|---|---|\n| y | 2 |\n"
    assert [column.said for column in Candidate(render(memo)).columns] == ["b; x ¤", "d; y ¤"]


def test_a_document_without_tables_has_no_columns() -> None:
    assert Candidate(render("No table.\n")).columns == ()
