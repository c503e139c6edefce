"""Bounds and approximations: "below 50%", "at least", "roughly", "±5"."""

from __future__ import annotations

import re
from functools import cache

from pae_verifiers.numbers import chinese
from pae_verifiers.numbers.found import Found
from pae_verifiers.numbers.model import Bound
from pae_verifiers.numbers.starts import Starts, last_word

# The words of a bound before a number, by the last of them; the first bound that matches counts.
_BEFORE: tuple[tuple[Bound, str, str], ...] = (
    ("+-", "±", "±"),
    ("+-", "- –", r"\+\s?/\s?[-–]"),
    ("+-", "pm", r"\\pm"),
    ("+-", "minus", r"\bplus[\s-]or[\s-]minus|\bplus/minus"),
    ("<=", "≤", "≤"),
    ("<=", "=", "<="),
    ("<=", "<", "=<"),
    ("<=", "le leq", r"\\leq?"),
    ("<=", "than", r"\bno\s(?:more|greater|higher|larger)\sthan|\bnot\s(?:more|above|over)\sthan|"
                   r"\bnever\smore\sthan"),
    ("<=", "more above over", r"\bnot\s(?:more|above|over)|\bnever\sabove"),
    ("<=", "most", r"\bat\s(?:the\s)?most"),
    ("<=", "to", r"\bup\sto|\blimited\sto"),
    ("<=", "exceed exceeding", r"\bnot\s(?:to\s)?exceed(?:ing)?"),
    ("<=", "maximum", r"\ba?\s?maximum"),
    ("<=", "of", r"\ba?\s?maximum\sof|\ba\s(?:cap|ceiling)\sof"),
    ("<=", "as", r"\bas\smuch\sas|\bas\smany\sas"),
    ("<=", "at", r"\bcapped\sat"),
    ("<=", "within", r"\bwithin"),
    (">=", "≥", "≥"),
    (">=", "=", ">="),
    (">=", ">", "=>"),
    (">=", "ge geq", r"\\geq?"),
    (">=", "least", r"\bat\s(?:the\s)?least"),
    (">=", "than", r"\b(?:no|not)\s(?:less|fewer|lower|smaller)\sthan|\bnever\sless\sthan"),
    (">=", "below under", r"\bnot\s(?:below|under)|\bnever\sbelow"),
    (">=", "minimum", r"\ba?\s?minimum"),
    (">=", "of", r"\ba?\s?minimum\sof|\ba\sfloor\sof"),
    ("~", "~ ≈", "[~≈]"),
    ("~", "approx", r"\\approx|\bapprox"),
    ("~", "sim", r"\\sim"),
    ("~", ".", r"\bapprox\.|\bca\.|\bc\."),
    ("~", "about", r"\babout"),
    ("~", "around", r"\baround|\bsomewhere\saround"),
    ("~", "near", r"\bsomewhere\snear"),
    ("~", "roughly approximately some nearly almost circa virtually estimated practically",
        r"\b(?:roughly|approximately|some|nearly|almost|circa|virtually|estimated|practically)"),
    ("~", "to", r"\bclose\sto"),
    ("~", "over under above below",
        r"\b(?:just|a\slittle|slightly|a\sbit|a\stouch|a\sshade)\s(?:over|under|above|below)"),
    ("~", "than", r"\b(?:a\slittle|slightly|a\sbit|a\stouch|a\sshade)\s(?:more|less)\sthan"),
    ("~", "of", r"\bjust\s(?:short|shy)\sof|\bin\sthe\s(?:region|order|area)\sof|"
                r"\bon\sthe\sorder\sof"),
    ("~", "half", r"\bwell\sunder\shalf"),
    ("<", "<", "<"),
    ("<", "lt", r"\\lt"),
    ("<", "than", r"\b(?:less|fewer|lower|smaller)\sthan"),
    ("<", "below under beneath", r"\b(?:below|under|beneath)"),
    ("<", "of", r"\bshy\sof"),
    (">", ">", ">"),
    (">", "gt", r"\\gt"),
    (">", "than", r"\b(?:more|greater|higher|larger)\sthan"),
    (">", "above over beyond", r"\b(?:above|over|beyond)"),
    (">", "exceed exceeds exceeded exceeding", r"\bexceed(?:s|ed|ing)?"),
    (">", "of", r"\bin\sexcess\sof|\bupwards\sof|\bnorth\sof"),
    (">", "tops topped topping", r"\btop(?:s|ped|ping)"),
    (">", "surpass surpasses surpassed surpassing", r"\bsurpass(?:es|ed|ing)?"),
)  # fmt: skip
_ENDINGS = frozenset(word for _, words, _ in _BEFORE for word in words.split())
# What may stand between a bound's words and the number.
_FILLERS = frozenset({"a", "an", "only", "just", "around", "about"})
# The ends that are common words: a bound's words have one of these before them.
_BEFORE_END = {
    "of": ("maximum", "minimum", "cap", "ceiling", "floor", "short", "shy", "region", "order",
           "area", "excess", "upwards", "north"),
    "to": ("up", "limited", "close"),
    "at": ("capped",),
}  # fmt: skip
_AFTER: tuple[tuple[Bound, re.Pattern[str]], ...] = (
    (">=", re.compile(r"\+(?!\w)|\s(?:or|and)\s(?:more|above|higher|over|greater|longer)\b")),
    (
        "<=",
        re.compile(
            r"\s(?:or|and)\s(?:less|below|lower|under|fewer|shorter)\b|\sat\s(?:the\s)?most\b"
        ),
    ),
    ("~", re.compile(r"\s(?:or\sso|or\sthereabouts|give\sor\stake|approximately)\b|-ish\b")),
    (">=", re.compile(r"\sat\s(?:the\s)?least\b")),
)
_LEVEL_WORD = re.compile(r"(?:below|under|beneath|above)\s?$", re.IGNORECASE)
_DURATION_WORD = re.compile(r"\b(?:over|under)\s?$", re.IGNORECASE)
_TIMES = frozenset({"day", "week", "month", "year"})
_NEGATION = re.compile(r"(?:\b(?:not|never|without|cannot)|n't)\s(?:\w+\s)?$", re.IGNORECASE)
_LONGEST = 40
# What every bound after a number begins with.
_MAY_FOLLOW = re.compile(r"\+|-i|\s(?:or|and|at|give|approximately)\b")


