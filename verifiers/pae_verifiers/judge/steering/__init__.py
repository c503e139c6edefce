"""Attempts of a document to steer its judge: found, reported, and without effect on the score.

What keeps a judge from being steered is how it is asked. This says that somebody tried, and is
built not to cry wolf: a client memo may write of systems, scores, ratings and rules to ignore.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple, get_args

from pae_verifiers.judge.steering.folded import Folded

Kind = Literal["block", "message", "transcript", "verdict", "instruction", "hidden", "encoded"]
KINDS: tuple[Kind, ...] = get_args(Kind)

MOST, LONGEST = 50, 200


class Attempt(NamedTuple):
    """A passage that addresses the judge; offsets count code points of the document as written.

    ``block``: pretends that a block of the prompt begins or ends; ``message``: poses as a message
    of the chat, by a role or a chat template's tokens; ``transcript``: as a talk with a model;
    ``verdict``: as a judge's reply; ``instruction``: tells the judge what to do; ``hidden``: meant
    for no human reader; ``encoded``: one of these, after decoding.
    """

    text: str
    start: int
    end: int
    kind: Kind


def attempts(source: str) -> tuple[Attempt, ...]:
    """The attempts in a document, in their order: at most 50, of at most 200 characters each.

    Those that overlap are one. The time is linear in the document's length.
    """
    kept: list[Attempt] = []
    for start, end, kind in sorted(set(_found(source)), key=lambda a: (a[0], -a[1])):
        if kept and start < kept[-1].end:
            start, kind = kept[-1].start, kept[-1].kind
            end = max(end, kept.pop().end)
        elif len(kept) == MOST:
            break
        end = min(end, start + LONGEST)
        kept.append(Attempt(source[start:end], start, end, kind))
    return tuple(kept)


def report(source: str) -> list[dict[str, object]]:
    """The attempts as details.json has them."""
    return [attempt._asdict() for attempt in attempts(source)]


def _found(source: str) -> Iterator[tuple[int, int, Kind]]:
    from pae_verifiers.judge.steering import encoded, hidden, wording

    folded = Folded.of(source)
    for start, end, kind in wording.signs(folded.text):
        yield folded.start(start), folded.end(end), kind
    for start, end in hidden.passages(source):
        yield start, end, "hidden"
    for start, end in encoded.passages(source):
        yield start, end, "encoded"
