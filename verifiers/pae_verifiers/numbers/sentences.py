"""Cuts a block's text into sentences, never at a decimal point or an abbreviation."""

from __future__ import annotations

import re

from pae_verifiers.numbers.model import Span

_STOP = "[.!?…。！？]"
# Begins with one set of characters, which is quick to search for.
_END = re.compile(
    rf"[.!?…。！？\n](?:(?<=\n)[ \t]*\n|(?<={_STOP})(?<!{_STOP}.){_STOP}*[\"'”’)\]*]*(?=\s))"
)
_BREAK = re.compile(r"[\s(\[\"'“‘]")
_OPENERS = " \t\r\n\u00a0\"'“‘([*"

_ABBREVIATED = """
vs v approx ca c cf e.g i.e eg ie viz al mr mrs ms dr prof st jr sr no nos fig figs eq sec ch
pp p pg vol ed est avg min max incl excl resp u.s u.k u.n e.u jan feb mar apr jun jul aug sep sept
oct nov dec mon tue tues wed thu thur thurs fri sat sun ann annu
"""
_LAST_WORDS = "inc ltd co corp plc llc etc p.a a.m p.m u.s u.k u.n e.u est bn mn"
_FIRST_WORDS = """
the a an we our this these that those it its in on at for after before as if when while with however
there they their your you no all both each since because to from by i
"""
# Words whose full stop does not end a sentence, without that stop, case-folded.
_ABBREVIATIONS = frozenset(_ABBREVIATED.split())
# These may also stand at a sentence's end; then the next word tells.
_MAY_END = frozenset(_LAST_WORDS.split())
_STARTERS = frozenset(_FIRST_WORDS.split())


def split(text: str, offset: int = 0, *, by_line: bool = False) -> list[Span]:
    """The sentences in ``text``, without surrounding white space, in order.

    Places are counted from ``offset``; ``by_line`` takes every line as a sentence, as in code.
    """
    if by_line:
        cuts = [match.end() for match in re.finditer(r"\n", text)]
    elif first := _END.search(text):
        found = _END.finditer(text, first.start())
        cuts = [match.end() for match in found if _ends(text, match)]
    else:
        cuts = []
    spans: list[Span] = []
    start = 0
    for cut in (*cuts, len(text)):
        body = text[start:cut].lstrip()
        if body:
            start = cut - len(body)
            at = offset + start
            spans.append(Span(at, at + len(body.rstrip())))
        start = cut
    return spans


def _is_long(word: str) -> bool:
    """Whether the letters before a stop are more than any abbreviation's."""
    return len(word) == 7 and word.isalpha()


def _ends(text: str, match: re.Match[str]) -> bool:
    """Whether the punctuation found ends a sentence."""
    stop, at = match.group(), match.start()
    if stop == "." and text[at + 2 : at + 3].isupper() and _is_long(text[max(0, at - 7) : at]):
        return True
    if stop[0] == "\n" or stop[0] in "!?。！？" or stop.startswith(("..", "…")):
        return True
    following = text[match.end() : match.end() + 32].lstrip(_OPENERS)
    if not following or len(stop) > 1:
        return not following[:1].islower()
    if following[0].islower():
        return False
    window = text[max(0, match.start() - 24) : match.start()].removesuffix("\n")
    word = window.rpartition(" ")[2]
    if not word.isalnum():
        word = _BREAK.split(word)[-1]
    word = word.casefold()
    if word in _MAY_END:
        return re.split(r"[^\w']", following, maxsplit=1)[0].casefold() in _STARTERS
    if word in _ABBREVIATIONS:
        return False
    initial = len(word) == 1 and word.isalpha()
    marker = word.isdigit() and match.start() < 8 and text[: match.start()].strip() == word
    return not (initial or marker)
