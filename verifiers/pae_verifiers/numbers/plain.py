"""Plain text → Document: every character is read, paragraphs are parted by empty lines."""

from __future__ import annotations

import re

from pae_verifiers.numbers.builder import NOWHERE, Builder, Context, literal
from pae_verifiers.numbers.model import Document

_GAP = re.compile(r"(?:\r\n|\r|\n)(?:[ \t]*(?:\r\n|\r|\n))+")
_ITEM = re.compile(r"[ \t]*(?:[-*•–]|\(?\d{1,3}[.)])[ \t]+\S")


def render(source: str) -> Document:
    """The document that ``source`` is when nothing in it is markup. Linear time, never raises."""
    out = Builder(source)
    at = 0
    lead = ""
    for match in (*_GAP.finditer(source), None):
        end = match.start() if match else len(source)
        if source[at:end].strip():
            lead = _paragraph(out, source, at, end, lead)
        at = match.end() if match else end
    return out.document()


def _paragraph(out: Builder, source: str, at: int, end: int, lead: str) -> str:
    """Write one paragraph, or each of its lines where they are list items; returns the lead-in."""
    lines = source[at:end].splitlines(keepends=True)
    if not any(_ITEM.match(line) for line in lines):
        out.separate("\n\n")
        written = out.write([literal(source[at:end], at)])
        out.block("paragraph", written, NOWHERE)
        return written.text.strip()
    for line in lines:
        out.separate("\n")
        written = out.write([literal(line.rstrip("\r\n"), at)])
        item = _ITEM.match(line) is not None
        out.block(
            "list_item" if item else "paragraph", written, Context(lead_in=lead if item else "")
        )
        if not item:
            lead = written.text.strip()
        at += len(line)
    return lead
