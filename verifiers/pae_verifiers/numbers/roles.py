"""A small grammar of comparisons: which of two numbers is the old one and which the new."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

from pae_verifiers.numbers.model import EXEMPT_KINDS, Quantity

Role = Literal["before", "after", ""]

_REACH = 80  # characters in which a comparison has to show
_FILLER = (
    r"(?:about|around|roughly|some|nearly|almost|just|over|under|a|an|the"
    r"|an?\s+estimated|as\s+much\s+as)"
)
_FROM = re.compile(rf"\bfrom(?:\s+{_FILLER})*\s*$", re.IGNORECASE)
_TO = re.compile(
    rf"^[\s)]*(?:[\w'’-]+\s+){{0,4}}?(?:to|→|->|=>|into)(?:\s+{_FILLER})*\s*$|^\s*(?:→|->|=>)\s*$",
    re.IGNORECASE,
)
_DOWN_FROM = re.compile(
    rf"^[^.;]{{0,40}}?\b(?:down|up|reduced|cut|lowered|raised|rather\s+than|instead\s+of|and\s+not)?\s*\bfrom"
    rf"(?:\s+{_FILLER})*\s*$",
    re.IGNORECASE,
)
_AGAINST = re.compile(
    rf"^[^.;]{{0,40}}?\b(?:compared\s+(?:with|to)|as\s+against|against|versus|vs\.?|rather\s+than|"
    rf"instead\s+of)(?:\s+{_FILLER})*\s*$",
    re.IGNORECASE,
)
_WAS = re.compile(
    rf"^[^.;]{{0,40}}?\b(?:where\s+it\s+(?:was|had\s+been)|having\s+been|it\s+was)(?:\s+{_FILLER})*\s*$"
    rf"|^[\s,–—-]*(?:(?:and|but)\s+)?(?:(?:they|that|this|which)\s+)?(?:was|were|had\s+been)(?:\s+{_FILLER})*\s*$",
    re.IGNORECASE,
)
_OLD = re.compile(
    r"^[\s)]*(?:[\w'’%-]+\s+){0,3}?(?:before(?:hand)?|previously|earlier|prior|formerly|at\s+the\s+start|"
    r"(?:for|in|under|with)\s+the\s+(?:old|previous|former)\b)",
    re.IGNORECASE,
)
_THEN = re.compile(r"^[\s)]*(?:→|->|=>)\s*$")
_X_AFTER_Y = re.compile(
    rf"^[\s,)]*(?:[\w'’-]+\s+){{0,2}}?after(?:\s+having\s+been)?(?:\s+{_FILLER})*\s*$",
    re.IGNORECASE,
)
_OLD_WORDS = r"before(?:hand)?|previously|formerly|earlier"
_NEW_WORDS = r"after(?:wards?)?|now|today|currently"
_ROLE_AFTER_NUMBER = re.compile(rf"^\s*(?:(?P<old>{_OLD_WORDS})|{_NEW_WORDS})\b", re.IGNORECASE)
_TRADES = r"(?:\s+(?:the|these|those|our|all)\s+(?:trades?|trading|changes?|rebalanc\w+|sales?))?"
_VERB = (
    r"(?:(?:it|they|that|this|these|those)\s+)?"
    r"(?:(?:is|are|was|were|stood|stands?|had|been|would|have|be|makes?|made|up|weighs?|weighed|"
    r"accounts?|for|comes?|down|back|at|to|only|just|still)\s+)*"
)
_ROLE_BEFORE_NUMBER = re.compile(
    rf"(?<!before and )(?<!before or )\b(?:(?P<old>{_OLD_WORDS})|{_NEW_WORDS}){_TRADES}\s*[:,]?"
    rf"\s*{_VERB}(?:{_FILLER}\s+)*$",
    re.IGNORECASE,
)
_OLD_LABEL = re.compile(rf"\b(?:{_OLD_WORDS}|old|previous)\b", re.IGNORECASE)
_NEW_LABEL = re.compile(rf"\b(?:{_NEW_WORDS}|new|current)\b", re.IGNORECASE)


def roles(text: str, offset: int, numbers: Sequence[Quantity], label: str = "") -> dict[int, Role]:
    """The role of each number of a sentence that has one, by the number's ``at``.

    ``text`` is the sentence, ``offset`` its place in the rendered text, ``label`` the row and
    column of a table cell. Understood are "from A to B", "to B from A", "B, down from A", "B,
    compared with A before", and a "before" or "now" right beside the number.
    """
    found: dict[int, Role] = {}
    numbers = [number for number in numbers if number.kind not in EXEMPT_KINDS]
    for one, two in pairwise(numbers):
        if two.at - one.until > _REACH:
            continue
        lead = text[max(0, one.at - offset - _REACH) : max(0, one.at - offset)]
        between = text[one.until - offset : two.at - offset]
        tail = text[two.until - offset : two.until - offset + _REACH]
        if _THEN.search(between) or (_FROM.search(lead) and _TO.search(between)):
            found[one.at], found[two.at] = "before", "after"
        elif found.get(one.at):
            continue
        elif _DOWN_FROM.search(between) or _X_AFTER_Y.search(between) or _is_against(between, tail):
            found[one.at], found[two.at] = "after", "before"
    for last, number in zip((None, *numbers), numbers, strict=False):
        beside = _beside(text, offset, number, last) or _of_label(label)
        if beside:
            found.setdefault(number.at, beside)
    return found


def _beside(text: str, offset: int, number: Quantity, last: Quantity | None) -> Role:
    """The role that the word right after or right before the number gives it.

    A word right after the number before it, ``last``, is that one's: "9% now, 12% a year ago".
    """
    tail = text[number.until - offset : number.until - offset + _REACH]
    after = _ROLE_AFTER_NUMBER.search(tail)
    if after:
        return "before" if after["old"] else "after"
    start = max(0, number.at - offset - _REACH)
    lead = text[start : max(0, number.at - offset)]
    before = _ROLE_BEFORE_NUMBER.search(lead)
    if not before:
        return ""
    if last is not None and text[last.until - offset : start + before.start()].strip(" )") == "":
        return ""
    return "before" if before["old"] else "after"


def _of_label(label: str) -> Role:
    old, new = _OLD_LABEL.search(label), _NEW_LABEL.search(label)
    if bool(old) == bool(new):
        return ""
    return "before" if old else "after"


def _is_against(between: str, tail: str) -> bool:
    """Whether the second number is an older one that the first is compared with."""
    return bool(_WAS.search(between) or (_AGAINST.search(between) and _OLD.search(tail)))
