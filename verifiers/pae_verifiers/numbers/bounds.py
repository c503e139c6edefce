"""Bounds and approximations: "below 50%", "at least", "roughly", "±5"."""

from __future__ import annotations

import re

from pae_verifiers.numbers import chinese
from pae_verifiers.numbers.found import Found, replace
from pae_verifiers.numbers.model import Bound
from pae_verifiers.numbers.starts import last_word

_BEFORE: tuple[tuple[Bound, str], ...] = (
    ("+-", r"±|\+\s?/\s?[-–]|\bplus[\s-]or[\s-]minus|\bplus/minus|\\pm"),
    ("<=", r"≤|<=|=<|\\leq?|\bno\s(?:more|greater|higher|larger)\sthan|\bnot\s(?:more|above|"
           r"over)(?:\sthan)?|"
           r"\bat\s(?:the\s)?most|\bup\sto|\bnot\s(?:to\s)?exceed(?:ing)?|"
           r"\ba?\s?maximum(?:\sof)?|\bas\smuch\sas|"
           r"\bas\smany\sas|\ba\s(?:cap|ceiling)\sof|\bcapped\sat|\bwithin|\blimited\sto|"
           r"\bnever\s(?:more\sthan|above)"),
    (">=", r"≥|>=|=>|\\geq?|\bat\s(?:the\s)?least|\b(?:no|not)\s(?:less|fewer|lower|smaller)\sthan|"
           r"\bnot\s(?:below|under)|\ba?\s?minimum(?:\sof)?|\ba\sfloor\sof|"
           r"\bnever\s(?:less\sthan|below)"),
    ("~", r"~|≈|\\approx|\\sim|\babout|\baround|\broughly|\bapproximately|\bapprox\.?|\bsome|"
          r"\bnearly|\balmost|"
          r"\bclose\sto|\bcirca|\bca\.|\bc\.|\bjust\s(?:over|under|above|below|short\sof|shy\sof)|"
          r"\b(?:a\slittle|slightly|a\sbit|a\stouch|a\sshade)\s(?:over|under|above|below|"
          r"more\sthan|less\sthan)|"
          r"\bin\sthe\s(?:region|order|area)\sof|\bvirtually|\bsomewhere\s(?:near|around)|"
          r"\bestimated|\bpractically|"
          r"\bon\sthe\sorder\sof|\bwell\sunder\shalf"),
    ("<", r"<|\\lt|\b(?:less|fewer|lower|smaller)\sthan|\bbelow|\bunder|\bbeneath|\bshy\sof"),
    (">", r">|\\gt|\b(?:more|greater|higher|larger)\sthan|\babove|\bover|\bexceed(?:s|ed|ing)?|"
          r"\bin\sexcess\sof|"
          r"\bupwards\sof|\btop(?:s|ped|ping)|\bsurpass(?:es|ed|ing)?|\bbeyond|\bnorth\sof"),
)  # fmt: skip
_PATTERNS: tuple[tuple[Bound, re.Pattern[str]], ...] = tuple(
    (bound, re.compile(rf"(?:{words})\s?(?:(?:an?|only|just|around|about)\s)?$", re.IGNORECASE))
    for bound, words in _BEFORE
)
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
_LAST = """
minus m to exceed exceeding exceeds exceeded most of maximum minimum much many above over at within
than below under least about around roughly approximately approx some nearly almost circa ca c
virtually near estimated practically half beneath top tops topped topping surpass surpasses
surpassed surpassing beyond pm le leq ge geq sim lt gt a an as only just ± - – ~ ≈ < > = ≤ ≥ .
"""
# Every bound before a number ends in one of these.
_LAST_WORDS = frozenset(_LAST.split())
# And each bound's words have one of these in them.
_STEMS: dict[Bound, tuple[str, ...]] = {
    "+-": ("±", "+", "plus", "\\pm"),
    "<=": ("≤", "=", "\\le", "no", "most", "up", "exceed", "maximum", "much", "many", "cap",
           "ceiling", "within", "limited", "never"),
    ">=": ("≥", "=", "\\ge", "least", "no", "minimum", "floor", "never"),
    "~": ("~", "≈", "\\approx", "\\sim", "about", "around", "rough", "approx", "some", "near",
          "almost", "close", "circa", "ca.", "c.", "just", "little", "slight", "bit", "touch",
          "shade", "region", "order", "area", "virtual", "estimat", "practical", "half"),
    "<": ("<", "\\lt", "than", "below", "under", "beneath", "shy"),
    ">": (">", "\\gt", "than", "above", "over", "exceed", "excess", "upward", "top", "surpass",
          "beyond", "north"),
}  # fmt: skip
_LEVEL_WORD = re.compile(r"(?:below|under|beneath|above)\s?$", re.IGNORECASE)
_DURATION_WORD = re.compile(r"\b(?:over|under)\s?$", re.IGNORECASE)
_TIMES = frozenset({"day", "week", "month", "year"})
_NEGATION = re.compile(r"(?:\b(?:not|never|without|cannot)|n't)\s(?:\w+\s)?$", re.IGNORECASE)
_LONGEST = 40
_GAPS = ("+", "-", " ", "\n", "\t", "\u00a0")


def apply(text: str, found: Found, floor: int) -> tuple[Found, int, bool]:
    """The number with its bound; where the bound's words begin; whether they speak of a level."""
    window_start = max(floor, found.at - _LONGEST)
    window = text[window_start : found.at]
    may_be = last_word(text, found.at) in _LAST_WORDS
    lower = window.lower() if may_be else ""
    for bound, pattern in _PATTERNS if may_be else ():
        near = any(stem in lower for stem in _STEMS[bound])
        match = pattern.search(window) if near else None
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
        return replace(found, bound=bound), start, level and bound != "~"
    for bound, pattern in _AFTER if text[found.until : found.until + 1] in _GAPS else ():
        if pattern.match(text, found.until):
            return replace(found, bound=bound), found.at, False
    return _in_chinese(text, found, floor)


def _in_chinese(text: str, found: Found, floor: int) -> tuple[Found, int, bool]:
    start = max(floor, found.at - 8)
    if chinese.has_chinese(text[start : found.at]):
        for bound, pattern in chinese.words.bounds():
            match = pattern.search(text, start, found.at)
            if match:
                return replace(found, bound=bound), match.start(), bound in ("<", ">")
    if chinese.has_chinese(text[found.until : found.until + 5]):
        for bound, pattern in chinese.words.bounds_after():
            if pattern.match(text, found.until):
                return replace(found, bound=bound), found.at, False
    return found, found.at, False


def _follows_number(text: str, start: int, floor: int) -> bool:
    """ "2 points below 50%": the words belong to the number before them."""
    return start == floor and start > 0 and text[start : start + 1] == " "


def _is_distance(start: int, floor: int) -> bool:
    """ "2 points below 50%": the words belong to the number that ends where they begin."""
    return start - 1 <= floor and floor > 0


def _negated(text: str, start: int) -> bool:
    return bool(_NEGATION.search(text, max(0, start - 24), start))
