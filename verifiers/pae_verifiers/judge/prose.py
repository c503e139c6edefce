"""A document as sentences, list items and table rows, each folded for reading and as written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice, pairwise
from typing import TYPE_CHECKING, NamedTuple

from pae_verifiers.judge.amounts import Amount, marked
from pae_verifiers.numbers.model import Block, Document, Span

if TYPE_CHECKING:
    from pae_verifiers.judge.candidate import Candidate
    from pae_verifiers.judge.wording import Sign

LONGEST = 1500  # characters read as one sentence: what is longer is cut, for time's sake
_HEADER = 100  # characters of a header that go with each cell
_STRAIGHT = {0x2019: "'", 0x2018: "'", 0x201C: '"', 0x201D: '"', 0xA0: " "}


class Piece(NamedTuple):
    """A sentence, or a table's row.

    ``text`` is as :func:`plain` gives it; ``said`` is the same with amounts as ``¤`` (``¤%`` in
    percent), and in a row each cell follows its column's header: ``item tax; usd ¤``. ``quote`` is
    its source, of at most LONGEST rendered characters. ``kind`` is ``prose`` (a list's items too),
    ``row``, ``column``, ``heading`` or ``code``; ``headings`` are those that it stands below,
    outermost first, as :func:`plain` gives them.
    """

    text: str
    said: str
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


def cut(document: Document, sums: Sequence[Amount]) -> tuple[Piece, ...]:
    """All pieces of the document, whose amounts are ``sums``: sentences and table rows."""
    found: list[Piece] = []
    for row, group in groupby(document.blocks, key=lambda block: block.row):
        blocks = list(group)
        if row:
            said = "; ".join(_under_header(document, cell, sums) for cell in blocks)
            found += _pieces(
                document, Span(blocks[0].span.at, blocks[-1].span.until), blocks[0], said
            )
            continue
        for block in blocks:
            for span in block.sentences:
                said = _marked(document, span, sums)
                found += _pieces(document, span, block, said)
    return tuple(found)


def columns(document: Document, sums: Sequence[Amount]) -> tuple[Piece, ...]:
    """The columns of the tables: ``said`` is the header, then each row's label with its cell.

    The quote is the table, of which what is beyond LONGEST is left out.
    """
    found: list[Piece] = []
    for table in _tables(document):
        whole = Span(table[0][0].span.at, table[-1][-1].span.until)
        for header, *cells in list(zip(*table, strict=False))[1:]:
            told = [
                f"{row[0].row_label[:_HEADER]} {_marked(document, cell.span, sums)}"
                for row, cell in zip(table[1:], cells, strict=True)
            ]
            said = "; ".join([_marked(document, header.span, sums), *told])
            column = _pieces(document, whole, header, said)
            found += (piece._replace(kind="column") for piece in islice(column, 1))
    return tuple(found)


def _pieces(document: Document, span: Span, block: Block, said: str) -> Iterator[Piece]:
    """What stands in ``span``, in pieces of LONGEST; the first of them says it all."""
    for at in range(span.at, span.until, LONGEST):
        until = min(at + LONGEST, span.until)
        text = document.text[at:until]
        if text.strip():
            quote = document.source[document.offsets[at] : document.ends[until - 1]]
            said = plain(said)[:LONGEST] if at == span.at else plain(text)
            above = tuple(map(plain, block.headings))
            yield Piece(plain(text), said, quote, _kind(block), above)


def _marked(document: Document, span: Span, sums: Sequence[Amount]) -> str:
    return marked(document.text[span.at : span.until], span.at, sums)


def _under_header(document: Document, cell: Block, sums: Sequence[Amount]) -> str:
    return f"{cell.column[:_HEADER]} {_marked(document, cell.span, sums)}"


def _tables(document: Document) -> list[list[list[Block]]]:
    """The tables' rows of cells; rows of a table stand on lines that follow one another."""
    tables: list[list[list[Block]]] = []
    before: Block | None = None
    for block in document.blocks:
        if block.kind == "table_cell":
            gap = document.text[before.span.until : block.span.at] if before else "\n\n"
            if before is None or before.kind != "table_cell" or "\n\n" in gap:
                tables.append([[]])
            elif "\n" in gap:
                tables[-1].append([])
            tables[-1][-1].append(block)
        before = block
    return tables


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
    """The quotes of the first window in what of which every sign shows; none without one."""
    for window in windows:
        text = " ".join(piece.said for piece in window)
        if all(sign(text) for sign in signs):
            return tuple(piece.quote for piece in window)
    return ()
