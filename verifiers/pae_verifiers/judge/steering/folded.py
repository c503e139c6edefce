"""A document as a model may read it in spite of disguises, with the way back to its characters.

Invisible characters are dropped, full-width and other compatibility forms, look-alike letters,
HTML's character references and ``\\u`` escapes become plain, ``*`` and backquotes go.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from pae_verifiers.judge.prompts.encode import IGNORABLE

_DISGUISED = (
    r"[^\x00-\x7f]|[*`]|\\u[0-9a-fA-F]{4}"
    r"|&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|lt|gt|quot|amp|nbsp);"
)
_LETTERS = str.maketrans(
    "аеорсухіјѕһԁԛԝАВЕНІЈКМОРЅТХοαιρνκΑΒΕΗΙΚΜΝΟΡΤΧΥΖ“”„″‘’",
    'aeopcyxijshdqwABEHIJKMOPSTXoaipvkABEHIKMNOPTXYZ""""\'\'',
)


@dataclass(frozen=True)
class Folded:
    """``text``, whose character i stands for ``source[starts[i]:ends[i]]``."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    @classmethod
    def of(cls, source: str) -> Folded:
        parts: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        at = 0
        for match in _pattern().finditer(source):
            start, end = match.span()
            plain = _plain(match[0])
            parts += (source[at:start], plain)
            starts += range(at, start)
            ends += range(at + 1, start + 1)
            starts += [start] * len(plain)
            ends += [end] * len(plain)
            at = end
        parts.append(source[at:])
        starts += range(at, len(source))
        ends += range(at + 1, len(source) + 1)
        return cls("".join(parts), starts, ends)

    def start(self, at: int) -> int:
        """Where in the source a passage begins that begins at ``at`` in the text."""
        return self.starts[at]

    def end(self, until: int) -> int:
        """Where in the source a non-empty passage ends that ends at ``until`` in the text."""
        return self.ends[until - 1]


@lru_cache(maxsize=4096)
def _plain(written: str) -> str:
    if written in "*`":
        return ""
    if written[0] == "&":
        written = html.unescape(written)
    elif written[0] == "\\":
        written = chr(int(written[2:], 16))
    if _ignorable().fullmatch(written):
        return ""
    return unicodedata.normalize("NFKC", written).translate(_LETTERS)


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    return re.compile(_DISGUISED)


@lru_cache(maxsize=1)
def _ignorable() -> re.Pattern[str]:
    return re.compile(f"[{IGNORABLE}]")
