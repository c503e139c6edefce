"""Plain text → Document: every character is read, paragraphs are parted by empty lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pae_verifiers.numbers.builder import visible
from pae_verifiers.numbers.model import Block, BlockKind, Document, Span
from pae_verifiers.numbers.sentences import split

_GAP = re.compile(r"(?:\r\n|\r|\n)(?:[ \t]*(?:\r\n|\r|\n))+")
_ITEM = re.compile(r"[ \t]*(?:[-*•–]|\(?\d{1,3}[.)])[ \t]+\S")


def render(source: str) -> Document:
    """The document that ``source`` is when nothing in it is markup. Linear time, never raises."""
    kept = visible(source)
    if kept is None:
        text, offsets, ends = source, range(len(source)), range(1, len(source) + 1)
        return Document(source, text, offsets, ends, tuple(_blocks(text)))
    text = "".join(source[at] for at in kept)
    return Document(source, text, kept, [at + 1 for at in kept], tuple(_blocks(text)))


def _blocks(text: str) -> Iterator[Block]:
    at = 0
    lead = ""
    for gap in (*_GAP.finditer(text), None):
        end = gap.start() if gap else len(text)
        if text[at:end].strip():
            paragraph = list(_paragraph(text, at, end, lead))
            yield from paragraph
            last = paragraph[-1]
            if last.kind == "paragraph":
                lead = text[last.span.at : last.span.until].strip()
        at = gap.end() if gap else end


def _paragraph(text: str, at: int, end: int, lead: str) -> Iterator[Block]:
    """One paragraph, or each of its lines where some are list items."""
    lines = text[at:end].splitlines(keepends=True)
    if not any(_ITEM.match(line) for line in lines):
        yield _block("paragraph", text[at:end], at)
        return
    for line in lines:
        item = _ITEM.match(line) is not None
        yield _block(
            "list_item" if item else "paragraph", line.rstrip("\r\n"), at, lead if item else ""
        )
        if not item:
            lead = line.strip()
        at += len(line)


def _block(kind: BlockKind, text: str, at: int, lead: str = "") -> Block:
    sentences = tuple(Span(at + start, at + end) for start, end in split(text))
    return Block(kind, Span(at, at + len(text)), sentences, lead_in=lead)
