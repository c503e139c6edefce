"""A sign that a passage means to steer a judge."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pae_verifiers.judge.steering import Kind


class Sign(NamedTuple):
    """A regular expression, in which a space stands for white space and the case for either case.

    Text that matches has one of ``needs`` in it, in lower case: without, the expression is never
    compiled. A match that has ``unless`` within 80 characters is none; one that has no ``beside``
    within 300 is none; and one of ``prose`` is none in a document that is JSON itself.
    """

    kind: Kind
    needs: str
    pattern: str
    unless: str = ""
    beside: str = ""
    prose: bool = False


@lru_cache(maxsize=128)
def compiled(pattern: str) -> re.Pattern[str]:
    spaced = pattern.replace(" ?", r"\s{0,9}").replace(" ", r"\s{1,9}")
    return re.compile(spaced, re.IGNORECASE | re.MULTILINE)
