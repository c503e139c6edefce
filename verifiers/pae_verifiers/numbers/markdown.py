"""Markdown source → Document: what a reader of the rendered page sees, with source positions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from markdown_it.token import Token

from pae_verifiers.numbers import html_text, plain, positions
from pae_verifiers.numbers.builder import (
    Builder,
    Context,
    Piece,
    Written,
    collapsed,
    literal,
    placed,
)
from pae_verifiers.numbers.inline_text import Shown, line_positions
from pae_verifiers.numbers.model import Document, HiddenText
from pae_verifiers.numbers.table_cells import cells

# Above this Markdown's nesting rules cost too much; such a text is read as plain text.
MAX_MARKDOWN = 64 * 1024
# So do brackets that never close, by the square of their number.
MAX_BRACKETS = 3000

_CONTAINER_MARKS = re.compile(r"^(?:[ \t>]|[-*+](?=\s|$)|\d{1,9}[.)](?=\s|$))*")
_DEFINITION_TITLE = re.compile(r"""\s("[^"]*"|'[^']*'|\([^()]*\))\s*$""")


def render(source: str) -> Document:
    """The document that Markdown (CommonMark, tables, strikethrough) makes of ``source``.

    Never raises. More than 64 KB, and nesting too deep to follow, is read as plain text.
    """
    if len(source) > MAX_MARKDOWN or source.count("[") > MAX_BRACKETS:
        return plain.render(source)
    normal = source.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
    tokens, definitions = positions.parse(normal)
    if _loses_text(normal, tokens, definitions):
        return plain.render(source)
    walker = _Walker(normal, tokens)
    for start, end in definitions:
        found = _DEFINITION_TITLE.search(normal[start:end])
        if found:
            walker.out.hide(start + found.start(1) + 1, start + found.end(1) - 1)
    return _in_source(walker.walk(), source)


def _loses_text(source: str, tokens: list[Token], definitions: list[tuple[int, int]]) -> bool:
    """Whether the parser gave up on some line, as it does below its greatest nesting."""
    if not any(token.level >= positions.MAX_NESTING - 2 for token in tokens):
        return False
    covered = {start for token in tokens for start in token.meta.get("starts", ())}
    covered.update(start for start, _ in definitions)
    at = 0
    for line in source.split("\n"):
        mark = _CONTAINER_MARKS.match(line)
        start = at + (mark.end() if mark else 0)
        if line[start - at :].strip() and not any(at <= one <= start for one in covered):
            return True
        at += len(line) + 1
    return False


def _in_source(document: Document, source: str) -> Document:
    """Shift positions back to a source that had two-character line ends."""
    if "\r\n" not in source:
        return replace(document, source=source)
    origin = [
        i for i in range(len(source)) if not (source[i] == "\n" and i and source[i - 1] == "\r")
    ]
    origin.append(len(source))
    hidden = tuple(
        HiddenText(
            source[origin[item.start] : origin[item.end]], origin[item.start], origin[item.end]
        )
        for item in document.hidden
    )
    return replace(
        document,
        source=source,
        offsets=[origin[i] for i in document.offsets],
        ends=[origin[i] for i in document.ends],
        hidden=hidden,
    )


