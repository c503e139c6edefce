"""A task whose rubric is of another kind than items: what ``pae check`` accepts and says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pae_harness import run_trial
from pae_harness.errors import UsageError
from pae_harness.main import main
from pae_harness.tasks import load

TASK, ORACLE = "tasks/sample-note", "oracles/sample-note"

LIKERT = """\
kind: likert
threshold: 4
dimensions:
  - id: clarity
    text: Is the note clear?
    anchors:
      5: {text: Every sentence is understood at once.}
      3: {text: Some sentences need a second reading.}
      1: {text: It cannot be followed.}
"""

POINTS = """\
kind: points
inputs:
  - {name: NOTE, from: candidate, text: the note}
dimensions:
  - id: reason
    text: Does the note give the reason for the trade?
    max: 2
    anchors: {2: {text: In full.}, 1: {text: In part.}, 0: {text: "No."}}
flags:
  - {id: market_forecast, text: It says where markets head., caps: {reason: 1}}
"""


@pytest.fixture
def likert(sample: Any) -> Any:
    """The sample task with a rubric of the kind likert."""
    sample.write("tests/rubric.yaml", LIKERT).remove("tests/rules.py")
    return sample.edit("oracle:traps.toml", 'item = "market_forecast"', 'item = "clarity"')


@pytest.fixture
def points(sample: Any) -> Any:
    """The sample task with a rubric of the kind points."""
    return sample.write("tests/rubric.yaml", POINTS).remove("tests/rules.py")


def test_no_kind_but_items_needs_rules(likert: Any) -> None:
    assert likert.problems() == []
    assert load(likert.task).rubric_kind == "likert"


def test_a_trap_may_expect_a_flag_to_be_raised(points: Any) -> None:
    assert points.problems() == []
    points.edit("oracle:traps.toml", 'item = "market_forecast"', 'item = "market_forcast"')
    assert points.problems() == [
        f"{ORACLE}/traps.toml:11: the item 'market_forcast' is not in the rubric; "
        "did you mean 'market_forecast'?"
    ]


def test_rules_that_nobody_asks(likert: Any) -> None:
    likert.write("tests/rules.py", "")
    assert likert.problems() == [
        f"{TASK}/tests/rules.py: rules decide rubrics of the kind 'items', and this task's is of "
        "the kind 'likert': remove the file"
    ]


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("kind: likert", "kind: lickert", "1: kind must be 'items', 'checklist', 'likert' or "
         "'points', not 'lickert'; did you mean 'likert'?"),
        ("kind: likert\n", "", "1: the key 'kind' is missing at the top level"),
        ("threshold: 4", "treshold: 4", "2: unknown key 'treshold' at the top level; did you mean "
         "'threshold'?"),
        ("threshold: 4", "threshold: 7", "2: threshold must be at most 5, not 7"),
        ("threshold: 4", "threshold: 1", "2: threshold must be at least 2, not 1"),
        ("threshold: 4", "threshold: high", "2: threshold must be an integer, not 'high'"),
        ("threshold: 4", "candidate_format: jsn", "2: candidate_format must be 'text' or 'json', "
         "not 'jsn'; did you mean 'json'?"),
        ("threshold: 4", "weight: 1", "2: unknown key 'weight' at the top level; known: about, "
         "candidate_format, dimensions, inputs, kind, threshold"),
        ("id: clarity", "id: Clarity", "4: dimensions[0].id must be a lower-case Python "
         "identifier, not 'Clarity'"),
        ("id: clarity", "ident: clarity", "4: unknown key 'ident' in dimensions[0]; did you mean "
         "'id'?"),
        ("    text: Is the note clear?\n", "", "4: the key 'text' is missing in dimensions[0]"),
        ("      3: {text: Some sentences need a second reading.}\n", "",
         "6: the key '3' is missing in dimensions[0].anchors"),
        ("3: {text: Some sent", "4: {text: Some sent", "6: the key '3' is missing in "
         "dimensions[0].anchors"),
        ("{text: It cannot be followed.}", "{txt: It cannot be followed.}", "9: unknown key 'txt' "
         "in dimensions[0].anchors.1; did you mean 'text'?"),
        ("{text: It cannot be followed.}", "no", "9: dimensions[0].anchors.1 must be a table, not "
         "false"),
        ("id: clarity", "id: class", "4: the id 'class' is not a lower-case Python identifier"),
        ("threshold: 4", "inputs: [{name: A, from: context, text: a}, {name: A, from: context, "
         "text: b}]", "2: the input 'A' stands twice"),
        ("threshold: 4", "inputs: [{name: A, from: contxt, text: a}]", "2: inputs[0].from must be "
         "'candidate', 'context' or 'reference', not 'contxt'; did you mean 'context'?"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_likert_rubric(likert: Any, old: str, new: str, sentence: str) -> None:
    problems = likert.edit("tests/rubric.yaml", old, new).problems()
    assert f"{TASK}/tests/rubric.yaml:{sentence}" in problems


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("kind: points", "kind: point", "1: kind must be 'items', 'checklist', 'likert' or "
         "'points', not 'point'; did you mean 'points'?"),
        ("max: 2", "maximum: 2", "7: unknown key 'maximum' in dimensions[0]; did you mean 'max'?"),
        ("max: 2", "max: 0", "7: dimensions[0].max must be at least 1, not 0"),
        ("max: 2", "max: 3", "8: the key '3' is missing"),
        ("max: 2", "max: 1", "8: unknown key '2' (known: 1, 0)"),
        ("{2: {text", "{two: {text", "8: the key 'two' in dimensions[0].anchors must be a whole "
         "number of points"),
        ("caps: {reason: 1}", "caps: {reasons: 1}", "10: unknown key 'reasons'; did you mean "
         "'reason'?"),
        ("caps: {reason: 1}", "caps: {reason: 2}", "10: a cap on reason is from 0 to 1 points, "
         "not 2"),
        ("caps: {reason: 1}", "caps: {reason: -1}", "10: flags[0].caps.reason must be at least 0, "
         "not -1"),
        ("caps: {reason: 1}", "caps: {}", "10: flags[0].caps must not be empty"),
        ("caps: {reason: 1}", "cap: {reason: 1}", "10: unknown key 'cap' in flags[0]; did you "
         "mean 'caps'?"),
        ("id: market_forecast,", "id: reason,", "10: the id 'reason' occurs twice"),
        ("flags:", "flag:", "9: unknown key 'flag' at the top level; did you mean 'flags'?"),
        ("from: candidate", "form: candidate", "3: unknown key 'form' in inputs[0]; did you mean "
         "'from'?"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_points_rubric(points: Any, old: str, new: str, sentence: str) -> None:
    problems = points.edit("tests/rubric.yaml", old, new).problems()
    assert f"{TASK}/tests/rubric.yaml:{sentence}" in problems


def test_one_fault_is_one_sentence(points: Any) -> None:
    points.edit("tests/rubric.yaml", "max: 2", "max: 3")
    assert points.problems() == [f"{TASK}/tests/rubric.yaml:8: the key '3' is missing"]


def test_what_a_task_cannot_give_its_judge(points: Any) -> None:
    points.edit("tests/rubric.yaml", "from: candidate", "from: context")
    assert points.problems() == [
        f"{TASK}/tests/rubric.yaml:3: the input 'NOTE' is to come from a context, which a task has "
        "not: put it into tests/reference.json, or judge with 'pae judge --context'"
    ]


def test_a_reference_that_is_not_there(points: Any) -> None:
    points.edit("tests/rubric.yaml", "from: candidate", "from: reference")
    assert points.problems() == [
        f"{TASK}/tests/rubric.yaml:3: the input 'NOTE' is the reference, and there is no "
        "tests/reference.*"
    ]
    assert points.write("tests/reference.md", "What a good note says.\n").problems() == []


REFUSAL = (
    "task sample-note has a rubric of the kind 'likert', which the rules judge cannot answer; "
    "ask a model (--judge MODEL@PROVIDER)"
)


def test_rules_are_refused_before_anything_runs(
    likert: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(likert.root)
    for verb in (["run", "-a", "nop"], ["validate"]):
        assert main([*verb, "sample-note", "--judge", "rules", "--sandbox", "local"]) == 2
        assert capsys.readouterr().err == f"pae: {REFUSAL}\n"
    assert not Path(likert.root, "runs").exists()


def test_rules_are_refused_from_python_too(likert: Any) -> None:
    with pytest.raises(UsageError) as caught:
        run_trial(likert.task, 1, "nop", sandbox="local")
    assert str(caught.value) == REFUSAL


def test_such_a_task_can_be_checked_and_listed(
    likert: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(likert.root)
    assert main(["check"]) == 0
    assert capsys.readouterr().out == "1 task checked, nothing wrong\n"
