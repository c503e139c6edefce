"""A document on a terminal: coloured where it should be, and unable to drive the terminal."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

TAB = 8
_BREAK = re.compile(r"\r\n|\r|\n")
_AT_ONCE = 200  # lines; printing each alone costs rich more than showing it does
_REPLACED = "reverse"  # what stands for a character that is not shown as it is


@dataclass(frozen=True)
class Mark:
    """A style for the code points ``[start, end)`` of a source."""

    start: int
    end: int
    style: str


class LineNumbers:
    """The line, from 1, of an offset in ``source``; lines end with CR LF, CR or LF."""

    def __init__(self, source: str) -> None:
        self._starts = [0, *(found.end() for found in _BREAK.finditer(source))]

    def __call__(self, offset: int) -> int:
        return bisect_right(self._starts, offset)


def coloured(source: str, marks: Iterable[Mark]) -> Iterator[Text]:
    """The lines of ``source`` as they may be shown, each mark on exactly its own characters.

    Tabs become spaces, controls their pictures, and other characters that would not be seen, or
    that turn text around, ``<U+202E>``. Where marks overlap, the later one wins.
    """
    from rich.text import Text

    waiting = sorted(marks, key=lambda mark: (mark.start, mark.end))[::-1]
    here: list[Mark] = []
    for start, end in _lines(source):
        while waiting and waiting[-1].start < end:
            here.append(waiting.pop())
        seen = _visible(source[start:end])
        line = Text(seen.text)
        for at, until in seen.replaced:
            line.stylize(_REPLACED, at, until)
        for mark in here:
            first, last = max(mark.start, start) - start, min(mark.end, end) - start
            if first < last:
                line.stylize(mark.style, seen.places[first], seen.places[last])
        here = [mark for mark in here if mark.end > end]
        yield line


def show(console: Console, source: str, marks: Iterable[Mark], styles: Mapping[str, str]) -> None:
    """Print ``source`` with its marks, and below it what the ``styles``, by name, look like."""
    from rich.text import Text

    lines = coloured(source, marks)
    while some := list(islice(lines, _AT_ONCE)):
        console.print(Text("\n").join(some), soft_wrap=False)
    console.print()
    console.print(legend(styles))
    console.print()


def legend(styles: Mapping[str, str]) -> Text:
    """One line with each name in its style."""
    from rich.text import Text

    return Text("  ").join(Text(name, style) for name, style in styles.items())


def _lines(source: str) -> Iterator[tuple[int, int]]:
    start = 0
    for found in _BREAK.finditer(source):
        yield start, found.start()
        start = found.end()
    if start < len(source):
        yield start, len(source)


@dataclass(frozen=True)
class _Seen:
    """One line as shown; ``places[i]`` is where its code point ``i`` begins in ``text``."""

    text: str
    places: Sequence[int]
    replaced: tuple[tuple[int, int], ...] = ()


def _visible(line: str) -> _Seen:
    from rich.cells import cell_len

    if line.isprintable():
        return _Seen(line, range(len(line) + 1))
    shown: list[str] = []
    places = [0]
    replaced: list[tuple[int, int]] = []
    column = 0
    for character in line:
        text = character if character.isprintable() else _stand_in(character, column)
        shown.append(text)
        places.append(places[-1] + len(text))
        column += cell_len(text)
        if text.strip() and text != character:
            joined = replaced.pop()[0] if replaced and replaced[-1][1] == places[-2] else places[-2]
            replaced.append((joined, places[-1]))
    return _Seen("".join(shown), places, tuple(replaced))


def _stand_in(character: str, column: int) -> str:
    """What is shown, at this column, for a character that is not printable."""
    if character == "\t":
        return " " * (TAB - column % TAB)
    if unicodedata.category(character) == "Zs":  # no-break and typographic spaces
        return "  " if unicodedata.east_asian_width(character) in "FW" else " "
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else f"<U+{code:04X}>"
