"""Where the cells of a Markdown table row stand in the source."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


def cells(source: str, start: int, stop: int, contents: Sequence[str]) -> list[Sequence[int]]:
    """For each cell of the row ``source[start:stop]``, the source position of each character.

    ``contents`` are the cells as the parser gives them, without the white space around them, of
    which its versions take different characters for white: so they are looked for.
    """
    row = _parted(source, start, stop)
    blank = not row[0].text.strip()
    for first in (1, 0) if blank else (0, 1):  # a pipe at the row's own beginning parts nothing
        raw = [*row[first:], *(_Cell("", range(0)) for _ in contents)]
        found = [_within(cell, text) for cell, text in zip(raw, contents, strict=False)]
        places = [place for place in found if place is not None]
        if len(places) == len(contents):
            return places
    return [[start] * len(text) for text in contents]


class _Cell(NamedTuple):
    text: str
    where: Sequence[int]  # of each character


def _parted(source: str, start: int, stop: int) -> list[_Cell]:
    """What stands between pipes; an escaped one is a pipe inside a cell."""
    row = source[start:stop]
    if "\\" in row:
        return _parted_with_escapes(row, start)
    found: list[_Cell] = []
    for text in row.split("|"):
        found.append(_Cell(text, range(start, start + len(text))))
        start += len(text) + 1
    return found


def _parted_with_escapes(row: str, start: int) -> list[_Cell]:
    cells: list[list[int]] = [[]]
    escaped = False
    for at, char in enumerate(row):
        if char == "|" and not escaped:
            cells.append([])
        else:
            if char == "|":
                cells[-1].pop()
            cells[-1].append(at)
        escaped = char == "\\"
    return [_Cell("".join(row[at] for at in c), [start + at for at in c]) for c in cells]


def _within(cell: _Cell, content: str) -> Sequence[int] | None:
    at = cell.text.find(content)
    return cell.where[at : at + len(content)] if at >= 0 else None
