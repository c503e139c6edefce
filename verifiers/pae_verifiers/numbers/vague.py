"""Vague amounts in words, which say nothing that a source could confirm."""

from __future__ import annotations

import re

from pae_verifiers.numbers import chinese
from pae_verifiers.numbers.starts import Starts, matches

_VAGUE = re.compile(
    r"(?<![\w-])(?:(?:high|mid|low)[- ](?:single|double|triple)[- ]digits?|(?:single|double|"
    r"triple)[- ]digits?|"
    r"(?:low|mid|high|mid-to-high|low-to-mid)[- ](?:teens|twenties|thirties|forties|fifties|"
    r"sixties|seventies|"
    r"eighties|nineties)|halv(?:ed|es|ing)|doubl(?:ed|es|ing)|tripl(?:ed|es|ing)|trebl(?:ed|es|"
    r"ing)|"
    r"quadrupl(?:ed|es|ing)|(?:two|three|four|five|six|seven|eight|nine|ten|twelve|"
    r"fifteen|twenty|thirty|forty|fifty|hundred|thousand)[\s-]?fold|manifold|"
    r"(?:twice|thrice|double|triple|treble|quadruple)(?=\s(?:the|its|their|your|our|his|that|what|"
    r"those|last|as\s(?:much|many|high|large|big))\b)|every\s(?:second|other|third|fourth|fifth|"
    r"tenth)\s(?:dollar|euro|pound|penny|cent|franc)|scores\sof|(?:a|two|three|four)\s?score|a\shandful(?:\sof)?|"
    r"a\scouple(?:\sof)?|"
    r"(?:several|many|a\sfew)\s(?:hundred|thousand|million|billion|percent|percentage|basis|"
    r"dozen)|dozens(?:\sof)?|"
    r"hundreds\sof|thousands\sof|millions\sof|billions\sof|tens\sof\s(?:thousands|millions)|"
    r"(?:four|five|six|seven|eight)[- ]figures?|a\sfraction\sof|the\slion's\sshare|"
    r"(?:the\s)?vast\smajority|"
    r"(?:a\s)?majority\sof|(?:a\s)?minority\sof|the\sbulk\sof|a\smultiple\sof|"
    r"an\sorder\sof\smagnitude)(?![\w])",
    re.IGNORECASE,
)

_FIRST_WORDS = """
high mid low single double triple halve halved halves halving doubled doubles doubling tripled
triples tripling trebled trebles trebling quadruple quadrupled quadruples quadrupling two three four
five six seven eight nine ten twelve fifteen twenty thirty forty fifty hundred thousand twofold
threefold fourfold fivefold sixfold sevenfold eightfold ninefold tenfold twelvefold fifteenfold
twentyfold thirtyfold fortyfold fiftyfold hundredfold thousandfold manifold twice thrice treble
every scores several many dozens hundreds thousands millions billions tens vast majority minority
twoscore threescore fourscore ascore
"""
# With the article before them, which is too common to begin a search with.
_SECOND_WORDS = "handful couple few score fraction lion bulk multiple order"
WORDS = frozenset([*_FIRST_WORDS.split(), *_SECOND_WORDS.split()])
_ARTICLES = frozenset({"a", "an", "the"})


def find(text: str, places: Starts) -> list[tuple[int, int]]:
    """The span of each vague amount in ``text``, in order."""
    beginnings = places.at_phrases(WORDS, _ARTICLES)
    spans = [match.span() for match in matches(_VAGUE, text, beginnings)]
    if places.chinese:
        spans.extend(match.span() for match in chinese.words.vague().finditer(text))
        spans.sort()
    return spans
