"""Evidence: a judge may quote only what the document says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

MOST_EXCERPTS = 100  # of one answer; a judge's list without end is no fault of the document's


class Quote(NamedTuple):
    """An exact substring of the candidate's source; offsets count code points."""

    text: str
    start: int
    end: int


def locate(evidence: Sequence[object], source: str) -> tuple[Quote, ...]:
    """Each piece of evidence at its first place in ``source``.

    Raises ValueError, quoting the piece, where one has no letter or digit or is not in the source.
    """
    quotes = []
    for text in evidence:
        if not isinstance(text, str) or not any(map(str.isalnum, text)):
            raise ValueError(f"evidence {text!r:.80} is empty or not text")
        start = source.find(text)
        if start < 0:
            raise ValueError(f"evidence {text[:80]!r} does not stand in the document")
        quotes.append(Quote(text, start, start + len(text)))
    return tuple(quotes)


def located(evidence: Sequence[object], source: str) -> list[dict[str, object]]:
    """Evidence as details.json has it: ``{text, start, end}``. Raises ValueError as locate does."""
    return [{"text": q.text, "start": q.start, "end": q.end} for q in locate(evidence, source)]


def evidence_faults(evidence: Sequence[object], source: str, *, wanted: bool) -> tuple[str, ...]:
    """What is wrong with one answer's evidence; ``wanted`` says that there must be some."""
    if len(evidence) > MOST_EXCERPTS:
        return (
            f"{len(evidence)} excerpts are too many: give the {MOST_EXCERPTS} that matter at most",
        )
    faults = []
    for text in evidence:
        try:
            locate((text,), source)
        except ValueError as error:
            faults.append(str(error))
    if wanted and not evidence:
        faults.append("this answer needs evidence, an exact excerpt of the document")
    return tuple(faults)
