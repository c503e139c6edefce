"""A document as a terminal shows it: nothing drives the terminal, marks sit where they belong."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pae_harness.coloured import LineNumbers, Mark, coloured


def shown(source: str, *marks: Mark) -> list[str]:
    return [line.plain for line in coloured(source, marks)]


def marked(source: str, *marks: Mark) -> list[list[tuple[str, str]]]:
    """Each line's styled pieces, without those that stand for a character."""
    return [
        [(str(s.style), line.plain[s.start : s.end]) for s in line.spans if s.style != "reverse"]
        for line in coloured(source, marks)
    ]


def mark(source: str, text: str, style: str = "green") -> Mark:
    return Mark(source.index(text), source.index(text) + len(text), style)


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("one\ntwo\n", ["one", "two"]),
        ("one\r\ntwo", ["one", "two"]),
        ("one\rtwo", ["one", "two"]),
        ("\n\nx", ["", "", "x"]),
        ("", []),
        ("x\u2028y\x0bz", ["x<U+2028>y␋z"]),
        ("a\tb", ["a       b"]),
        ("12345678\tb", ["12345678        b"]),
        ("成本\tb", ["成本    b"]),
        ("\x1b\tb", ["␛       b"]),
        ("\x1b[31m", ["␛[31m"]),
        ("\x07\x00\x7f", ["␇␀␡"]),
        ("\x9b31m", ["<U+009B>31m"]),
        ("a\u202eb", ["a<U+202E>b"]),
        ("1\u200b2", ["1<U+200B>2"]),
        ("\U000e0041", ["<U+E0041>"]),
        ("1\u00a0234\u202f567", ["1 234 567"]),
        ("成\u3000本", ["成  本"]),
        ("cafe\u0301", ["cafe\u0301"]),
    ],
)
def test_a_line_is_shown_as(source: str, lines: list[str]) -> None:
    assert shown(source) == lines


@pytest.mark.parametrize(
    ("source", "text", "seen"),
    [
        ("cost 35 bps.", "35 bps", "35 bps"),
        ("總成本為 35 bps，約", "35 bps", "35 bps"),
        ("a\tb\t9.3%\tc", "9.3%", "9.3%"),
        ("x\r\ny\r\n$12.50\r\n", "$12.50", "$12.50"),
        ("\x1b]0;owned\x07 $5\x1b[31m", "$5", "$5"),
        ("\u202e\u202e $5.", "$5", "$5"),
        ("up 1\u200b2.5% now", "1\u200b2.5%", "1<U+200B>2.5%"),
        ("up \t1\t2 now", "1\t2", "1       2"),
        ("👩\u200d💻 earned 7%!", "7%", "7%"),
    ],
)
def test_a_mark_sits_on_its_own_characters(source: str, text: str, seen: str) -> None:
    pieces = [piece for line in marked(source, mark(source, text)) for piece in line]
    assert pieces == [("green", seen)]


def test_a_mark_may_run_over_a_line_s_end() -> None:
    source = "cost 35\r\nbasis points, tax 7"
    marks = (mark(source, "35\r\nbasis points"), mark(source, "7", "red"))
    assert marked(source, *marks) == [
        [("green", "35")],
        [("green", "basis points"), ("red", "7")],
    ]


def test_what_stands_for_a_character_is_told_from_the_text() -> None:
    (line,) = coloured("a\u202eb <U+202E>\x1b", ())
    assert [line.plain[s.start : s.end] for s in line.spans] == ["<U+202E>", "␛"]


def test_lines_end_with_any_of_three() -> None:
    line_of = LineNumbers("a\r\nb\rc\nd")
    assert [line_of(at) for at in (0, 2, 3, 4, 5, 7)] == [1, 1, 2, 2, 3, 4]


@given(st.text(st.characters(codec="utf-8")), st.data())
def test_nothing_drives_the_terminal_and_no_mark_is_lost(source: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(source)))
    until = data.draw(st.integers(at, len(source)))
    whole = list(coloured(source, [Mark(at, until, "green")]))
    assert all(line.plain.isprintable() for line in whole)
    inside = "".join(
        line.plain[s.start : s.end] for line in whole for s in line.spans if s.style == "green"
    )
    alone = "".join(shown(source[at:until]))
    if "\t" not in source and "\r\n" not in source:
        assert inside == alone
