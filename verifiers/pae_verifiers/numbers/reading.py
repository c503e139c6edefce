"""Characters as a person reads them: look-alike digits, dashes, spaces and signs, one for one."""

from __future__ import annotations

import unicodedata

NBSP = "\u00a0"

_SAME = {
    "\u2212": "-", "\ufe63": "-", "\uff0d": "-", "\u2010": "-", "\u2011": "-", "\u2012": "–",
    "\ufe58": "–", "％": "%", "﹪": "%", "٪": "%", "．": ".", "٫": ".", "﹒": ".", "，": ",", "٬": ",",
    "﹐": ",", "＄": "$", "﹩": "$", "￡": "£", "￥": "¥", "￦": "₩", "（": "(", "）": ")", "＋": "+",
    "～": "~", "〜": "~", "∼": "~", "˜": "~", "≃": "≈", "≅": "≈", "＜": "<", "＞": ">", "⩽": "≤",
    "⩾": "≥", "≦": "≤", "≧": "≥", "／": "/", "⁄": "/", "∕": "/", "：": ":", "＝": "=", "＃": "#",
    "’": "'", "ʼ": "'", "＇": "'", "′": "'", "\u2007": NBSP, "\u2008": NBSP, "\u2009": NBSP,
    "\u200a": NBSP, "\u202f": NBSP, "\u205f": NBSP, "\u2002": " ", "\u2003": " ", "\u3000": " ",
    "\u2000": " ", "\u2001": " ", "\u2004": " ", "\u2005": " ", "\u2006": NBSP,
}  # fmt: skip


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


def read(text: str) -> str:
    """``text`` with every character replaced by the one it is read as; same length."""
    return text if text.isascii() else text.translate(_TABLE)