class _Walker:
    """One pass over the block tokens."""

    def __init__(self, source: str, tokens: list[Token]) -> None:
        self.source = source
        self.tokens = tokens
        self.out = Builder(source)
        self.shown = Shown(source, self.out)
        self.headings: list[tuple[int, str]] = []
        self.lead = ""  # text of the paragraph just before, where nothing came between
        self.leads: list[str] = []  # lead-in of each list that is open
        self.marker: list[Piece] = []  # the ordered list's number, to stand before the item's text
        self.marker_end = 0
        self.lines = [0, *(found.end() for found in re.finditer("\n", source))]

    def walk(self) -> Document:
        index = 0
        while index < len(self.tokens):
            token = self.tokens[index]
            if token.type == "table_open":
                index = self._table(index)
                self.lead = ""
            elif token.type == "heading_open":
                self._heading(token, self.tokens[index + 1])
                index += 1
            elif token.type == "inline":
                self._paragraph(token)
            else:
                self._other(token)
            index += 1
        return self.out.document()

    def _other(self, token: Token) -> None:
        """Everything but headings, paragraphs and tables."""
        if token.type in ("bullet_list_open", "ordered_list_open"):
            outer = self.leads[-1] if self.leads else ""
            self.leads.append(" ".join(filter(None, (outer, self.lead))))
            self.lead = ""
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            self.leads.pop()
            self.lead = ""
        elif token.type == "list_item_open":
            self.lead = ""
            self._list_marker(token)
        elif token.type == "list_item_close":
            self.marker = []
        elif token.type in ("fence", "code_block"):
            self._code(token)
        elif token.type == "html_block":
            self._html(token)
        elif token.type == "hr":
            self.lead = ""

    def _context(self) -> Context:
        """Where the next block stands; to be asked before its list marker is taken."""
        headings = tuple(text for _, text in self.headings)
        lead_in = self.leads[-1] if self.leads else ""
        return Context(headings, lead_in, numbered=bool(self.marker))

    def _list_marker(self, token: Token) -> None:
        self.marker = []
        if token.info and token.map:
            text = token.info + token.markup
            starts = self.source.find(text, max(self.marker_end, self.lines[token.map[0]]))
            if starts >= 0:
                self.marker_end = starts + len(text)
                self.marker = [
                    literal(text, starts),
                    collapsed(" ", self.marker_end, self.marker_end),
                ]

    def _heading(self, opening: Token, inline: Token) -> None:
        level = int(opening.tag[1])
        hashes = opening.markup if opening.markup.startswith("#") else ""
        self.headings = [item for item in self.headings if item[0] < level]
        context = self._context()
        self.out.separate("\n\n")
        written = self.out.write([*self._take_marker(), *self.shown.inline(inline, hashes)])
        self.out.block("heading", written, context)
        self.headings.append((level, written.text.strip()))
        self.lead = ""

    def _paragraph(self, inline: Token) -> None:
        context = self._context()
        self.out.separate("\n\n")
        written = self.out.write([*self._take_marker(), *self.shown.inline(inline)])
        self.out.block("list_item" if self.leads else "paragraph", written, context)
        self.lead = written.text.strip()

    def _code(self, token: Token) -> None:
        starts, stops = token.meta["starts"], token.meta["stops"]
        if token.type == "fence":
            self.out.hide(starts[0] + len(token.markup), stops[0])
            starts = starts[1:]
        content = token.content.removesuffix("\n")
        where = line_positions(self.source, content, starts)
        context = self._context()
        self.out.separate("\n\n")
        written = self.out.write([*self._take_marker(), placed(content, where)])
        self.out.block("code", written, context)
        self.lead = ""

    def _html(self, token: Token) -> None:
        """A block of raw HTML: its text is read, its tags break lines, its comments are hidden."""
        lines = zip(token.meta["starts"], token.meta["stops"], strict=True)
        where = [at for start, stop in lines for at in range(start, stop + 1)]
        if where and where[-1] >= len(self.source):
            where.pop()
        text = "".join(self.source[at] for at in where)
        pieces: list[Piece] = []
        for part in html_text.parts(text):
            pieces.extend(
                self.shown.html(part.kind, text[part.at : part.to], where[part.at : part.to])
            )
        if any(piece.text.strip() for piece in pieces):
            context = self._context()
            self.out.separate("\n\n")
            written = self.out.write([*self._take_marker(), *pieces])
            self.out.block("list_item" if self.leads else "paragraph", written, context)
            self.lead = ""

    def _table(self, index: int) -> int:
        """Write the table that opens at ``index``; returns the index of its last token."""
        opening = self.tokens[index]
        outer = self.leads[-1] if self.leads else ""
        lead_in = " ".join(filter(None, (outer, self.lead)))
        headings = tuple(text for _, text in self.headings)
        columns: list[str] = []
        while self.tokens[index].type != "table_close":
            token = self.tokens[index]
            if token.type == "tr_open" and token.map:
                row = [t for t in self.tokens[index : self._row_end(index)] if t.type == "inline"]
                line = token.map[0] - opening.meta["line"]
                start, stop = opening.meta["starts"][line], opening.meta["stops"][line]
                where = cells(self.source, start, stop, [cell.content for cell in row])
                texts = self._row(row, where, Context(headings, lead_in), columns)
                columns = columns or texts
            index += 1
        return index

    def _row_end(self, index: int) -> int:
        while self.tokens[index].type != "tr_close":
            index += 1
        return index

    def _row(
        self, row: list[Token], where: list[Sequence[int]], context: Context, columns: list[str]
    ) -> list[str]:
        """Write one row; its cells can be registered only when the whole row is known."""
        written: list[Written] = []
        for inline, spots in zip(row, where, strict=True):
            self.out.separate("\t" if written else "\n" if columns else "\n\n")
            written.append(self.out.write(list(self.shown.spans(inline, spots))))
        texts = [cell.text.strip() for cell in written]
        whole = " ".join(texts)
        for number, cell in enumerate(written):
            column = columns[number] if number < len(columns) else ""
            place = Context(context.headings, context.lead_in, whole, texts[0], column)
            self.out.block("table_cell", cell, place)
        return texts

    def _take_marker(self) -> list[Piece]:
        marker, self.marker = self.marker, []
        return marker
