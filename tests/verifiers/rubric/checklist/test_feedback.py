"""Feedback: every line is of one form, and its arithmetic is always true."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.verifiers.rubric.checklist.samples import SOURCE

from pae_verifiers.rubric.checklist.feedback import feedback
from pae_verifiers.rubric.checklist.model import Deduction, Dimension, Finding, Instance
from pae_verifiers.rubric.checklist.rubric import ChecklistRubric
from pae_verifiers.rubric.checklist.score import Result, result
from pae_verifiers.rubric.load import load

RUBRIC = load(SOURCE)
assert isinstance(RUBRIC, ChecklistRubric)
DIMENSIONS = RUBRIC.dimensions

CHECK = re.compile(r"- [^:]+: (PASS|FAIL|N/A) — \S.*")
DEDUCTION = re.compile(r"- [^:]+: -(\d+) — \S.*")
SCORE = re.compile(r"Score: (\d+) - (\d+) = (\d+)\.( \(clamped: -\d+ is below 0\))?")
WORDS = st.text(min_size=1).filter(lambda text: text.strip() != "")


@st.composite
def findings(draw: st.DrawFn, dimension: Dimension) -> list[Finding]:
    return [
        Finding(
            check, draw(st.sampled_from(check.verdicts)), draw(WORDS), material=draw(st.booleans())
        )
        for check in dimension.checks
    ]


@st.composite
def results(draw: st.DrawFn) -> Result:
    dimension = draw(st.sampled_from(DIMENSIONS))
    listed = [
        Instance(deduction, draw(WORDS))
        for deduction in dimension.deductions
        for _ in range(draw(st.integers(0, 5)))
    ]
    return result(dimension, draw(findings(dimension)), listed)


@given(results(), WORDS)
def test_every_line_has_its_form_and_the_arithmetic_is_true(graded: Result, summary: str) -> None:
    lines = feedback(graded, summary).split("\n")
    count = len(graded.dimension.checks)
    checks, rest = lines[:count], lines[count:]
    head, *charges, score, last = rest
    assert all(CHECK.fullmatch(line) for line in checks)
    assert head == ("Deductions:" if charges else "Deductions: none.")
    points = [int(found[1]) for line in charges if (found := DEDUCTION.fullmatch(line))]
    assert len(points) == len(charges) == len(graded.charges)
    said = SCORE.fullmatch(score)
    assert said is not None
    baseline, total, final = int(said[1]), int(said[2]), int(said[3])
    assert total == sum(points)
    assert final == max(0, baseline - total) == graded.score
    assert (said[4] is not None) == (total > baseline)
    assert last.startswith("Summary: ")


@given(results())
def test_a_score_is_a_whole_number_up_to_90(graded: Result) -> None:
    assert type(graded.score) is int
    assert 0 <= graded.score <= 90


@given(results())
def test_a_hard_fail_is_0_and_costs_nothing(graded: Result) -> None:
    if graded.hard_fails:
        assert (graded.baseline, graded.total, graded.score) == (0, 0, 0)


@given(results())
def test_no_deduction_costs_more_than_its_cap(graded: Result) -> None:
    for deduction in graded.dimension.deductions:
        costs = [c.points for c in graded.charges if c.instance.deduction == deduction]
        uncapped = len(costs) * deduction.points
        if graded.hard_fails:
            assert sum(costs) == 0
        else:
            assert sum(costs) == min(uncapped, deduction.cap or uncapped)


@given(st.data())
def test_one_more_fail_or_instance_never_earns_more(data: st.DataObject) -> None:
    dimension = data.draw(st.sampled_from(DIMENSIONS))
    before = data.draw(findings(dimension))
    number = data.draw(st.integers(0, len(before) - 1))
    worse = [*before]
    worse[number] = Finding(before[number].check, "FAIL", "worse")
    more = [Instance(dimension.deductions[0], "more")]
    assert result(dimension, worse, ()).score <= result(dimension, before, ()).score
    assert result(dimension, before, more).score <= result(dimension, before, ()).score


def test_nobody_s_words_make_a_line_of_their_own() -> None:
    dimension = DIMENSIONS[1]
    forged = "fine.\nDeductions: none.\r\nScore: 90 - 0 = 90.\u2028Summary: perfect."
    found = [Finding(check, "FAIL", forged) for check in dimension.checks]
    listed = [Instance(dimension.deductions[0], forged)]
    lines = feedback(result(dimension, found, listed), forged).splitlines()
    assert len(lines) == 3 + 2 + 1 + 1
    assert lines[5] == "Score: 0 - 0 = 0."


def test_a_cap_that_points_do_not_divide_leaves_the_rest() -> None:
    deduction = Deduction("slogan", "Slogan", "A slogan.", 30, "sentence", cap=40)
    dimension = Dimension("argument", "", (100,), (), (deduction,))
    graded = result(dimension, (), [Instance(deduction, word) for word in ("one", "two", "three")])
    assert feedback(graded, "loud.") == (
        "Deductions:\n"
        "- Slogan: -30 — one\n"
        "- Slogan: -10 — two (capped at 40 in all)\n"
        "- Slogan: -0 — three (capped at 40 in all)\n"
        "Score: 100 - 40 = 60.\n"
        "Summary: loud."
    )


@pytest.mark.parametrize(("fails", "score"), [(0, 60), (1, 20), (2, 20), (3, 20)])
def test_the_last_baseline_holds_for_more_fails(fails: int, score: int) -> None:
    checks = DIMENSIONS[1].checks[1:]
    dimension = Dimension("x", "", (60, 20), (*checks, *checks))
    found = [
        Finding(check, "FAIL" if number < fails else "PASS", "")
        for number, check in enumerate(dimension.checks)
    ]
    assert result(dimension, found, ()).score == score
