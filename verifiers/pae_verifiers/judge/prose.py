"""A document as sentences, list items and table rows, each folded for reading and as written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, NamedTuple

from pae_verifiers.numbers.model import Block, Document

if TYPE_CHECKING:
    from pae_verifiers.judge.candidate import Candidate
    from pae_verifiers.judge.wording import Sign

LONGEST = 1500  # characters read as one sentence: what is longer is cut, for time's sake
_STRAIGHT = {0x2019: "'", 0x2018: "'", 0x201C: '"', 0x201D: '"', 0xA0: " "}


class Piece(NamedTuple):
    """A sentence, or a table's row.

    ``text`` is as :func:`plain` gives it; ``quote`` is its source, of at most LONGEST rendered
    characters; ``kind`` is ``prose`` (a list's items too), ``row``, ``heading`` or ``code``;
    ``headings`` are those that it stands below, outermost first, as :func:`plain` gives them.
    """

    text: str
    quote: str
    kind: str
    headings: tuple[str, ...]

    @property
    def words(self) -> int:
        return len(self.text.split())


Window = tuple[Piece, ...]


def plain(text: str) -> str:
    """Folded case, straight quotes, single spaces, no markup at the edges."""
    return " ".join(text.translate(_STRAIGHT).split()).strip(" *_#").casefold()


def cut(document: Document) -> tuple[Piece, ...]:
    """All pieces of the document, in order."""
    found: list[Piece] = []
    for row, group in groupby(document.blocks, key=lambda block: block.row):
        blocks = list(group)
        spans = [(s.at, s.until, block) for block in blocks for s in block.sentences]
        if row:
            spans = [(blocks[0].span.at, blocks[-1].span.until, blocks[0])]
        for start, end, block in spans:
            above = tuple(map(plain, block.headings))
            for at in range(start, end, LONGEST):
                until = min(at + LONGEST, end)
                text = document.text[at:until]
                if text.strip():
                    quote = document.source[document.offsets[at] : document.ends[until - 1]]
                    found.append(Piece(plain(text), quote, _kind(block), above))
    return tuple(found)


def _kind(block: Block) -> str:
    if block.row:
        return "row"
    return block.kind if block.kind in ("heading", "code") else "prose"


def statements(candidate: Candidate) -> list[Piece]:
    """The document's pieces without headings and code."""
    return [piece for piece in candidate.pieces if piece.kind in ("prose", "row")]


def under(pieces: list[Piece], heading: str) -> list[Piece]:
    """The pieces below a heading; all of them where it is missing, which another item grades."""
    return [p for p in pieces if any(heading in above for above in p.headings)] or pieces


def alone(pieces: Iterable[Piece]) -> Iterator[Window]:
    """Each piece by itself."""
    return ((piece,) for piece in pieces)


def pairs(pieces: list[Piece]) -> Iterator[Window]:
    """Each piece with the next."""
    return pairwise(pieces)


def first(windows: Iterable[Window], *signs: Sign) -> tuple[str, ...]:
    """The quotes of the first window in which every sign shows; none without one."""
    for window in windows:
        text = " ".join(piece.text for piece in window)
        if all(sign(text) for sign in signs):
            return tuple(piece.quote for piece in window)
    return ()
