"""Reads the parts that a date states, and says whether the sources know such a date."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, fields

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan",
            "february feb",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sept sep",
            "october oct",
            "november nov",
            "december dec",
        ),
        start=1,
    )
    for name in names.split()
}
_ORDINALS = {
    "first": 1,
    "second": 2,
    "third": 3,
    "fourth": 4,
    "1st": 1,
    "2nd": 2,
    "3rd": 3,
    "4th": 4,
}
_MONTH = (
    r"(?P<{}>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_YEAR = r"(?P<{}>(?:19|20)\d\d)(?!\d)"
_SHORT_YEAR = r"(?P<{}>(?:19|20)\d\d|['’]?\d\d)(?![\d.,]*\d)"
_DAY = r"(?P<{}>[0-3]?\d)(?:st|nd|rd|th)?"
# "The twenty-first of March": the days of two words.
_DAYS_IN_WORDS = {
    f"{tens} {word}": number + day
    for tens, number in (("twenty", 20), ("thirty", 30))
    for day, word in enumerate(
        ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"), 1
    )
    if number + day < 32
}
_IN_WORDS = rf"(?P<{{}}>{'|'.join(_DAYS_IN_WORDS).replace(' ', '[ -]')})"
_NTH = r"(?P<{}>first|second|third|fourth|1st|2nd|3rd|4th)"

_FORMS = (
    rf"{_YEAR.format('y1')}[-/.](?P<m1>[01]\d)(?:[-/.](?P<d1>[0-3]\d))?(?!\d)",
    rf"{_YEAR.format('y2')}\s*年\s*(?P<m2>\d\d?)\s*月(?:\s*(?P<d2>\d\d?)\s*日)?",
    rf"(?<![\d.,]){_DAY.format('d3')}(?:\s+of)?[\s-]+(?:the\s+)?{_MONTH.format('n3')}"
    rf"(?:,?[\s-]+{_SHORT_YEAR.format('y3')})?",
    rf"\b{_IN_WORDS.format('w17')}\s+of\s+{_MONTH.format('n17')}(?:,?\s+{_YEAR.format('y17')})?",
    rf"\b{_MONTH.format('n18')}\s+(?:the\s+)?{_IN_WORDS.format('w18')}\b"
    rf"(?:,?\s+{_YEAR.format('y18')})?",
    rf"\b{_MONTH.format('n4')}\s+{_DAY.format('d4')}(?![\d.])(?:,?\s+{_YEAR.format('y4')})?",
    rf"\b{_MONTH.format('n5')},?[\s-]+(?:of\s+)?{_SHORT_YEAR.format('y5')}",
    rf"(?<![\d.,])(?P<d6>[0-3]?\d)[./](?P<m6>[0-3]?\d)[./]{_SHORT_YEAR.format('y6')}",
    rf"\bQ(?P<q7>[1-4])(?:[\s/-]*(?:of\s+)?(?:FY\s*)?{_SHORT_YEAR.format('y7')})?",
    rf"(?<!\d)(?P<q8>[1-4])Q\s?{_SHORT_YEAR.format('y8')}",
    rf"{_YEAR.format('y9')}[\s-]?Q(?P<q9>[1-4])",
    rf"\b{_NTH.format('q10')}[\s-]quarter(?:\s+of)?(?:\s+{_YEAR.format('y10')})?",
    rf"\bH(?P<h11>[12])(?:[\s/-]*{_SHORT_YEAR.format('y11')})?",
    rf"(?<!\d)(?P<h12>[12])H\s?{_SHORT_YEAR.format('y12')}",
    rf"\b{_NTH.format('h13')}[\s-]half(?:\s+of)?(?:\s+{_YEAR.format('y13')})?",
    rf"\b(?:FY|CY)\s*{_SHORT_YEAR.format('y14')}",
    rf"\b(?-i:(?=[A-Z])){_MONTH.format('n15')}",  # "may" is a verb
    rf"(?<![\d.,]){_YEAR.format('y16')}(?![.,]?\d)",
)
# A date starts at a digit or at a word; most words fall out by their first letter.
_START = r"(?:(?=\d)|\b(?=[adfjhmnoqstc]))"
_DATE = re.compile(_START + "(?:" + "|".join(f"(?:{form})" for form in _FORMS) + ")", re.I)

# What a pattern that ignores case takes for an ASCII letter: "Aprıl", "auguſt".
_LOOKALIKES = str.maketrans("ıİſ\u212a", "iIsK")


@dataclass(frozen=True)
class DateParts:
    """The parts that a date states; None where it is silent."""

    year: int | None = None
    half: int | None = None
    quarter: int | None = None
    month: int | None = None
    day: int | None = None

    def agrees_with(self, known: DateParts) -> bool:
        """Whether every part stated is the same in ``known``."""
        return all(
            getattr(self, part.name) in (None, getattr(known, part.name)) for part in fields(self)
        )


def dates_in(text: str) -> tuple[tuple[DateParts, ...], ...]:
    """The dates of a text; each as its possible readings (11/12/2026 has two)."""
    return tuple(
        readings
        for match in _DATE.finditer(text.translate(_LOOKALIKES))
        if (readings := _readings(match))
    )


class Calendar:
    """The dates that the sources know."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._known = {
            reading for text in texts for readings in dates_in(text) for reading in readings
        }

    def knows(self, text: str) -> bool:
        """Whether every date in ``text`` agrees with a known one.

        True where the text states no date that can be read, such as a time of day, and where the
        sources have no date at all.
        """
        return not self._known or all(
            any(reading.agrees_with(known) for reading in readings for known in self._known)
            for readings in dates_in(text)
        )


def _readings(match: re.Match[str]) -> tuple[DateParts, ...]:
    found = {key: value for key, value in match.groupdict().items() if value is not None}
    parts = {key.rstrip("0123456789"): value for key, value in found.items()}
    year = _year(parts.get("y"))
    day, month = _int(parts.get("d")), _int(parts.get("m"))
    if "w" in parts:
        day = _DAYS_IN_WORDS[re.sub(r"[\s-]", " ", parts["w"].lower())]
    if "n" in parts:
        month = _MONTHS[parts["n"].lower()]
    pairs = [(day, month)]
    if "m6" in found and day != month:
        pairs.append((month, day))
    quarter, half = _nth(parts.get("q")), _nth(parts.get("h"))
    return tuple(
        _complete(year, half, quarter, month, day)
        for day, month in pairs
        if month is None or (1 <= month <= 12 and (day is None or 1 <= day <= 31))
    )


def _complete(
    year: int | None, half: int | None, quarter: int | None, month: int | None, day: int | None
) -> DateParts:
    if month is not None:
        quarter = (month + 2) // 3
    if quarter is not None:
        half = (quarter + 1) // 2
    return DateParts(year, half, quarter, month, day)


def _year(text: str | None) -> int | None:
    if text is None:
        return None
    year = int(text.strip("'’"))
    return year if year > 99 else 2000 + year


def _int(text: str | None) -> int | None:
    return None if text is None else int(text)


def _nth(text: str | None) -> int | None:
    if text is None:
        return None
    return _ORDINALS.get(text.lower()) or int(text)
