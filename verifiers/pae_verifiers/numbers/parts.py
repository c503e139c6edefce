"""Wholes and their parts: "we sold $48,312" is said of all sales, unless a fund is named."""

from __future__ import annotations

from collections.abc import Sequence

from pae_verifiers.numbers.binding import CLEARLY, Bound
from pae_verifiers.numbers.book import Book, Entry

_BESIDE = 1  # words from the number to a name right beside it


def whole_meant(bound: Bound, fitting: Sequence[Entry], book: Book) -> Entry | None:
    """The fact that the words state, where every one that fits is but a part of it.

    None where one of ``fitting`` is spoken of itself.
    """
    wholes = [_unnamed(bound, e, book) or _called_otherwise(bound, e) for e in fitting]
    return wholes[0] if wholes and all(wholes) else None


def says_the_whole(bound: Bound, entry: Entry, whole: Entry) -> bool:
    """Whether the words are those of ``whole``, and not those that set ``entry`` apart from it.

    Both stand in one object of the sources: "the tax is $468" of the part on short-term gains,
    where nothing around the number speaks of short-term gains.
    """
    if not _beside(entry, whole) or len(whole.groups) != 1:
        return False
    if entry.subject.isdisjoint(whole.subject):
        return False
    here = bound.place.paragraph | bound.place.mentioned
    return any(here.isdisjoint(group) for group in entry.groups[1:])


def _unnamed(bound: Bound, entry: Entry, book: Book) -> Entry | None:
    """The whole, where the fact is one of several and is heard only by what they share."""
    own, kind = book.own_words(entry), book.siblings(entry)
    if len(kind) < 2 or not own or not own.isdisjoint(bound.place.mentioned):
        return None
    heard = bound.heard(entry)
    return next(
        (
            whole
            for whole in bound.candidates
            if len(whole.groups) == 1
            and whole not in kind
            and not whole.subject.isdisjoint(heard)
            and not bound.ties(whole)
        ),
        None,
    )


def _called_otherwise(bound: Bound, entry: Entry) -> Entry | None:
    """Another fact of the same object, called by a name of its own right beside the number."""
    unit = bound.place.within(bound.quantity)
    for other in bound.candidates:
        if not _beside(entry, other) or len(other.groups) != 1 or bound.ties(other):
            continue
        names = other.subject - entry.subject - unit
        gap = min((bound.gaps[alias] for alias in names & bound.gaps.keys()), default=None)
        if gap is not None and gap <= _BESIDE and gap + CLEARLY <= bound.subject_reach(entry):
            return other
    return None


def _beside(one: Entry, other: Entry) -> bool:
    """Whether two facts stand in one object of the sources."""
    return one.fact.pointer.rpartition("/")[0] == other.fact.pointer.rpartition("/")[0]
