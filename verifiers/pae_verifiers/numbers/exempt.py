"""What looks like a number and states none: dates, ordinals, labels, list markers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from pae_verifiers.numbers import chinese
from pae_verifiers.numbers.found import Found, replace
from pae_verifiers.numbers.model import BlockKind, QuantityKind
from pae_verifiers.numbers.starts import Starts, matches

_MONTH = (
    r"(?:Jan(?:uary|\.)?|Feb(?:ruary|\.)?|Mar(?:ch|\.)?|Apr(?:il|\.)?|May|June?\.?|July?\.?|"
    r"Aug(?:ust|\.)?|"
    r"Sept?(?:ember|\.)?|Oct(?:ober|\.)?|Nov(?:ember|\.)?|Dec(?:ember|\.)?)"
)
_RATE_AHEAD = (
    r"[\s-]?(?:[%‰‱]|(?:percent|per\s?cent|pct|bps?|basis\spoints?|pp|percentage\spoints?|hundred|"
    r"thousand|million|billion|trillion)(?![a-z]))"
)
_MONEY_AHEAD = (
    r"\s?(?:(?:(?:US\s)?dollars?|euros?|pounds?|francs?|USD|EUR|GBP|CHF|JPY|yen|shares?|times)\b|"
    r"[€£¥]|[xX×](?!\w))"
)
_UNIT_AHEAD = (
    r"(?!\s?(?:[%‰‱]|percent|per\scent|pct|bps?\b|basis|pp\b|points?\b|hundred\b|thousand|million|"
    rf"billion|trillion|[kmb]n?\b)|{_MONEY_AHEAD})"
)
_DAY_NUMBER = r"(?:0?[1-9]|[12]\d|3[01])"
_MONTH_NUMBER = r"(?:0?[1-9]|1[0-2])"
_DAY = rf"{_DAY_NUMBER}(?:st|nd|rd|th)?(?![\d.,]{{0,20}}\d){_UNIT_AHEAD}"
_YEAR = r"(?:19|20)\d{2}(?![\d%])(?![.,]\d)"
_TH = "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth"
# "The thirty-first of March": days of one word are ordinals and no numbers.
_DAY_IN_WORDS = rf"(?i:twenty[\s-](?:{_TH})|thirty[\s-]first)"
_DATES = (
    rf"\d{{4}}-{_MONTH_NUMBER}-{_DAY_NUMBER}"
    r"(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?(?!\d)",
    rf"\d{{4}}[/.]{_MONTH_NUMBER}[/.]{_DAY_NUMBER}(?![\d/])",
    rf"{_DAY_NUMBER}/{_DAY_NUMBER}/(?:\d{{4}}|\d{{2}})(?![\d/])",
    rf"{_DAY_NUMBER}\.{_DAY_NUMBER}\.(?:19|20)\d{{2}}(?!\d)",
    rf"(?:{_DAY_NUMBER}(?:st|nd|rd|th)?\s?(?:-|–|to|and)\s?)?{_DAY_NUMBER}(?:st|nd|rd|"
    rf"th)?(?:\sof)?[\s-]{_MONTH}"
    rf"(?![A-Za-z])(?:,?[\s-]{_YEAR})?",
    rf"{_MONTH}(?:\s{_DAY}(?:\s?[-–]\s?{_DAY})?(?:,?\s{_YEAR})?|[\s-]{_YEAR}"
    rf"|[-'\s]'?\d{{2}}(?![\d.,]{{0,20}}\d){_UNIT_AHEAD})",
    rf"{_DAY_IN_WORDS}\sof\s{_MONTH}(?![A-Za-z])(?:,?\s{_YEAR})?",
    rf"{_MONTH}\s(?:the\s)?{_DAY_IN_WORDS}(?!\w)(?:,?\s{_YEAR})?",
    r"(?:[QH][1-4]|[1-4][QH])\s?(?:[-–]\s?[QH][1-4]\s?)?(?:FY\s?)?(?:'?\d{4}|"
    r"'?\d{2})?(?![\w%])(?![.,]\d)",
    r"(?:19|20)\d{2}\s?[QH][1-4](?!\w)",
    r"(?:FY|CY|YE)\s?'?(?:\d{4}|\d{2})(?:[/-]\d{2,4})?(?![\w%])(?![.,]\d)",
    r"(?:fiscal|tax|calendar)\s(?:year\s)?(?:19|20)\d{2}(?:[/–-]\d{2,4})?(?!\d)",
    r"(?:19|20)\d{2}\s?[/–-]\s?(?:(?:19|20)\d{2}|\d{2})(?![\d%/-])(?![.,]\d)",
    r"(?:19|20)\d0s(?!\w)",
    r"(?<!ratio\sof\s)(?<!split\sof\s)(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d)?"
    r"(?!\s(?:ratio|split|mix|odds))(?:\s?[ap]\.?m\b\.?)?(?:\s?(?:UTC|GMT|E[SD]T|CET|HKT|BST))?(?!\d)",
    r"\d{1,2}\s?[ap]\.?m\b\.?",
    r"(?:first|second|third|fourth|1st|2nd|3rd|4th)\s(?:fiscal\s)?(?:quarter|"
    r"half)(?:\sof\s(?:19|20)\d{2})?",
)
_SPELLED_ORDINAL = r"(?:third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth)"
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_ORDINALS = (
    r"\d{1,6}(?:st|nd|rd|th)(?!\w)(?:\spercentile)?",
    rf"(?<=the\s)(?:{_SPELLED_ORDINAL}|(?:{_TENS})[\s-](?:{_TH}))(?!\w)"
    r"(?!\sof\s(?:the|all|its|our|your)\b)",
)
_URLS = (
    r"(?:https?://|www\.)[^\s<>\"]{1,2000}",
    r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,6}",
)
_HORIZON = r"(?:(?:\d{1,4}|one|two|five|ten|thirty)[-\s](?:day|week|month|year)s?\s)?"
_RISK = r"(?:VaR|CVaR|C-VaR|value[- ]at[- ]risk|expected\sshortfall|ES|confidence|conf\.)"
_NAMES = (
    r"S&P/ASX\s?\d{2,3}|S&P\s?(?:[1-6]00|900|1[0125]00)(?!\d)|"
    r"FTSE(?:\sNAREIT)?\s\d{2,4}|Russell\s\d{4}|Nasdaq[- ]100|"
    r"NASDAQ[- ]100|Nikkei[- ]225|"
    r"(?:Euro\s)?S(?:toxx|TOXX)(?:\sEurope)?\s\d{2,3}|CAC\s?40|DAX\s?\d{2}|CSI\s?\d{3}|"
    r"TOPIX\s?\d{2,4}|KOSPI\s?\d{2,4}|"
    r"Nifty\s?\d{2,3}|TSX\s?\d{2,3}|ASX\s?\d{2,3}|Fortune\s\d{2,4}|Wilshire\s\d{2,4}|"
    r"Dow(?:\sJones)?\s30|Hang\sSeng\s\d{2,3}|"
    r"MSCI\s[A-Z][\w ]{0,24}?\s\d{3,4}(?=\s[Ii]ndex)",
    r"40[13]\((?:k|b)\)|\b529\b(?=\splan)|1031\sexchange|COVID-19|10-[KQ]\b|W-\d\b|24/7(?!\d)|"
    r"(?:IFRS|IAS|ASC|MiFID|UCITS|Basel|Reg|Form|Schedule|SFDR\sArticle|"
    r"Article)\s\d{1,4}[A-Za-z]?(?:-\d{1,4})?\b",
    r"[A-Z]{2}[A-Z0-9]{9}\d(?!\w)",
    r"\d{4,6}\.(?:HK|SS|SZ|T|TW|KS)(?!\w)",
    r"3M(?=\s(?:Company|Co\b|Corp|Inc))",
    # "12m volatility" is that of twelve months.
    r"(?:[1-9]|[1-5]\d|60)[mM](?=[\s-](?:rolling|trailing|forward|volatilit|vol\b|returns?\b|VaR|"
    r"T-bill|[Tt]reasur|bills?\b|LIBOR|SOFR|Euribor|EURIBOR|horizon|window|tenor|deposit|"
    r"average|moving|momentum|beta|correlation|yield|rate|performance|period|look))",
)
_NAMED = (
    r"(?:[Pp]ages?|[Pp]p?\.|[Ss]ections?|[Ss]ec\.|§{1,2}|"
    r"[Cc]hapters?|"
    r"[Aa]ppendix|[Ee]xhibits?|[Ff]ootnotes?|[Aa]rticles?|"
    r"[Cc]lauses?|[Rr]ules?|"
    r"[Vv]ersions?|v\.?|Nos?\.|#|[Ll]ots?|Series|"
    r"Accounts?|Ref\.?|Invoice|Equations?|Eq\.|[Ss]eed|[Aa]nnex|[Pp]aragraphs?|[Pp]ara\.|"
    r"Room|Suite)"
)
# Of these there are never a thousand.
_COUNTED = (
    r"(?:Figures?|(?:(?<=see\s)|(?<=in\s)|(?<=of\s)|(?<=from\s)|(?<=and\s)|(?<=\())figures?|"
    r"[Ff]ig\.|[Tt]ables?|Notes?|Items?|[Ss]teps?|Part|[Tt]ranches?|Level|[Pp]hase|Class|[Tt]ier|Option|"
    r"[Ss]cenarios?|Question|Point|Trade|Day|[Bb]ox|Unit)"
)
_LABELS = (
    rf"(?:{_NAMED}\s?#?\d{{1,9}}|{_COUNTED}\s\d{{1,3}})(?:\.\d{{1,9}}){{0,4}}[a-wyz]?(?:(?:\s?(?:[-–]|and|to|or)\s?|,\s)\d{{1,9}}(?:\.\d{{1,9}}){{0,4}}(?![\d.,]{{0,20}}\d)"
    rf"{_UNIT_AHEAD}){{0,8}}(?![\w%])(?![.,]\d){_UNIT_AHEAD}(?!\s(?:of\s\d|shares?\b|days?\b|"
    rf"trades\b))",
    r"\[\^?\d{1,3}(?:\s?[,–-]\s?\d{1,3}){0,20}\]",
    r"v?\d{1,9}\.\d{1,9}\.\d{1,9}(?:\.\d{1,9}){0,6}(?:-?(?:rc|beta|alpha|post|"
    r"dev)\.?\d*)?(?![\d%,])",
    r"\+(?=(?:[\s().-]{0,2}\d){9,15}(?!\d))\d{1,3}[\s.-]\(?\d{1,4}\)?(?:[\s.-]\d{2,4}){1,4}(?!\d)",
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

_URL = re.compile("|".join(_URLS))
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
_MARKS = frozenset("§#[+(")
_DIGITS = re.compile(r"\d++")
# A risk level has one of these words, or "level", beside it.
_RISK_SIGNS = frozenset(["var", "cvar", "risk", "shortfall", "es", "confidence", "conf"])
# Each with the words that it may begin with; all may begin with a digit.
_DATE = re.compile(r"(?<![\w$€£.,/])(?<!\d-)(?:" + "|".join(_DATES) + ")")
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
    *_TH.split("|"),
)
_RISK_LABEL = re.compile("|".join(_RISK_LABELS))
_RISK_WORDS = frozenset(_RISK_BEGINNINGS.split())
_LABEL = re.compile(r"(?<![\w$€£])(?:" + "|".join((*_NAMES, *_LABELS)) + ")")
_NAME_WORDS = frozenset(_NAME_BEGINNINGS.split())
_LABEL_WORDS = _NAME_WORDS | frozenset(_LABEL_BEGINNINGS.split())
_ORDINAL = re.compile(r"(?<![\w$€£.,])(?:" + "|".join(_ORDINALS) + ")", re.IGNORECASE)
_ORDINAL_WORDS = frozenset(_ORDINAL_BEGINNINGS.split())
_FIRST_WORDS = _DATE_WORDS | _LABEL_WORDS | _ORDINAL_WORDS
WORDS = _FIRST_WORDS | _RISK_WORDS | _RISK_SIGNS
_LIST_MARKER = re.compile(r"\s*\(?(\d{1,9}(?:\.\d{1,3})*)(?:[.)](?=\s|$)|、)")
_HEADING_NUMBER = re.compile(
    r"\s*(\d{1,2}(?:\.\d{1,2})*)(?:[.):]|\s?[-–—])?\s+(?=[A-Z\"'“])(?!(?i:percent|per\scent|points?|"
    r"basis|bps|million|billion|thousand|hundred|dollars?|euros?|shares?|more|less|fewer|times|out\sof)\b)"
)
# "A $4.7 billion company[3]".
_CITATION = re.compile(r"(?<=[\w.,;)\"”])\[\^?\d{1,3}(?:\s?[,–-]\s?\d{1,3}){0,20}\]")
_ENUMERATION = re.compile(rf"\((?:(?<=^\()|(?<=[\s:;,]\())(\d{{1,2}})\)(?=\s[A-Za-z]){_UNIT_AHEAD}")
_CLAIMS = re.compile(_RATE_AHEAD)
_AMOUNT = re.compile(_MONEY_AHEAD)
_YEAR_LAST = re.compile(r"(?:19|20)\d{2}$")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_EXEMPT = Found(0, 0, 0, 0, Decimal(0), Decimal(1), "label", exempt=True)


def find(text: str, block: BlockKind, places: Starts) -> Iterator[Found]:
    """The exempt numbers of one block, in order, without overlaps."""
    if not places.runs and text.isascii() and places.vocabulary.isdisjoint(WORDS):
        return
    candidates = _candidates(text, block, places)
    candidates.sort(key=lambda item: (item[0].at, item[1]))
    at = 0
    for found, _ in candidates:
        if found.at >= at and not _is_amount(text, found):
            yield found
            at = found.until


def _candidates(text: str, block: BlockKind, places: Starts) -> list[tuple[Found, int]]:
    """Every exempt form with its rank; where two begin alike, the lower rank wins."""
    found: list[tuple[Found, int]] = []
    if block == "heading":
        found.extend(_leading(text, _HEADING_NUMBER, "label"))
    if block != "table_cell":
        found.extend(_list_markers(text, places))
    for match in _URL.finditer(text) if "@" in text or "://" in text or "www." in text else ():
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
    for match in _MIX.finditer(text) if "/" in text else ():
        parts = [int(part) for part in match.group().split("/")]
        if sum(parts) == 100:
            found.append((_exempt(text, match.start(), match.end(), "label"), 0))
    return found


def _list_markers(text: str, places: Starts) -> Iterator[tuple[Found, int]]:
    if places.runs and places.runs[0] == 0:
        yield from _leading(text, _LIST_MARKER, "list_marker")
    for match in _ENUMERATION.finditer(text) if "(" in text else ():
        yield _exempt(text, match.start(), match.end(), "list_marker"), 0


def _searches(text: str, places: Starts) -> list[tuple[QuantityKind, re.Pattern[str], list[int]]]:
    """Each kind of exempt form with its pattern, and where it may begin, in order."""
    likely = _likely(text, places)
    risky = "level" in places.lower or not places.vocabulary.isdisjoint(_RISK_SIGNS)
    dates, labels, ordinals = likely.copy(), likely.copy(), likely.copy()
    for index in places.known:
        word = places.tokens[index]
        following = places.tokens[index + 1] if index + 1 < len(places.tokens) else "."
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
    if risky:
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
    for index in places.runs:
        at, run, gap = places.places[index], places.tokens[index], places.gaps[index]
        if gap or not index:
            chain = at
        else:  # "US0378331005"
            if last != index - 2 or places.gaps[index - 1]:
                chain = places.places[index - 1]
            found.add(chain)
        last = index
        if gap != " " and not _MARKS.isdisjoint(gap):
            found.update(at - len(gap) + i for i, char in enumerate(gap) if char in _MARKS)
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
    quantum = Decimal(1).scaleb(-decimals)
    return replace(
        _EXEMPT,
        at=at,
        until=until,
        body=at,
        stop=until,
        value=Decimal(written),
        quantum=quantum,
        kind=kind,
        unit=unit,
    )
