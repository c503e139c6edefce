"""Characters as a person reads them: look-alike digits, dashes, spaces and signs, one for one."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

NBSP = "\u00a0"

_SAME = {
    "\u2212": "-", "\ufe63": "-", "\uff0d": "-", "\u2010": "-", "\u2011": "-", "\u2012": "–",
    "\ufe58": "–", "％": "%", "﹪": "%", "٪": "%", "．": ".", "٫": ".",
    "﹒": ".", "，": ",", "٬": ",",
    "﹐": ",", "＄": "$", "﹩": "$", "￡": "£", "￥": "¥", "￦": "₩", "（": "(",
    "）": ")", "＋": "+",
    "～": "~", "〜": "~", "∼": "~", "˜": "~", "≃": "≈", "≅": "≈", "＜": "<", "＞": ">", "⩽": "≤",
    "⩾": "≥", "≦": "≤", "≧": "≥", "／": "/", "⁄": "/", "∕": "/", "：": ":", "＝": "=", "＃": "#",
    "’": "'", "ʼ": "'", "＇": "'", "′": "'", "\u2007": NBSP, "\u2008": NBSP, "\u2009": NBSP,
    "\u202f": NBSP, "\u205f": NBSP, "\u2002": " ", "\u2003": " ", "\u3000": " ",
    "\u2000": " ", "\u2001": " ", "\u2004": " ", "\u2005": " ", "\u2006": NBSP,
    # What ignoring case takes for i, s and k, though its lower case is another word's.
    "İ": "I", "ı": "i", "ſ": "s", "\u212a": "K",
}  # fmt: skip


# Letters of other alphabets that look like Latin ones: "perсent" with a Cyrillic c.
_SAME.update(
    zip("авекмнорстухіјѕԁһАВЕКМНОРСТУХІЈЅοιντΑΒΕΖΗΙΚΜΝΟΡΤΧ",
        "aBeKMHopcTyxijsdhABEKMHOPCTYXIJSoivtABEZHIKMNOPTX", strict=True)
)  # fmt: skip


class _Table(dict[int, str]):
    """Filled as characters are met, so that a text costs one look-up a character."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        read = _SAME.get(char) or _ascii(char)
        self[code] = read
        return read


def _ascii(char: str) -> str:
    if char.isascii():
        return char
    digit = unicodedata.decimal(char, None)
    if digit is not None:
        return str(digit)
    if 0xFF01 <= ord(char) <= 0xFF5E:
        return chr(ord(char) - 0xFEE0)
    folded = unicodedata.normalize("NFKC", char)
    mathematical = 0x1D400 <= ord(char) <= 0x1D7FF
    return folded if mathematical and len(folded) == 1 else char


_TABLE = _Table()
_FOREIGN = re.compile(r"[^\x00-\x7f]")

# Between full-width digits this comma parts groups; beside others, in Chinese, it is punctuation.
_CHINESE_COMMA = re.compile(r"(?<=[0-9])，|，(?=[0-9])")
_MIDDLE_DOT = re.compile(r"(?<=\d)[·˙∙‧•](?=\d)")
# Digits that are not decimal ones: superscripts, subscripts, circled. After a word, a number or a
# stop they are a footnote's mark; where a number begins, or goes on, they are read as digits.
_ENCLOSED = (
    *range(0x2460, 0x2469), *range(0x2474, 0x247D), *range(0x2488, 0x2491), 0x24EA,
    *range(0x24F5, 0x24FE), 0x24FF, *range(0x2776, 0x277F), *range(0x2780, 0x2789),
    *range(0x278A, 0x2793), *range(0x1F100, 0x1F10D),
)  # fmt: skip
_RAISED = frozenset(
    char
    for code in (*range(0xB2, 0xBA), *range(0x2070, 0x208A), *_ENCLOSED)
    if (char := chr(code)) and (unicodedata.digit(char, None) is not None)
)
# "1O%" and "$l,200": letters in the place of digits, beside a unit and at least one digit.
_LETTERS = str.maketrans("OoОоIlІ", "0000111")
_LETTERED = re.compile(
    r"(?:(?<=[$€£])|(?<![\w.,]))(?=[\doOОоIlІ.,]{0,24}\d)(?=[\d.,]{0,24}[oOОоIlІ])[\doOОоIlІ]+"
    r"(?:[.,][\doOОоIlІ]+)*(?![\w])"
)
# A digit with groups after it, or beside one of those letters: most texts have none to look into.
_UNUSUAL = re.compile(r"[0-9](?: [0-9]{3}|[.,]?[oOIl]|(?<=[oOIl][0-9])|(?<=[oOIl][.,][0-9]))")
_UNIT_BESIDE = re.compile(r"\s?(?:%|bps\b|bp\b|basis\b|percent|per\scent|pp\b)")


# "9 000 USD": groups parted by ordinary spaces, where a currency or a zero shows them to be groups.
_GROUPS = r"\d{1,3}(?:[ ]\d{3}){1,4}(?![\d]|[.,]\d{3}(?!\d))"
_GROUPED = re.compile(
    rf"(?:(?<=[$€£¥])|(?<=[$€£¥][ ])|(?<=[A-Z]{{3}}[ ])){_GROUPS}"
    rf"|(?<![\d.,])(?<![\d.,%][ ]){_GROUPS}"
    rf"(?=(?:[.,]\d{{1,2}})?[ ]?(?:[$€£¥]|[A-Z]{{3}}\b|dollars|euros|pounds))"
    r"|(?<![\d.,])(?<![\d.,%][ ])\d{1,3}(?:[ ]0\d\d){1,4}(?!\d)"
)


def read(text: str) -> str:
    """``text`` with every character replaced by the one it is read as; same length."""
    if not text.isascii():
        if "，" in text and any("\u4e00" <= char <= "\u9fff" for char in text):
            text = _CHINESE_COMMA.sub("、", text)
        text = _translated(text)
        text = _MIDDLE_DOT.sub(".", text)
        if not _RAISED.isdisjoint(text):
            text = _raised_number().sub(lambda match: _lowered(match.group()), text)
    if _UNUSUAL.search(text):
        text = _GROUPED.sub(lambda match: match.group().replace(" ", NBSP), text)
        return _LETTERED.sub(lambda match: _digits_for_letters(text, match), text)
    return text


def _translated(text: str) -> str:
    """As ``text.translate(_TABLE)``, which looks at each character, and most are as they are."""
    other = {
        char: read for char in set(_FOREIGN.findall(text)) if (read := _TABLE[ord(char)]) != char
    }
    if not other.keys().isdisjoint(other.values()):
        return text.translate(_TABLE)
    for char, read in other.items():
        text = text.replace(char, read)
    return text


@cache
def _raised_number() -> re.Pattern[str]:
    raised = f"[{''.join(sorted(_RAISED))}]"
    return re.compile(
        rf"(?:(?<![\w%.,;:)\]\"']){raised}(?:[·.,˙]?{raised})*|(?<=\d){raised}+(?=[.,]?\d|"
        rf"\s?%)|{raised}(?:[·.,˙]?{raised})*(?=\s?(?:%|per\s?cent|bps\b)))"
    )


def _lowered(raised: str) -> str:
    digits = (str(unicodedata.digit(char, char)) for char in raised)
    return "".join("." if char in "·˙" else char for char in digits)


def _digits_for_letters(text: str, match: re.Match[str]) -> str:
    money = match.start() and text[match.start() - 1] in "$€£"
    if money or _UNIT_BESIDE.match(text, match.end()):
        return match.group().translate(_LETTERS)
    return match.group()
