"""Whether a reader without training in finance can follow: length of sentences, terms explained."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pae_verifiers.judge.prose import Piece
from pae_verifiers.judge.wording import Wording, Words

TERMS = {
    "value at risk": Words("value{-,_}at{-,_}risk var"),
    "tracking error": Words("tracking_error"),
    "drawdown": Words("drawdown{,s}"),
    "volatility": Words("volatility"),
    "basis points": Words("basis_point{,s} bp{,s}"),
    "percentage points": Words("pp ppt{,s}"),
    "turnover": Words("turnover"),
    "standard deviation": Words("standard_deviation{,s}"),
    "notional": Words("notional"),
}
_GLOSS = Wording(
    r"[(:—–]|\b(?:that(?: is|'s)|mean(?:s|ing)|in other words|i\.e\.|measur\w+|how (?:much|far"
    r"|widely|closely)|which is|called|known? as|or|hundredths?|worst|day-to-day|put simply"
    r"|plainly|it is the|gauge|the (?:usual|size|amount|most|share|value)|one (?:day|month|year)"
    r"|stands for|tells|describes|yardstick|in \d+|out of|expected to|you (?:could|might"
    r"|should))\b"
)


def too_long(prose: Sequence[Piece], mean: int, most: int) -> Piece | None:
    """The longest sentence, if they have over ``mean`` words on average, or it over ``most``."""
    longest = max(prose, key=lambda piece: piece.words)
    over = sum(piece.words for piece in prose) > mean * len(prose) or longest.words > most
    return longest if over else None


def terms(pieces: Sequence[Piece]) -> dict[str, tuple[str, ...]]:
    """The technical terms that the pieces use, each with the quotes that explain it, if any do.

    An explanation stands beside a use: in the same piece, the one before or the one after.
    """
    found: dict[str, tuple[str, ...]] = {}
    for name, term in TERMS.items():
        uses = [i for i, piece in enumerate(pieces) if term(piece.text)]
        if uses:
            found[name] = _explained(pieces[max(0, i - 1) : i + 2] for i in uses)
    return found


def _explained(windows: Iterable[Sequence[Piece]]) -> tuple[str, ...]:
    for window in windows:
        if _GLOSS(" ".join(piece.text for piece in window)):
            return tuple(piece.quote for piece in window)
    return ()
