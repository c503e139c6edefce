from __future__ import annotations

import tomllib

import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st

from pae_harness.tasks.toml_lines import Keys, locate


def test_tables_and_keys() -> None:
    text = 'a = 1\n\n[b]\n# comment = 2\nc = "x"  # d = 3\n[b.e]\nf = 4\n'
    lines = locate(text)
    assert lines[("a",)] == 1
    assert lines[("b",)] == 3
    assert lines[("b", "c")] == 5
    assert lines[("b", "e")] == 6
    assert lines[("b", "e", "f")] == 7
    assert ("b", "d") not in lines


def test_dotted_and_quoted_keys() -> None:
    lines = locate("a.b = 1\n'x.y'.\"z\" = 2\n[ p . q ]\nr = 3\n")
    assert lines[("a",)] == 1
    assert lines[("a", "b")] == 1
    assert lines[("x.y", "z")] == 2
    assert lines[("p", "q", "r")] == 4


def test_arrays_of_tables_and_their_subtables() -> None:
    text = "[[a]]\nb = 1\n[[a]]\nb = 2\n[a.c]\nd = 3\n[[a.e]]\nf = 4\n"
    lines = locate(text)
    assert lines[("a",)] == 1
    assert lines[("a", 0, "b")] == 2
    assert lines[("a", 1)] == 3
    assert lines[("a", 1, "b")] == 4
    assert lines[("a", 1, "c", "d")] == 6
    assert lines[("a", 1, "e", 0, "f")] == 8


def test_entries_of_arrays_over_several_lines() -> None:
    lines = locate("a = [\n  1, # one\n  [2,\n   3],\n]\nb = 4\n")
    assert lines[("a", 0)] == 2
    assert lines[("a", 1)] == 3
    assert lines[("a", 1, 1)] == 4
    assert lines[("b",)] == 6


def test_inline_tables() -> None:
    lines = locate("a = [\n  { b = 1, c.d = 2 },\n  { b = [3] },\n]\n")
    assert lines[("a", 0, "c", "d")] == 2
    assert lines[("a", 1, "b", 0)] == 3


@pytest.mark.parametrize(
    "string",
    [
        '"""\n[b]\nc = 1\n"""',
        "'''\n[b]\nc = 1\n'''",
        '"""a \\""" \n"b" """""',
        "''''x'' \n'''''",
        '"a \\" [ # \\\\"',
        "'\\'",
    ],
)
def test_what_stands_in_strings_is_not_read(string: str) -> None:
    text = f"a = {string}\nz = 1\n"
    assert tomllib.loads(text)["z"] == 1
    lines = locate(text)
    assert set(lines) == {("a",), ("z",)}
    assert lines[("z",)] == text[: text.index("\nz") + 1].count("\n") + 1


def test_windows_line_ends() -> None:
    assert locate("a = 1\r\n[b]\r\nc = 2\r\n")[("b", "c")] == 3


def test_text_that_is_no_toml_ends_the_walk() -> None:
    assert locate("a = 1\n]]]\nb = 2\n")[("a",)] == 1


KEYS = st.text("ab.'# ", min_size=1, max_size=3)
VALUES = st.recursive(
    st.integers(0, 99) | st.booleans() | st.text("ab\"'#[]{}=\\\n", max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=6,
)


def keys_of(value: object, path: Keys = ()) -> set[Keys]:
    children: list[tuple[str | int, object]] = []
    if isinstance(value, dict):
        children = list(value.items())
    elif isinstance(value, list):
        children = list(enumerate(value))
    found = {(*path, key) for key, _ in children}
    return found.union(*(keys_of(child, (*path, key)) for key, child in children))


@given(st.dictionaries(KEYS, VALUES, max_size=4))
def test_every_key_of_any_document_is_located(document: dict[str, object]) -> None:
    text = tomli_w.dumps(document, multiline_strings=True)
    value = tomllib.loads(text)
    assert set(locate(text)) == keys_of(value)
