"""The places of a document's numbers, made when a number asks for one."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence

from pae_verifiers.numbers.aliases import Occurrence
from pae_verifiers.numbers.book import Book
from pae_verifiers.numbers.model import Block, Document, Quantity, Span
from pae_verifiers.numbers.place import (
    ABSENT,
    CARRIED,
    FEW,
    HEADING,
    LEAD_IN,
    OWN_CELL,
    ROW,
    Place,
    refers_back,
    takes_up_the_item_before,
)
from pae_verifiers.numbers.words import Word, words


class Places:
    """The places of a document, made when a number asks for one."""

    def __init__(self, document: Document, book: Book, numbers: Iterable[Quantity]) -> None:
        self._document = document
        self._book = book
        self._block_starts = [block.span.at for block in document.blocks]
        self._numbers = sorted(numbers, key=lambda number: number.at)
        self._number_starts = [number.at for number in self._numbers]
        self._made: dict[tuple[int, int], Place] = {}
        self._spoken: dict[Span, tuple[tuple[Word, ...], tuple[Occurrence, ...]]] = {}
        self._tables: dict[int, frozenset[int]] = {}
        self._paragraphs: dict[int, frozenset[int]] = {}
        self._sentence_starts: dict[int, list[int]] = {}
        self._carries: dict[int, list[frozenset[int]]] = {}

    def of(self, quantity: Quantity) -> Place:
        """The place of a number."""
        blocks = self._document.blocks
        index = bisect_right(self._block_starts, quantity.at) - 1
        if index < 0 or quantity.at >= blocks[index].span.until:
            whole = Span(0, len(self._document.text))
            return self._place(-1, Block("paragraph", whole, (whole,)), 0)
        block = blocks[index]
        if index not in self._sentence_starts:
            self._sentence_starts[index] = [sentence.at for sentence in block.sentences]
        starts = self._sentence_starts[index]
        return self._place(index, block, max(0, bisect_right(starts, quantity.at) - 1))

    def _place(self, index: int, block: Block, sentence: int) -> Place:
        key = (index, sentence)
        if key not in self._made:
            self._made[key] = self._make(index, block, sentence)
        return self._made[key]

    def _make(self, index: int, block: Block, sentence: int) -> Place:
        span = (block.sentences or (block.span,))[sentence if block.sentences else 0]
        row_words, spoken = self._speak(span)
        around, inside = self._around(block)
        own = {found.alias for found in spoken if not found.inside}
        carried = self._carried(index, block, sentence) - own - around.keys()
        around.update(dict.fromkeys(carried, CARRIED))
        first = bisect_left(self._number_starts, span.at)
        last = bisect_left(self._number_starts, span.until)
        earlier = max(bisect_left(self._number_starts, self._begin(index, sentence)), first - FEW)
        return Place(
            block=block,
            span=span,
            text=self._document.text[span.at : span.until],
            spoken=spoken,
            around=around,
            inside=inside,
            carried=carried,
            paragraph=self._paragraph(index, block),
            words=row_words,
            numbers=tuple(self._numbers[first:last]),
            earlier=tuple(self._numbers[earlier:first]),
            small=self._book.small_words,
        )

    def _begin(self, index: int, sentence: int) -> int:
        """From where on a number may lend a sentence its unit: the sentence before, in a list the
        item before."""
        block = self._document.blocks[index] if index >= 0 else None
        if block is None:
            return 0
        before = self._document.blocks[index - 1] if index > 0 else None
        if before is not None and before.kind == block.kind == "list_item":
            return before.span.at
        return block.sentences[sentence - 1].at if sentence else block.span.at

    def _speak(self, span: Span) -> tuple[tuple[Word, ...], tuple[Occurrence, ...]]:
        if span not in self._spoken:
            row = words(self._document.text[span.at : span.until], span.at)
            self._spoken[span] = row, self._book.index.find_words(row)
        return self._spoken[span]

    def _around(self, block: Block) -> tuple[dict[int, int], dict[int, int]]:
        texts: list[tuple[str, int]] = [
            (block.row_label, OWN_CELL),
            (block.column, OWN_CELL),
            (block.row, ROW),
            (block.lead_in, LEAD_IN),
        ]
        inner_first = enumerate(reversed(block.headings))
        texts += [(heading, HEADING + depth) for depth, heading in inner_first]
        far: dict[int, int] = {}
        inside: dict[int, int] = {}
        for text, distance in texts:
            for found in self._book.find(text) if text else ():
                if not found.inside:
                    far[found.alias] = min(distance, far.get(found.alias, ABSENT))
                elif distance <= ROW:
                    inside[found.alias] = min(distance, inside.get(found.alias, ABSENT))
        return far, inside

    def _carried(self, index: int, block: Block, sentence: int) -> frozenset[int]:
        """The subject of the sentence before, with that which it carries itself by a pronoun."""
        if index not in self._carries:
            self._carries[index] = [self._from_item_before(index, block)]
        known = self._carries[index]
        while len(known) <= sentence:
            span = block.sentences[len(known) - 1]
            _, spoken = self._speak(span)
            subject = {found.alias for found in spoken if not found.inside} & self._book.subjects
            leaves = subject and not refers_back(self._document.text[span.at : span.until])
            known.append(frozenset(subject) if leaves else known[-1] | subject)
        return known[sentence]

    def _from_item_before(self, index: int, block: Block) -> frozenset[int]:
        """The subjects of the list item before, where this one's first sentence needs them."""
        before = self._document.blocks[index - 1] if index > 0 else None
        first = block.sentences[0] if block.sentences else block.span
        if before is None or not before.kind == block.kind == "list_item":
            return frozenset()
        if not takes_up_the_item_before(self._document.text[first.at : first.until]):
            return frozenset()
        span = before.sentences[-1] if before.sentences else before.span
        spoken = self._speak(span)[1]
        return frozenset(f.alias for f in spoken if not f.inside) & self._book.subjects

    def _paragraph(self, index: int, block: Block) -> frozenset[int]:
        if block.kind == "table_cell":
            return self._table(index) | self._aliases(block.headings)
        if index not in self._paragraphs:
            spans = block.sentences or (block.span,)
            own = {found.alias for span in spans for found in self._speak(span)[1]}
            around = self._aliases((block.lead_in, *block.headings))
            self._paragraphs[index] = around.union(own)
        return self._paragraphs[index]

    def _table(self, index: int) -> frozenset[int]:
        """Every alias in the cells of the table that block ``index`` belongs to."""
        if index not in self._tables:
            blocks = self._document.blocks
            first = last = index
            while first > 0 and blocks[first - 1].kind == "table_cell":
                first -= 1
            while last + 1 < len(blocks) and blocks[last + 1].kind == "table_cell":
                last += 1
            cells = blocks[first : last + 1]
            texts = {t for cell in cells for t in (cell.row, cell.column, cell.lead_in)}
            whole = self._aliases(tuple(texts))
            self._tables.update(dict.fromkeys(range(first, last + 1), whole))
        return self._tables[index]

    def _aliases(self, texts: Sequence[str]) -> frozenset[int]:
        return frozenset(found.alias for text in texts if text for found in self._book.find(text))
