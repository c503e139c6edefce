"""Text that no human reader sees, where it is there for a judge or for nobody."""

from __future__ import annotations

import re
from collections.abc import Iterator

_TAGS = "\U0001f3f4[\U000e0020-\U000e007e]{1,8}\U000e007f|([\U000e0000-\U000e007f]+)"
_ZERO_WIDTH = "[\u200b-\u200d\u2060-\u2064\u180e\ufeff]{4,}"
_SELECTORS = "[\ufe00-\ufe0f\U000e0100-\U000e01ef]{3,}"
_OVERRIDE = "[\u202d\u202e][^\u202c\n]{0,200}"
_FORCED = "[\u202b\u2067][^\u202c\u2069\n]{0,200}"
_RIGHT_TO_LEFT = "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]"
_INVISIBLE_STYLE = (
    r"style\s{0,3}=\s{0,3}[\"'][^\"'<>]{0,200}?"
    r"(?:display\s{0,3}:\s{0,3}none|visibility\s{0,3}:\s{0,3}hidden|opacity\s{0,3}:\s{0,3}0(?![.\d])"
    r"|font-size\s{0,3}:\s{0,3}0(?![.\d]))[^\"'<>]{0,200}[\"'][^<]{0,200}"
)
_FOR_A_JUDGE = (
    r"(?i)\b(?:rubric|graders?|grading|judges?|evaluators?|verifiers?|full marks|llms?|assistant"
    r"|language model)\b|\bai\s?:|评分|評分|评审|評審|裁判|满分|滿分|大模型|语言模型|語言模型"
)


def passages(source: str) -> Iterator[tuple[int, int]]:
    """Where they stand in the source."""
    if not source.isascii():
        yield from _characters(source)
    for match in re.finditer(_INVISIBLE_STYLE, source) if "style" in source else ():
        yield match.span()
    for start, end in _comments(source):
        if re.search(_FOR_A_JUDGE, source[start:end]):
            yield start, end


def _characters(source: str) -> Iterator[tuple[int, int]]:
    for match in re.finditer(_TAGS, source):
        if match[1]:  # the flags of England, Scotland and Wales are made of such characters too
            yield match.span()
    patterns = [_ZERO_WIDTH, _SELECTORS, _OVERRIDE]
    if not re.search(_RIGHT_TO_LEFT, source):
        patterns.append(_FORCED)
    for pattern in patterns:
        for match in re.finditer(pattern, source):
            yield match.span()


def _comments(source: str) -> Iterator[tuple[int, int]]:
    """HTML comments, and link definitions that are used as comments: ``[//]: # (...)``."""
    at = source.find("<!--")
    while at >= 0:
        until = source.find("-->", at + 4)
        until = until + 3 if until >= 0 else len(source)
        yield at, until
        at = source.find("<!--", until)
    if "]: #" in source:
        for match in re.finditer(r"(?m)^ {0,3}\[[^\]\n]{0,40}\]: #[^\n]*", source):
            yield match.span()
