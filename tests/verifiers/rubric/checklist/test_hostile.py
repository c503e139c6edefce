"""Whatever a response looks like, it is cut into sections, parts and words without a complaint."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.verifiers.rubric.checklist.samples import LAYOUT, SOURCE

from pae_verifiers.rubric.checklist.counted import decide
from pae_verifiers.rubric.checklist.model import Dimension
from pae_verifiers.rubric.checklist.rubric import ChecklistRubric
from pae_verifiers.rubric.checklist.sections import Response
from pae_verifiers.rubric.checklist.words import words
from pae_verifiers.rubric.load import load

RUBRIC = load(SOURCE)
assert isinstance(RUBRIC, ChecklistRubric)
FORMAT: Dimension = RUBRIC.dimensions[0]

PIECES = (
    "[VERIFICATION]",
    "[NOTE]",
    *LAYOUT.languages,
    "**English**",
    "- ",
    "  ",
    "1. ",
    "---",
    "```",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "\u2028",
    "word ",
    "運費下跌，",
    "| a | b |",
)
SOURCES = st.lists(st.sampled_from(PIECES) | st.text(max_size=9), max_size=40).map("".join)


@given(SOURCES)
def test_every_range_lies_in_its_section_and_they_follow_each_other(source: str) -> None:
    response = Response(source, LAYOUT)
    for name in LAYOUT.sections:
        for ranges in (
            response.sections.get(name, ()),
            response.judged(name),
            response.body(name),
            response.legs(name),
        ):
            ends = [0]
            for start, end in ranges:
                assert ends[-1] <= start <= end <= len(source)
                assert start == end or response.holds(name, start)
                ends.append(end)


@given(SOURCES)
def test_every_check_of_code_has_a_verdict_that_the_check_may_have(source: str) -> None:
    for check in FORMAT.checks:
        if check.by == "code":
            finding = decide(check, Response(source, LAYOUT))
            assert finding.verdict in check.verdicts
            assert finding.justification


@given(st.text(), st.text())
def test_the_words_of_two_lines_add_up(first: str, second: str) -> None:
    assert words(f"{first}\n{second}") == words(first) + words(second)
