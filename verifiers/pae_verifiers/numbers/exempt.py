"""What looks like a number and states none: dates, ordinals, labels, list markers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from pae_verifiers.numbers.found import Found
from pae_verifiers.numbers.model import BlockKind, QuantityKind

_MONTH = (
    r"(?:Jan(?:uary|\.)?|Feb(?:ruary|\.)?|Mar(?:ch|\.)?|Apr(?:il|\.)?|May|June?\.?|July?\.?|"
    r"Aug(?:ust|\.)?|"
    r"Sept?(?:ember|\.)?|Oct(?:ober|\.)?|Nov(?:ember|\.)?|Dec(?:ember|\.)?)"
)
_UNIT_AHEAD = (
    r"(?!\s?(?:%|percent|per\scent|pct|bps?\b|basis|pp\b|points?\b|million|billion|[kmb]n?\b))"
)
_DAY = rf"\d{{1,2}}(?:st|nd|rd|th)?(?![\d.,]{{0,20}}\d){_UNIT_AHEAD}"
_YEAR = r"(?:19|20)\d{2}(?![\d%])(?![.,]\d)"
_DATES = (
    r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?(?!\d)",
    r"\d{4}[/.]\d{2}[/.]\d{2}(?![\d/])",
    r"\d{1,2}/\d{1,2}/(?:\d{4}|\d{2})(?![\d/])",
    r"\d{1,2}\.\d{1,2}\.(?:19|20)\d{2}(?!\d)",
    rf"(?:\d{{1,2}}(?:st|nd|rd|th)?\s?(?:-|–|to|and)\s?)?\d{{1,2}}(?:st|nd|rd|"
    rf"th)?(?:\sof)?[\s-]{_MONTH}"
    rf"(?![A-Za-z])(?:,?[\s-]{_YEAR})?",
    rf"{_MONTH}\s{_DAY}(?:\s?[-–]\s?{_DAY})?(?:,?\s{_YEAR})?",
    rf"{_MONTH}[\s-]{_YEAR}",
    rf"{_MONTH}[-'\s]'?\d{{2}}(?![\d.,]{{0,20}}\d){_UNIT_AHEAD}",
    r"(?:[QH][1-4]|[1-4][QH])\s?(?:[-–]\s?[QH][1-4]\s?)?(?:FY\s?)?(?:'?\d{4}|"
    r"'?\d{2})?(?![\w%])(?![.,]\d)",
    r"(?:19|20)\d{2}\s?[QH][1-4](?!\w)",
    r"(?:FY|CY|YE)\s?'?(?:\d{4}|\d{2})(?:[/-]\d{2,4})?(?![\w%])(?![.,]\d)",
    r"(?:fiscal|tax|calendar)\s(?:year\s)?(?:19|20)\d{2}(?:[/–-]\d{2,4})?(?!\d)",
    r"(?:19|20)\d{2}\s?[/–-]\s?(?:(?:19|20)\d{2}|\d{2})(?![\d%/-])(?![.,]\d)",
    r"(?:19|20)\d0s(?!\w)",
    r"\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]\.?m\b\.?)?(?:\s?(?:UTC|GMT|E[SD]T|CET|HKT|BST))?(?!\d)",
    r"\d{1,2}\s?[ap]\.?m\b\.?",
    r"(?:first|second|third|fourth|1st|2nd|3rd|4th)\s(?:fiscal\s)?(?:quarter|"
    r"half)(?:\sof\s(?:19|20)\d{2})?",
)
_SPELLED_ORDINAL = r"(?:third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth)"
_ORDINALS = (
    r"\d{1,6}(?:st|nd|rd|th)(?!\w)(?:\spercentile)?",
    rf"(?<=the\s){_SPELLED_ORDINAL}(?!\w)(?!\sof\s(?:the|all|its|our|your)\b)",
)
_URLS = (
    r"(?:https?://|www\.)[^\s<>\"]{1,2000}",
    r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,6}",
)
_HORIZON = r"(?:(?:\d{1,4}|one|two|five|ten|thirty)[-\s](?:day|week|month|year)s?\s)?"
_RISK = r"(?:VaR|CVaR|C-VaR|value[- ]at[- ]risk|expected\sshortfall|ES|confidence|conf\.)"
_NAMES = (
    r"S&P(?:/ASX)?\s?\d{2,4}|FTSE(?:\sNAREIT)?\s\d{2,4}|Russell\s\d{4}|Nasdaq[- ]100|"
    r"NASDAQ[- ]100|Nikkei[- ]225|"
    r"(?:Euro\s)?S(?:toxx|TOXX)(?:\sEurope)?\s\d{2,3}|CAC\s?40|DAX\s?\d{2}|CSI\s?\d{3}|"
    r"TOPIX\s?\d{2,4}|KOSPI\s?\d{2,4}|"
    r"Nifty\s?\d{2,3}|TSX\s?\d{2,3}|ASX\s?\d{2,3}|Fortune\s\d{2,4}|Wilshire\s\d{2,4}|"
    r"Dow(?:\sJones)?\s30|Hang\sSeng\s\d{2,3}|"
    r"MSCI\s[A-Z][\w ]{0,24}?\s\d{3,4}(?=\s[Ii]ndex)",
    r"40[13]\((?:k|b)\)|\b529\b(?=\splan)|1031\sexchange|COVID-19|10-[KQ]\b|W-\d\b|24/7|"
    r"(?:IFRS|IAS|ASC|MiFID|UCITS|Basel|Reg|Form|Schedule|SFDR\sArticle|"
    r"Article)\s\d{1,4}[A-Za-z]?(?:-\d{1,4})?\b",
    r"[A-Z]{2}[A-Z0-9]{9}\d(?!\w)",
    r"\d{4,6}\.(?:HK|SS|SZ|T|TW|KS)(?!\w)",
)
_LABEL_WORDS = (
    r"(?:[Ff]igures?|[Ff]ig\.|[Tt]ables?|[Pp]ages?|[Pp]p?\.|[Ss]ections?|[Ss]ec\.|§{1,2}|"
    r"[Cc]hapters?|"
    r"[Aa]ppendix|[Ee]xhibits?|Notes?|[Ff]ootnotes?|Items?|[Ss]teps?|Part|[Aa]rticles?|"
    r"[Cc]lauses?|[Rr]ules?|"
    r"[Vv]ersions?|v\.?|Nos?\.|#|[Ll]ots?|[Tt]ranches?|Level|[Pp]hase|Class|Series|[Tt]ier|"
    r"Option|[Ss]cenarios?|"
    r"Accounts?|Ref\.?|Invoice|Equations?|Eq\.|[Ss]eed|[Aa]nnex|[Pp]aragraphs?|[Pp]ara\.|"
    r"Question|Point|Trade|Day|"
    r"[Bb]ox|Room|Suite|Unit)"
)
_LABELS = (
    rf"{_LABEL_WORDS}\s?#?\d{{1,9}}(?:\.\d{{1,9}}){{0,4}}[a-z]?(?:\s?(?:[-–,]|and|to|"
    rf"or)\s?\d{{1,9}}(?:\.\d{{1,9}}){{0,4}}(?![\d.,]{{0,20}}\d)"
    rf"{_UNIT_AHEAD}){{0,8}}(?![\w%])(?![.,]\d){_UNIT_AHEAD}(?!\s(?:of\s\d|shares?\b|days?\b|"
    rf"trades\b))",
    r"\[\^?\d{1,4}(?:\s?[,–-]\s?\d{1,4}){0,20}\]",
    r"v?\d{1,9}\.\d{1,9}\.\d{1,9}(?:\.\d{1,9}){0,6}(?:-?(?:rc|beta|alpha|post|"
    r"dev)\.?\d*)?(?![\d%,])",
    r"\+\d{1,3}[\s.-]\(?\d{1,4}\)?(?:[\s.-]\d{2,4}){1,4}(?!\d)",
    r"\(\d{3}\)\s?\d{3}-\d{4}(?!\d)",
    r"\d{1,20}(?:-\d{1,20}){2,8}(?![\d%])",
)
# Labels that carry a unit: these exist only where the sources have them.
_RISK_LABELS = (
    rf"(?<![\w.])(?P<risk1>\d{{1,3}}(?:\.\d{{1,4}})?)\s?(?:%|percent|"
    rf"per\scent)[-,\s]\s?{_HORIZON}(?:{_RISK})(?!\w)",
    rf"{_RISK}(?:\s(?:level|interval))?(?:\sof|"
    rf"\sat(?:\sthe)?)?\s?\(?(?P<risk2>\d{{1,3}}(?:\.\d{{1,4}})?)\s?(?:%|percent|per\scent)",
    r"at\s(?:the|a)\s(?P<risk3>\d{1,3}(?:\.\d{1,4})?)\s?(?:%|percent|per\scent)\s(?=level)",
)
_MIX = re.compile(r"(?<![\w/.,$€£-])\d{1,3}(?:/\d{1,3}){1,12}(?![\w/%]|[.,]\d)")

_PATTERNS: tuple[tuple[QuantityKind, re.Pattern[str]], ...] = (
    ("label", re.compile("|".join(_URLS))),
    ("date", re.compile(r"(?<![\w$€£.,/])(?<!\d-)(?:" + "|".join(_DATES) + ")")),
    ("label", re.compile("|".join(_RISK_LABELS))),
    ("label", re.compile(r"(?<!\w)(?:" + "|".join((*_NAMES, *_LABELS)) + ")")),
    ("ordinal", re.compile(r"(?<![\w$€£.,])(?:" + "|".join(_ORDINALS) + ")", re.IGNORECASE)),
)
_LIST_MARKER = re.compile(r"\s*\(?(\d{1,9}(?:\.\d{1,3})*)[.)](?=\s|$)")
_HEADING_NUMBER = re.compile(r"\s*(\d{1,3}(?:\.\d{1,3})*)(?:[.):]|\s?[-–—])?\s+(?=[A-Z\"'“])")
_ENUMERATION = re.compile(r"(?:(?<=^)|(?<=[\s:;,]))\((\d{1,2})\)(?=\s[A-Za-z])")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def find(text: str, block: BlockKind) -> Iterator[Found]:
    """The exempt numbers of one block, in order, without overlaps."""
    candidates = list(_candidates(text, block))
    candidates.sort(key=lambda item: (item[0].at, item[1]))
    at = 0
    for found, _ in candidates:
        if found.at >= at:
            yield found
            at = found.until


def _candidates(text: str, block: BlockKind) -> Iterator[tuple[Found, int]]:
    """Every exempt form with its rank; where two begin alike, the lower rank wins."""
    if block == "heading":
        yield from _leading(text, _HEADING_NUMBER, "label")
    if block != "table_cell":
        yield from _leading(text, _LIST_MARKER, "list_marker")
        for match in _ENUMERATION.finditer(text):
            yield _exempt(text, match.start(), match.end(), "list_marker"), 0
    for rank, (kind, pattern) in enumerate(_PATTERNS):
        for match in pattern.finditer(text):
            if not any(char.isdigit() for char in match.group()) and kind == "label":
                continue
            yield _exempt(text, match.start(), match.end(), kind, _risk_level(match)), rank
    for match in _MIX.finditer(text):
        parts = [int(part) for part in match.group().split("/")]
        if sum(parts) == 100:
            yield _exempt(text, match.start(), match.end(), "label"), 0


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
    quantum = Decimal(1).scaleb(-decimals)
    return Found(at, until, at, until, Decimal(written), quantum, kind, unit, exempt=True)
