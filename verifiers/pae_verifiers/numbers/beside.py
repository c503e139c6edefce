"""A number with the sign and the bound that the words beside it give it, where they give any."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from pae_verifiers.numbers import bounds, signs, written_signs
from pae_verifiers.numbers.found import Found
from pae_verifiers.numbers.starts import Starts, last_word

# What follows a number and makes it a bound or a fall begins so; see ``bounds`` and ``signs``.
_MAY_FOLLOW = re.compile(
    r"\+|-i|[\s-](?:(?:or|and|at|give|approximately)\b|(?:of\s\w+\s)?(?:below|beneath|under|short|"
    r"shy\s)|lower|smaller|less|fewer|down)",
    re.IGNORECASE,
)
_ENDS = frozenset(("", *".,;:)%|*/\"'"))  # what follows most numbers, and begins nothing
_SIGNS = frozenset("+-–(\u00a0")


class _Asks(NamedTuple):
    """Which searches the last word before a number calls for."""

    sign: bool
    bound: bool
    direction: bool
    loss: bool  # only where the text speaks of a loss


def give_sign(
    text: str, original: str, places: Starts, found: Found, floor: int, sentences: Sequence[int]
) -> None:
    """Give the number its sign and bound; most have nothing beside them that gives one.

    ``original`` is the text with its dashes as written; ``floor`` is where the number before ends,
    ``sentences`` where the text's sentences begin.
    """
    at = found.at
    last = last_word(text, at)
    asks = _asks(last)
    chinese = places.chinese
    if asks.sign or chinese or found.body - at > 1 or text[at - 1 : at] in _SIGNS:
        written_signs.minus(text, original, places, found, floor, last)
        if found.at != at:
            last = last_word(text, found.at)
            asks = _asks(last)
    start, level = found.at, False
    follows = chinese or (
        text[found.until : found.until + 1] not in _ENDS
        and _MAY_FOLLOW.match(text, found.until) is not None
    )
    if asks.bound or follows:
        start, level = bounds.apply(text, places, found, floor, last)
        if start != found.at:
            last = last_word(text, start)
            asks = _asks(last)
    if (
        asks.direction
        or follows
        or (asks.loss and not places.vocabulary.isdisjoint(signs.LOSS_WORDS))
        or not places.vocabulary.isdisjoint(signs.FALL_NOUNS)
    ):
        sentence = sentences[bisect_right(sentences, at) - 1] if at > sentences[0] else sentences[0]
        signs.direction(text, places, found, start, max(sentence, floor), last, level)


@lru_cache(maxsize=4096)
def _asks(word: str) -> _Asks:
    direction, loss = signs.may_be_last(word)
    return _Asks(written_signs.may_be_last(word), bounds.may_be_last(word), direction, loss)
