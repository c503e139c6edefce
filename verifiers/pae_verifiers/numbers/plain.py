"""Plain text → Document: every character is read, paragraphs are parted by empty lines."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator

from pae_verifiers.numbers.builder import NOWHERE, visible
from pae_verifiers.numbers.model import Block, BlockKind, Document, Span, made
from pae_verifiers.numbers.sentences import split

_GAP = re.compile(r"(?:\r\n|\r|\n)(?:[ \t]*(?:\r\n|\r|\n))+")
_ITEM = re.compile(r"[ \t]*(?:[-*•–]|\(?\d{1,3}[.)])[ \t]+\S")
_NOWHERE = NOWHERE._asdict()


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
        paragraph = text[at:end]
        if paragraph and not paragraph.isspace():
            lead = yield from _paragraph(paragraph, at, lead)
        at = gap.end() if gap else end


def _paragraph(text: str, at: int, lead: str) -> Generator[Block, None, str]:
    """One paragraph, or each of its lines where some are list items; returns what leads on."""
    lines = text.splitlines(keepends=True)
    items = [_ITEM.match(line) is not None for line in lines]
    if True not in items:
        yield _block("paragraph", text, at)
        return text.strip()
    before = lead
    for line, item in zip(lines, items, strict=True):
        if item:
            yield _block("list_item", line.rstrip("\r\n"), at, lead)
        else:
            yield _block("paragraph", line.rstrip("\r\n"), at)
            lead = line.strip()
        at += len(line)
    return before if items[-1] else lead


def _block(kind: BlockKind, text: str, at: int, lead: str = "") -> Block:
    span, sentences = Span(at, at + len(text)), tuple(split(text, at))
    fields = {"kind": kind, "span": span, "sentences": sentences, "lead_in": lead}
    return made(Block, _NOWHERE | fields)
