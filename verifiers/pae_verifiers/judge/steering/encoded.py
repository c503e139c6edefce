"""Passages in base64 or hexadecimal digits that would steer once they are decoded."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator

from pae_verifiers.judge.steering import wording
from pae_verifiers.judge.steering.folded import Folded

_RUN = r"[A-Za-z0-9+/_-]{24,}={0,2}(?:\r?\n[A-Za-z0-9+/_-]{4,}={0,2})*"


def passages(source: str) -> Iterator[tuple[int, int]]:
    """Where they stand in the source."""
    for run in re.finditer(_RUN, source):
        for decode in (_base64, _hex):
            text = decode("".join(run[0].split()))
            if text and any(wording.signs(Folded.of(text).text)):
                yield run.span()
                break


def _base64(digits: str) -> str:
    """What the digits say, as far as they say anything; a lone last one holds too few bits."""
    plain = digits.replace("=", "").translate(str.maketrans("-_", "+/"))
    whole = plain[: len(plain) - (len(plain) % 4 == 1)]
    return base64.b64decode(whole + "=" * (-len(whole) % 4)).decode("utf-8", "ignore")


def _hex(digits: str) -> str:
    try:
        return bytes.fromhex(digits).decode("utf-8", "ignore")
    except ValueError:
        return ""
