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


class Surroundings(NamedTuple):
    """A block's text and what of it concerns all its numbers."""

    text: str
    original: str  # the text with its dashes as written
    places: Starts
    sentences: Sequence[int]  # where they begin
    losses: bool  # whether there is a word that speaks of a loss before a number
    falls: bool  # whether there is a noun that makes the number before it a fall


def surroundings(
    text: str, original: str, places: Starts, sentences: Sequence[int]
) -> Surroundings:
    """What ``give_sign`` needs to know of a block."""
    losses = not places.vocabulary.isdisjoint(signs.LOSS_WORDS)
    falls = not places.vocabulary.isdisjoint(signs.FALL_NOUNS)
    return Surroundings(text, original, places, sentences, losses, falls)


def give_sign(around: Surroundings, found: Found, floor: int) -> str:
    """Give the number its sign and bound; most have nothing beside them that gives one.

    ``floor`` is where the number before ends. Returns the last word before the number.
    """
    text, original, places, sentences, losses, falls = around
    at, until = found.at, found.until
    word = last_word(text, at)
    asks = _asks(word)
    chinese = places.chinese
    if asks.sign or chinese or found.body - at > 1 or text[at - 1 : at] in _SIGNS:
        written_signs.minus(text, original, places, found, floor, word)
        if found.at != at:
            word = last_word(text, found.at)
            asks = _asks(word)
        until = found.until
    last, start, level = word, found.at, False
    follows = chinese or (
        text[until : until + 1] not in _ENDS and _MAY_FOLLOW.match(text, until) is not None
    )
    if asks.bound or follows:
        start, level = bounds.apply(text, places, found, floor, last)
        if start != found.at:
            last = last_word(text, start)
            asks = _asks(last)
    if asks.direction or follows or (asks.loss and losses) or falls:
        sentence = sentences[bisect_right(sentences, at) - 1] if at > sentences[0] else sentences[0]
        signs.direction(text, places, found, start, max(sentence, floor), last, level)
    return word


@lru_cache(maxsize=4096)
def _asks(word: str) -> _Asks:
    direction, loss = signs.may_be_last(word)
    return _Asks(written_signs.may_be_last(word), bounds.may_be_last(word), direction, loss)
