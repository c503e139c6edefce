"""Where the cells of a Markdown table row stand in the source."""

from __future__ import annotations


def cells(source: str, start: int, stop: int) -> list[list[int]]:
    """For each cell of the row ``source[start:stop]``, the source position of each character.

    As GFM has it: cells are parted by pipes, an escaped pipe is a pipe inside a cell, and the
    pipes at the row's own ends part nothing.
    """
    while start < stop and source[start] in " \t":
        start += 1
    while stop > start and source[stop - 1] in " \t":
        stop -= 1
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
    if not row[0]:
        row.pop(0)
    if row and not row[-1]:
        row.pop()
    return [_trimmed(source, cell) for cell in row]


def _trimmed(source: str, cell: list[int]) -> list[int]:
    first, last = 0, len(cell)
    while first < last and source[cell[first]].isspace():
        first += 1
    while last > first and source[cell[last - 1]].isspace():
        last -= 1
    return cell[first:last]
