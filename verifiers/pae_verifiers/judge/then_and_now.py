"""Whether a document says of some measure what it was before a change and what it is after it.

In one sentence, table row or column; or in up to three sentences that follow one another, where
those that name no measure take up the last one ("Volatility swings. It was 8%. Now it is 7%").
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pae_verifiers.judge.prose import Piece
from pae_verifiers.judge.wording import Sign, Wording, Words

_NEAR = 3  # sentences


def told_twice(
    pieces: Sequence[Piece], measures: Mapping[str, Sign], other: Sign
) -> tuple[str, ...]:
    """The quotes that tell a measure for then and now, in order; none if there are none.

    ``measures`` are the measures' names and signs, which headings may show too; ``other`` is the
    sign of any other measure. Pieces are read as they are said. Amounts that are limits ("against
    a limit of ¤") are no measurement.
    """

    def named(piece: Piece) -> set[str]:
        said = _measured(piece)
        for text in (said, *piece.headings[-1:]):
            if found := {name for name, sign in measures.items() if sign(text)}:
                return found
            if text is said and other(said):
                return {""}
        return set()

    for piece in pieces:
        if _alone(piece, named(piece)):
            return (piece.quote,)
    for at in range(len(pieces)):
        window = [p for p in pieces[at : at + _NEAR] if p.headings == pieces[at].headings]
        for until in range(2, len(window) + 1):
            if _together([(piece, named(piece)) for piece in window[:until]]):
                return tuple(dict.fromkeys(piece.quote for piece in window[:until]))
    return ()


def _alone(piece: Piece, named: set[str]) -> bool:
    said = _measured(piece)
    given = said.count("¤")
    if not named or given < 2:
        return False
    table = piece.kind in ("row", "column")
    if _BOTH(said) or (table and _THEN_COLUMN(said) and _NOW_COLUMN(said)):
        return True
    compared = _BEFORE(said) or (_WAS(said) and _IS(said))
    return compared and not table and given > len(named)


def _together(window: Sequence[tuple[Piece, set[str]]]) -> bool:
    then: set[str] = set()
    now: set[str] = set()
    last: set[str] = set()
    for piece, own in window:
        said = _measured(piece)
        named = own or (last if _TAKES_UP(said) else set())
        last = named or last
        if "¤" in said:
            past = _BEFORE(said) or (_WAS(said) and not _IS(said))
            (then if past else now).update(named)
    return bool(then & now)


def _measured(piece: Piece) -> str:
    return _LIMIT.compiled.sub("", piece.said)


_LIMIT = Wording(
    r"(?:\b(?:as )?(?:against|compared (?:with|to)|below|under|above|over|within|rather than) )?"
    r"(?:\w+ ){0,3}\b(?:limits?|ceilings?|caps?|maximum|targets?)(?: (?:of|is|at|:))?"
    r"(?: ?\([^)¤]*\))?:? (?:of )?¤%?"
)
_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|\w+tember|october|\w+cember|november)"
)
_DATE = rf"(?:\d{{1,2}} {_MONTH}|{_MONTH} \d{{1,2}}|\d{{4}}-\d\d-\d\d)"
_BOTH = Wording(
    r"\bfrom\b[^¤]*¤[^¤]*(?:\bto\b|→|->)[^¤]*¤|¤%? ?(?:\([^)]*\) ?)?(?:→|->|=>|⇒) ?¤|¤.*\bfrom\b[^¤]*¤"
    r"|\b(?:before|previously)\b[^¤]*¤.*\b(?:after|now)\b[^¤]*¤"
    r"|\b(?:after|now)\b[^¤]*¤.*\b(?:before|previously)\b[^¤]*¤"
    r"|¤[^¤]*\bbefore\b.*¤[^¤]*\b(?:after|now)\b|\bthen\b[^¤]*¤.*\bnow\b[^¤]*¤"
    rf"|{_DATE}[^¤]*¤.*{_DATE}[^¤]*¤",
)
_BEFORE = Wording(
    r"\b(?:before(?:hand)?|previously|earlier|formerly|had been|used to|prior|until then|old|against"
    r"|compared|instead of|rather than|(?:down|up) from)\b"
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