def may_be_last(word: str) -> bool:
    """Whether the words of a bound before a number can end so."""
    return word in _ENDINGS or word in _FILLERS


def apply(text: str, places: Starts, found: Found, floor: int, last: str) -> tuple[int, bool]:
    """Give the number its bound; returns where its words begin, and whether they tell a level.

    ``last`` is the last word before the number.
    """
    window_start, window = found.at, ""
    if may_be_last(last):
        window_start = max(floor, found.at - _LONGEST)
        window = text[window_start : found.at]
    for bound, pattern in _possible(window, last) if window else ():
        match = pattern.search(window)
        if not match:
            continue
        if found.unit in _TIMES and _DURATION_WORD.search(window):
            break
        start = window_start + match.start()
        level = bool(_LEVEL_WORD.search(match.group()))
        if match.start() == 0 and _follows_number(text, window_start, floor):
            break
        if level and _is_distance(start, floor):
            break
        if bound in ("<", ">") and _negated(text, start):
            bound = "<=" if bound == ">" else ">="
        found.bound = bound
        return start, level and bound != "~"
    for bound, pattern in _AFTER if _MAY_FOLLOW.match(text, found.until) else ():
        if pattern.match(text, found.until):
            found.bound = bound
            return found.at, False
    return _in_chinese(text, found, floor) if places.chinese else (found.at, False)


def _possible(window: str, last: str) -> tuple[tuple[Bound, re.Pattern[str]], ...]:
    """The patterns that may match before a number, going by the last words there."""
    if last in _FILLERS:
        prior = last_word(window, max(0, len(window.rstrip()) - len(last)))
        return _patterns(last, prior if prior in _ENDINGS else "")
    if last in _BEFORE_END:
        words = window.lower().split()
        if len(words) < 2 or not words[-2].endswith(_BEFORE_END[last]):
            return ()
    return _patterns(last)


@cache
def _patterns(*ends: str) -> tuple[tuple[Bound, re.Pattern[str]], ...]:
    """Each bound whose words may end so, in the order in which they are tried."""
    phrases: dict[Bound, list[str]] = {}
    for bound, words, pattern in _BEFORE:
        if not set(ends).isdisjoint(words.split()):
            phrases.setdefault(bound, []).append(pattern)
    filler = r"\s?(?:(?:an?|only|just|around|about)\s)?$"
    return tuple(
        (bound, re.compile(rf"(?:{'|'.join(some)}){filler}", re.IGNORECASE))
        for bound, some in phrases.items()
    )


def _in_chinese(text: str, found: Found, floor: int) -> tuple[int, bool]:
    start = max(floor, found.at - 8)
    if chinese.words.any_bound().search(text, start, found.at):
        for bound, pattern in chinese.words.bounds():
            match = pattern.search(text, start, found.at)
            if match:
                found.bound = bound
                return match.start(), bound in ("<", ">")
    if chinese.has_chinese(text[found.until : found.until + 5]):
        for bound, pattern in chinese.words.bounds_after():
            if pattern.match(text, found.until):
                found.bound = bound
                return found.at, False
    return found.at, False


def _follows_number(text: str, start: int, floor: int) -> bool:
    """ "2 points below 50%": the words belong to the number before them."""
    return start == floor and start > 0 and text[start : start + 1] == " "


def _is_distance(start: int, floor: int) -> bool:
    """ "2 points below 50%": the words belong to the number that ends where they begin."""
    return start - 1 <= floor and floor > 0


def _negated(text: str, start: int) -> bool:
    return bool(_NEGATION.search(text, max(0, start - 24), start))
