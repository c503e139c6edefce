"""Where the cells of a Markdown table row stand in the source."""

from __future__ import annotations

from collections.abc import Sequence


def cells(source: str, start: int, stop: int, contents: Sequence[str]) -> list[list[int]]:
    """For each cell of the row ``source[start:stop]``, the source position of each character.

    ``contents`` are the cells as the parser gives them, without the white space around them, of
    which its versions take different characters for white: so they are looked for.
    """
    row = _parted(source, start, stop)
    blank = not "".join(source[at] for at in row[0]).strip()
    for first in (1, 0) if blank else (0, 1):  # a pipe at the row's own beginning parts nothing
        raw = [*row[first:], *([] for _ in contents)]
        found = [_within(source, cell, text) for cell, text in zip(raw, contents, strict=False)]
        places = [place for place in found if place is not None]
        if len(places) == len(contents):
            return places
    return [[start] * len(text) for text in contents]


def _parted(source: str, start: int, stop: int) -> list[list[int]]:
    """What stands between pipes; an escaped one is a pipe inside a cell."""
    row: list[list[int]] = [[]]
    escaped = False
    for at in range(start, stop):
        if source[at] == "|" and not escaped:
            row.append([])
        else:
            if source[at] == "|":
                row[-1].pop()
            row[-1].append(at)
        escaped = source[at] == "\\"
    return row


def _within(source: str, cell: list[int], content: str) -> list[int] | None:
    at = "".join(source[place] for place in cell).find(content)
    return cell[at : at + len(content)] if at >= 0 else None
