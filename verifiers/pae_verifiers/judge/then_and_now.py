"""Whether a document says of some measure what it was before a change and what it is after it.

In one sentence, table row or column; or in up to three sentences that follow one another, where
those that name no measure take up the last one ("Volatility swings. It was 8%. Now it is 7%").
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from pae_verifiers.judge.prose import Piece
from pae_verifiers.judge.wording import Sign, Wording, Words

_NEAR = 3  # sentences
_LONGEST = 600  # characters of one that are read, for time's sake


def told_twice(
    pieces: Sequence[Piece], measures: Mapping[str, Sign], other: Sign
) -> tuple[str, ...]:
    """The quotes that tell a measure for then and now, in order; none if there are none.

    ``measures`` are the measures' names and signs, which headings may show too; ``other`` is the
    sign of any other measure. Pieces are read as they are said. Amounts that are limits ("against
    a limit of ¤") are no measurement.
    """

    read = [_read(piece, measures, other) for piece in pieces]
    for one in read:
        if _alone(one, one.named):
            return (one.piece.quote,)
    for at, one in enumerate(read):
        window = [r for r in read[at : at + _NEAR] if r.piece.headings == one.piece.headings]
        for until in range(2, len(window) + 1):
            if _together(window[:until]):
                return tuple(dict.fromkeys(r.piece.quote for r in window[:until]))
    return ()


class _Read(NamedTuple):
    """A piece, what it says but for limits, and the measures that it names ("" is another)."""

    piece: Piece
    said: str
    named: frozenset[str]


def _read(piece: Piece, measures: Mapping[str, Sign], other: Sign) -> _Read:
    said = _LIMIT.compiled.sub("", piece.said[:_LONGEST])
    named = _shown(said, measures)
    if not named:
        heading = piece.headings[-1] if piece.headings else ""
        named = frozenset({""}) if other(said.partition("¤")[0]) else _shown(heading, measures)
    return _Read(piece, said, named)


def _shown(text: str, measures: Mapping[str, Sign]) -> frozenset[str]:
    return frozenset(name for name, sign in measures.items() if sign(text))


def _alone(read: _Read, named: AbstractSet[str]) -> bool:
    given = read.said.count("¤")
    if not named or given < 2:
        return False
    if _BOTH(read.said):
        return True
    if read.piece.kind in ("row", "column"):
        return _THEN_COLUMN(read.said) and _NOW_COLUMN(read.said)
    compared = _BEFORE(read.said) or (_WAS(read.said) and _IS(read.said))
    return compared and given > len(named)


def _together(window: Sequence[_Read]) -> bool:
    then: set[str] = set()
    now: set[str] = set()
    last: AbstractSet[str] = set()
    for read in window:
        named = read.named or (last if _TAKES_UP(read.said) else set())
        if named == {""} and last:  # "the loss" is the one that was spoken of
            named = last
        last = named or last
        if _alone(read, named):
            return True
        if "¤" in read.said:
            past = _BEFORE(read.said) or (_WAS(read.said) and not _IS(read.said))
            (then if past else now).update(named)
    return bool(then & now)


_LIMIT = Wording(
    r"(?:\b(?:as )?(?:against|compared (?:with|to)|below|under|above|over|within"
    r"|rather than) )?(?:\w+ ){0,3}\b(?:limits?|ceilings?|caps?|maximum|targets?)(?: (?:of|is|at"
    r"|:))?(?: ?\([^)¤]*\))?:? (?:of )?¤%?"
)
_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|\w+tember|october|\w+cember|november)"
)
_DATE = rf"(?:\d{{1,2}} {_MONTH}|{_MONTH} \d{{1,2}}|\d{{4}}-\d\d-\d\d)"
_BOTH = Wording(
    r"\bfrom\b[^¤]*¤[^¤]*(?:\bto\b|→|->)[^¤]*¤|¤%? ?(?:\([^)]*\) ?)?(?:→|->|=>|⇒) ?¤|¤%?,? (?:down "
    r"|up )?from (?:\w+ )?¤|\b(?:before|previously)\b[^¤]*¤.*\b(?:after|now)\b[^¤]*¤|\b(?:after"
    r"|now)\b[^¤]*¤.*\b(?:before|previously)\b[^¤]*¤|¤%? (?:became|turned into)\b[^¤]*¤"
    r"|¤[^¤]*\bbefore\b.*¤[^¤]*\b(?:after|now)\b|\bthen\b[^¤]*¤.*\bnow\b[^¤]*¤"
    rf"|{_DATE}[^¤]*¤.*{_DATE}[^¤]*¤",
)
_BEFORE = Wording(
    r"\b(?:before(?:hand)?|previously|earlier|formerly|had been|used to|prior|until then|old"
    r"|against|compared|instead of|rather than|(?:down|up) from)\b"
)
_WAS = Words("was were stood")
_IS = Words("is are now after afterwards today currently presently at_present stand{,s} since")
_THEN_COLUMN = Words("then before old pre pre-trade previous{,ly} prior start was earlier")
_NOW_COLUMN = Words("now after{,wards} new post post-trade today current{,ly} end is present")
_TAKES_UP = Wording(
    r"^(?:it|that|this|they|these|the (?:figure|number|same|measure)|now|today|before(?:hand)?"
    r"|after(?:wards)?|previously|then|earlier|until|prior|as against|against|compared|down|up|from"
    r"|in (?:money|dollars)|¤)(?!\w)"
)
