"""Where a table row's cells stand, whatever the parser takes for white space around them."""

from __future__ import annotations

import pytest

from pae_verifiers.numbers import markdown, scanner
from pae_verifiers.numbers.table_cells import cells

ROWS = [
    ("a|b", ["a", "b"], [[0], [2]]),
    ("| a | b |", ["a", "b"], [[2], [6]]),
    ("  | a |b", ["a", "b"], [[4], [7]]),
    ("||b|", ["", "b"], [[], [2]]),
    (r"a\|b|c", ["a|b", "c"], [[0, 2, 3], [5]]),
    ("a|b", ["a", "b", ""], [[0], [2], []]),
    ("a \x85|b", ["a", "b"], [[0], [4]]),
    ("a \x85|b", ["a \x85", "b"], [[0, 1, 2], [4]]),
    ("\x85|a|b", ["a", "b"], [[2], [4]]),
    ("\x85|a|b", ["\x85", "a", "b"], [[0], [2], [4]]),
    ("a|b", ["x", "y"], [[0], [0]]),
]


@pytest.mark.parametrize(("row", "contents", "where"), ROWS)
def test_each_character_has_its_place(
    row: str, contents: list[str], where: list[list[int]]
) -> None:
    assert [list(places) for places in cells(row, 0, len(row), contents)] == where


@pytest.mark.parametrize("white", [" ", "\t", "\x0b", "\x0c", "\x1c", "\x85", "\u2003", "\u2028"])
def test_white_space_hides_no_number(white: str) -> None:
    source = f"{white}|a{white}|b\n-|-|-\n{white}5%{white}|{white}6%|7%{white}\n"
    scan = scanner.scan(markdown.render(source))
    found = [(q.text, source[q.start : q.end]) for q in scan.quantities]
    assert found == [("5%", "5%"), ("6%", "6%"), ("7%", "7%")]
