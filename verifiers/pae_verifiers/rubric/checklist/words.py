"""Words, and what is Chinese prose."""

from __future__ import annotations

import re
from html import unescape

from pae_verifiers.text import BLANKS

BULLET = re.compile(r"(?:[-*+•‣▪·]|\d{1,2}[.)])[ \t]+")

# What stands behind a fence and is more than a language's name is read like any other line.
_ORNAMENT = re.compile(r"(?:`{3,}|~{3,})[ \t]*[^\s`]*|[-*_=─—]{3,}")
_ENTITY = re.compile(r"&(?:\w{2,12}|#\w{1,8});")
_HEADING = re.compile(r"#{1,6}[ \t]+|(?:>[ \t]*)+")
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af]")
_CLAUSE = re.compile(rf"{_HAN.pattern}[，。；！？]")
_SENTENCE = re.compile(r"(?:[^。！？.!?]|[.!?](?!\s))*(?:[。！？.!?]|$)")
_LATIN = re.compile(r"[A-Za-z]")
_PROSE = 20  # Han characters without any punctuation that are more than a company's name


def words(text: str) -> int:
    """Tokens between white space, without bullets, list numbers, heading marks and rules.

    White space is what a reader sees as such: ``&nbsp;`` and the blank of Braille are some, too.
    A token with Han characters counts one word for each of them, as word processors have it, and
    one more for any letters and digits beside them.
    """
    lines = (line.strip() for line in text.splitlines())
    return sum(_token(token) for line in lines for token in _spaced(_unmarked(line)).split())


def has_chinese_prose(line: str) -> bool:
    """Whether a sentence of the line is Chinese, and does not merely name a company in Chinese.

    It is where Chinese outweighs the rest and a Han character stands before a Chinese comma,
    semicolon or full stop, or there are at least 20 Han characters.
    """
    return any(
        is_chinese(sentence)
        and (_CLAUSE.search(sentence) is not None or len(_HAN.findall(sentence)) >= _PROSE)
        for sentence in _SENTENCE.findall(line)
    )


def is_chinese(text: str) -> bool:
    """Whether Chinese outweighs the rest: a Han character weighs as much as two Latin letters."""
    return 2 * len(_HAN.findall(text)) > len(_LATIN.findall(text))


def has_han(text: str) -> bool:
    """Whether there is a Chinese character."""
    return _HAN.search(text) is not None


def is_ornament(line: str) -> bool:
    """Whether a line is a rule or the fence of a code block."""
    return _ORNAMENT.fullmatch(line.strip()) is not None


def _spaced(line: str) -> str:
    """``line`` with plain spaces where a reader sees some."""
    return _ENTITY.sub(lambda found: unescape(found[0]), line).translate(BLANKS)


def _token(token: str) -> int:
    han = len(_HAN.findall(token))
    return han + any(mark.isalnum() for mark in _HAN.sub("", token)) if han else 1


def _unmarked(line: str) -> str:
    if is_ornament(line):
        return ""
    for mark in (_HEADING, BULLET):
        line = mark.sub("", line, count=1) if mark.match(line) else line
    return line
