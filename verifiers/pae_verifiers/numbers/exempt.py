"""What looks like a number and states none: dates, ordinals, labels, list markers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from pae_verifiers.numbers import chinese
from pae_verifiers.numbers.exempt_forms import (
    DATES,
    LABELS,
    MONEY_AHEAD,
    NAMES,
    ORDINALS,
    RATE_AHEAD,
    RISK_LABELS,
    TH,
    UNIT_AHEAD,
    URLS,
)
from pae_verifiers.numbers.found import ONE, Found
from pae_verifiers.numbers.model import BlockKind, QuantityKind
from pae_verifiers.numbers.starts import Starts, matches

_MIX = re.compile(r"(?<![\w/.,$€£-])\d{1,3}(?:/\d{1,3}){1,12}(?![\w/%]|[.,]\d)")

_URL = re.compile("|".join(URLS))
_DATE_BEGINNINGS = """
jan january feb february mar march apr april may jun june jul july aug august sep sept september
oct october nov november dec december q h fy cy ye fiscal tax calendar first second third fourth
twenty thirty
"""
_RISK_BEGINNINGS = "var cvar c value expected es confidence conf at"
_NAME_BEGINNINGS = """
s ftse russell nasdaq nikkei euro stoxx cac dax csi topix kospi nifty tsx asx fortune wilshire dow
hang msci covid w ifrs ias asc mifid ucits basel reg form schedule sfdr article
"""
_LABEL_BEGINNINGS = """
articles page pages p pp section sections sec chapter chapters appendix exhibit exhibits footnote
footnotes clause clauses rule rules version versions v no nos lot lots series account accounts ref
invoice equation equations eq seed annex paragraph paragraphs para room suite figure figures fig
table tables note notes item items step steps part tranche tranches level phase class tier option
scenario scenarios question point trade day box unit
"""
_ORDINAL_BEGINNINGS = """
third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth twenty thirty forty fifty sixty
seventy eighty ninety
"""
# What stands after the digits of a date, a label or an ordinal that begins with digits, and what
# a label may begin with before them. Most numbers have neither, and are not looked at again.
_TELLING = re.compile(
    r"[-/:]\d|-(?:[KQJFMASOND]|\s\d)|[(QHs]|[mM][\s-]|\.[HSTK]|[sS][tT]|[nNrR][dD]|[tT][hH]"
    r"|[/–]\s?\d|(?:to|and)\s?\d|[ap]\.?m"
    r"|\s(?:[-–/]\s?\d|(?:to|and)\s?\d|[QH]|(?:of[\s-])?[JFMASOND]|[ap]\.?m|plan|exchange)"
)
# What stands behind most numbers, and tells none of this.
_TELLS_NOTHING = frozenset("%,;)*|$")
_MARKS = frozenset("§#[+(")
_DIGITS = re.compile(r"\d++")
# A risk level has one of these words, or "level", beside it.
_RISK_SIGNS = frozenset(["var", "cvar", "risk", "shortfall", "es", "confidence", "conf"])
# Each with the words that it may begin with; all may begin with a digit.
_DATE = re.compile(r"(?<![\w$€£.,/])(?<!\d-)(?:" + "|".join(DATES) + ")")
_DATE_WORDS = frozenset(_DATE_BEGINNINGS.split())
# What comes next after one of these, unless digits do.
_AFTER_DATE_WORDS = (
    "quarter",
    "half",
    "fiscal",
    "year",
    "the",
    "twenty",
    "thirty",
    *TH.split("|"),
)
_RISK_LABEL = re.compile("|".join(RISK_LABELS))
_RISK_WORDS = frozenset(_RISK_BEGINNINGS.split())
_LABEL = re.compile(r"(?<![\w$€£])(?:" + "|".join((*NAMES, *LABELS)) + ")")
_NAME_WORDS = frozenset(_NAME_BEGINNINGS.split())
_LABEL_WORDS = _NAME_WORDS | frozenset(_LABEL_BEGINNINGS.split())
_ORDINAL = re.compile(r"(?<![\w$€£.,])(?:" + "|".join(ORDINALS) + ")", re.IGNORECASE)
_ORDINAL_WORDS = frozenset(_ORDINAL_BEGINNINGS.split())
# What begins, or ends, a date or an ordinal that has no digit.
_WORDS_ALONE = _ORDINAL_WORDS | {"first", "second"}
_FIRST_WORDS = _DATE_WORDS | _LABEL_WORDS | _ORDINAL_WORDS
WORDS = _FIRST_WORDS | _RISK_WORDS | _RISK_SIGNS
_LIST_MARKER = re.compile(r"\s*\(?(\d{1,9}(?:\.\d{1,3})*)(?:[.)](?=\s|$)|、)")
_HEADING_NUMBER = re.compile(
    r"\s*(\d{1,2}(?:\.\d{1,2})*)(?:[.):]|\s?[-–—])?\s+(?=[A-Z\"'“])(?!(?i:percent|per\scent|points?|"
    r"basis|bps|million|billion|thousand|hundred|dollars?|euros?|shares?|more|less|fewer|times|out\sof)\b)"
)
# "A $4.7 billion company[3]".
_CITATION = re.compile(r"(?<=[\w.,;)\"”])\[\^?\d{1,3}(?:\s?[,–-]\s?\d{1,3}){0,20}\]")
_ENUMERATION = re.compile(rf"\((?:(?<=^\()|(?<=[\s:;,]\())(\d{{1,2}})\)(?=\s[A-Za-z]){UNIT_AHEAD}")
_CLAIMS = re.compile(RATE_AHEAD)
_AMOUNT = re.compile(MONEY_AHEAD)
_YEAR_LAST = re.compile(r"(?:19|20)\d{2}$")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def find(text: str, block: BlockKind, places: Starts) -> list[Found]:
    """The exempt numbers of one block, in order, without overlaps."""
    numbers: list[Found] = []
    if not places.runs and text.isascii() and places.vocabulary.isdisjoint(_WORDS_ALONE):
        return numbers
    candidates = _candidates(text, block, places)
    candidates.sort(key=lambda item: (item[0].at, item[1]))
    at = 0
    for found, _ in candidates:
        if found.at >= at and not _is_amount(text, found):
            numbers.append(found)
            at = found.until
    return numbers


def _candidates(text: str, block: BlockKind, places: Starts) -> list[tuple[Found, int]]:
    """Every exempt form with its rank; where two begin alike, the lower rank wins."""
    found: list[tuple[Found, int]] = []
    if block == "heading":
        found.extend(_leading(text, _HEADING_NUMBER, "label"))
    if block != "table_cell" and (places.runs[:1] == [0] or "(" in text):
        found.extend(_list_markers(text))
    if "@" in text or "://" in text or "www." in text:
        for match in _URL.finditer(text):
            if any(char.isdigit() for char in match.group()):
                found.append((_exempt(text, match.start(), match.end(), "label"), 0))
    for rank, (kind, pattern, beginnings) in enumerate(_searches(text, places), 1):
        for match in matches(pattern, text, beginnings):
            if kind == "label" and not any(char.isdigit() for char in match.group()):
                continue
            level = _risk_level(match) if pattern is _RISK_LABEL else None
            found.append((_exempt(text, match.start(), match.end(), kind, level), rank))
    if places.chinese or "[" in text:
        found.extend(_chinese_and_citations(text, places))
    if "/" in text:
        found.extend(_mixes(text))
    return found


def _mixes(text: str) -> Iterator[tuple[Found, int]]:
    for match in _MIX.finditer(text):
        if sum(int(part) for part in match.group().split("/")) == 100:
            yield _exempt(text, match.start(), match.end(), "label"), 0


def _list_markers(text: str) -> Iterator[tuple[Found, int]]:
    yield from _leading(text, _LIST_MARKER, "list_marker")
    for match in _ENUMERATION.finditer(text):
        yield _exempt(text, match.start(), match.end(), "list_marker"), 0


def _searches(text: str, places: Starts) -> list[tuple[QuantityKind, re.Pattern[str], list[int]]]:
    """Each kind of exempt form with its pattern, and where it may begin, in order."""
    likely = _likely(text, places)
    dates, labels, ordinals = likely.copy(), likely.copy(), likely.copy()
    tokens = places.tokens
    for index in places.known if not places.vocabulary.isdisjoint(_FIRST_WORDS) else ():
        word = tokens[index]
        following = tokens[index + 1] if index + 1 < len(tokens) else "."
        counted = following < ":"  # a run of digits, or nothing
        if word in _DATE_WORDS and (counted or following.startswith(_AFTER_DATE_WORDS)):
            dates.append(places.places[index])
        if word in _LABEL_WORDS and (counted or word in _NAME_WORDS):
            labels.append(places.places[index])
        if word in _ORDINAL_WORDS:
            ordinals.append(places.places[index])
    searches: list[tuple[QuantityKind, re.Pattern[str], list[int]]] = []
    if dates:
        searches.append(("date", _DATE, sorted(dates)))
    if "level" in places.lower or not places.vocabulary.isdisjoint(_RISK_SIGNS):
        digits = [match.start() for match in _DIGITS.finditer(text)]
        searches.append(("label", _RISK_LABEL, sorted(digits + places.at(_RISK_WORDS))))
    if labels:
        searches.append(("label", _LABEL, sorted(labels)))
    if ordinals:
        searches.append(("ordinal", _ORDINAL, sorted(ordinals)))
    return searches


def _likely(text: str, places: Starts) -> list[int]:
    """Where a date, label or ordinal may begin that begins with no word, in order."""
    found: set[int] = set()
    chain, last = 0, -1  # where a word of letters and digits began, and the run that ended it
    tokens, gaps = places.tokens, places.gaps
    for index in places.runs:
        at, run, gap = places.places[index], tokens[index], gaps[index]
        if gap or not index:
            chain = at
        else:  # "US0378331005"
            if last != index - 2 or gaps[index - 1]:
                chain = places.places[index - 1]
            found.add(chain)
        last = index
        if gap != " " and not _MARKS.isdisjoint(gap):
            found.update(at - len(gap) + i for i, char in enumerate(gap) if char in _MARKS)
        if gaps[index + 1][:1] in _TELLS_NOTHING and run.count(".") < 2:
            continue
        if _TELLING.match(text, at + len(run)) or run.count(".") > 1:
            found.update(at + match.start() for match in _DIGITS.finditer(run))
    return sorted(found)


def _chinese_and_citations(text: str, places: Starts) -> Iterator[tuple[Found, int]]:
    if places.chinese:
        for kind, pattern in chinese.words.exempt():
            for match in pattern.finditer(text):
                yield _exempt(text, match.start(), match.end(), kind, _risk_level(match)), -1
    if "[" in text:
        for match in _CITATION.finditer(text):
            yield _exempt(text, match.start(), match.end(), "label"), 0


def _is_amount(text: str, found: Found) -> bool:
    """Whether a unit follows, so that the name or date is an amount: "S&P 500%", "Dec 12 USD"."""
    if (
        found.unit is not None
        or found.kind == "list_marker"
        or "://" in text[found.at : found.until]
    ):
        return False
    if found.kind != "ordinal" and not text[found.until - 1].isdigit():
        return bool(_CLAIMS.match(text, found.until)) and text[found.until] == "%"
    year = found.kind == "date" and _YEAR_LAST.search(text, found.at, found.until)
    if year:
        return text.startswith("%", found.until)
    return bool(
        _CLAIMS.match(text, found.until)
        or (
            (found.kind != "label" or text[found.at].isdigit()) and _AMOUNT.match(text, found.until)
        )
    )


def _leading(
    text: str, pattern: re.Pattern[str], kind: QuantityKind
) -> Iterator[tuple[Found, int]]:
    match = pattern.match(text)
    if match and match.end() < len(text):
        yield _exempt(text, match.start(1), match.end(1), kind), -1


def _risk_level(match: re.Match[str]) -> str | None:
    return next((value for name, value in match.groupdict().items() if value), None)


def _exempt(
    text: str, at: int, until: int, kind: QuantityKind, percent: str | None = None
) -> Found:
    first = _NUMBER.search(text, at, until)
    written = percent or (first.group()[:40] if first else "0")
    unit = "percent" if percent else None
    decimals = len(written.partition(".")[2])
    quantum = ONE.scaleb(-decimals) if decimals else ONE
    value = Decimal(written)
    return Found(at, until, at, until, value, quantum, kind, unit, exempt=True)
