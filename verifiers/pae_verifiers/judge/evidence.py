"""Evidence: a judge may quote only what the document says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Quote(NamedTuple):
    """An exact substring of the candidate's source; offsets count code points."""

    text: str
    start: int
    end: int


def locate(evidence: Sequence[object], source: str) -> tuple[Quote, ...]:
    """Each piece of evidence at its first place in ``source``.

    Raises ValueError, quoting the piece, where one is empty or is not in the source.
    """
    quotes = []
    for text in evidence:
        if not isinstance(text, str) or not text.strip():
            raise ValueError(f"evidence {text!r} is empty or not text")
        start = source.find(text)
        if start < 0:
            raise ValueError(f"evidence {text[:80]!r} does not stand in the document")
        quotes.append(Quote(text, start, start + len(text)))
    return tuple(quotes)
