"""Builds a Document piece by piece, keeping for every rendered code point its source range."""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from pae_verifiers.numbers.model import Block, BlockKind, Document, HiddenText, Span, made
from pae_verifiers.numbers.sentences import split

# Characters that take no room on the page: zero-width and hair spaces and joiners, soft hyphen,
# byte order mark, bidirectional and other controls, variation selectors, tags, enclosing keycap.
_RANGES = (
    (0x00, 0x09), (0x0E, 0x1C), (0x7F, 0x85), (0x86, 0xA0), (0x180B, 0x1810), (0x206A, 0x2070),
    (0xFE00, 0xFE10), (0xFFF9, 0xFFFC), (0x1BCA0, 0x1BCA4), (0x1D173, 0x1D17B),
    (0xE0000, 0xE0080), (0xE0100, 0xE01F0),
)  # fmt: skip
INVISIBLE = frozenset(
    "\u00ad\u034f\u061c\u115f\u1160\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
    "\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\u200a\u20e3\u3164\ufeff\uffa0"
    + "".join(chr(code) for start, end in _RANGES for code in range(start, end))
)
# Accents and strokes: on a digit they are decoration.
_MARK = r"[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
_MARKED = re.compile(rf"{_MARK}(?<=[\d.,%].){_MARK}*")


class Piece(NamedTuple):
    """Rendered text with the source range of each of its code points."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]


def visible(text: str) -> list[int] | None:
    """The places of the characters that a reader sees; None where that is all of them."""
    if text.isascii() and text.replace("\n", "").isprintable():
        return None
    hidden: set[int] = set()
    if not text.isascii():
        hidden.update(at for mark in _MARKED.finditer(text) for at in range(*mark.span()))
    if not hidden and INVISIBLE.isdisjoint(text):
        return None
    return [at for at, char in enumerate(text) if char not in INVISIBLE and at not in hidden]


def literal(text: str, start: int) -> Piece:
    """A piece that stands in the source as it is read."""
    return Piece(text, range(start, start + len(text)), range(start + 1, start + len(text) + 1))


def placed(text: str, where: Sequence[int]) -> Piece:
    """A piece whose characters stand one by one at ``where`` in the source."""
    if isinstance(where, range):
        return Piece(text, where, range(where.start + 1, where.stop + 1))
    return Piece(text, where, [at + 1 for at in where])


def collapsed(text: str, start: int, end: int) -> Piece:
    """A piece that replaces ``source[start:end]`` as a whole, such as a decoded entity."""
    return Piece(text, [start] * len(text), [end] * len(text))


class Written(NamedTuple):
    """What one ``write`` put into the rendered text."""

    span: Span
    text: str


class Context(NamedTuple):
    """Where a block stands: Block's fields of the same names."""

    headings: tuple[str, ...] = ()
    lead_in: str = ""
    row: str = ""
    row_label: str = ""
    column: str = ""
    numbered: bool = False


NOWHERE = Context()


# Positions up to here are copied, which takes a fraction of the time of counting.
_COUNTED = 1 << 16


@cache
def _counted() -> array[int]:
    return array("q", range(_COUNTED))


@dataclass
class Builder:
    """Collects blocks in reading order; ``document`` freezes the result."""

    source: str
    parts: list[str] = field(default_factory=list)
    offsets: array[int] = field(default_factory=lambda: array("q"))
    ends: array[int] = field(default_factory=lambda: array("q"))
    blocks: list[Block] = field(default_factory=list)
    hidden: list[HiddenText] = field(default_factory=list)
    length: int = 0

    def separate(self, separator: str) -> None:
        """Add white space between blocks; it has an empty source range."""
        if self.length:
            here = self.ends[-1]
            for _ in separator:
                self.offsets.append(here)
                self.ends.append(here)
            self.parts.append(separator)
            self.length += len(separator)

    def write(self, pieces: Sequence[Piece]) -> Written:
        """Append pieces, without the characters that take no room on the page."""
        at, first = self.length, len(self.parts)
        for text, starts, ends in pieces:
            kept = visible(text)
            if kept is None:
                self._add(text, starts, ends)
            else:
                shown = "".join([text[i] for i in kept])
                self._add(shown, [starts[i] for i in kept], [ends[i] for i in kept])
        return Written(Span(at, self.length), "".join(self.parts[first:]))

    def block(self, kind: BlockKind, written: Written, context: Context = NOWHERE) -> None:
        """Register what was written as a block, cut into sentences."""
        span, text = written
        sentences = split(text, span.at, by_line=kind == "code")
        fields: dict[str, object] = {
            "kind": kind,
            "span": span,
            "sentences": tuple(sentences),
            "headings": context.headings,
            "lead_in": context.lead_in,
            "row": context.row,
            "row_label": context.row_label,
            "column": context.column,
            "numbered": context.numbered,
        }
        self.blocks.append(made(Block, fields))

    def hide(self, start: int, end: int) -> None:
        """Record ``source[start:end]`` as text that no reader sees."""
        if self.hidden and self.hidden[-1].end == start:
            start = self.hidden.pop().start
        if self.source[start:end].strip():
            self.hidden.append(HiddenText(self.source[start:end], start, end))

    def document(self) -> Document:
        return Document(
            source=self.source,
            text="".join(self.parts),
            offsets=self.offsets,
            ends=self.ends,
            blocks=tuple(self.blocks),
            hidden=tuple(sorted(self.hidden, key=lambda item: item.start)),
        )

    def _add(self, text: str, starts: Sequence[int], ends: Sequence[int]) -> None:
        self.parts.append(text)
        if isinstance(starts, range) and isinstance(ends, range) and ends.stop <= _COUNTED:
            counted = _counted()
            self.offsets.extend(counted[starts.start : starts.stop])
            self.ends.extend(counted[ends.start : ends.stop])
        else:
            self.offsets.extend(starts)
            self.ends.extend(ends)
        self.length += len(text)
