"""The rules judge: a task's own functions, and what is said when one is at fault."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from pae_verifiers.errors import RubricError, VerifierInputError
from pae_verifiers.judge.candidate import Candidate
from pae_verifiers.judge.rules import load
from pae_verifiers.judge.select import select
from pae_verifiers.numbers.markdown import render
from pae_verifiers.rubric.item import Finding, Item
from pae_verifiers.rubric.items import ItemsRubric, finding_of
from pae_verifiers.rubric.model import Case

WHY = Item("says_why", "required", "It says why.", weight=Fraction(1))
HEAD = """\
from __future__ import annotations
from dataclasses import dataclass
from pae_verifiers.judge.rules import Candidate, Finding

@dataclass(frozen=True)
class Sign:
    word: str
"""


def judge_with(tmp_path: Path, body: str, item: Item = WHY) -> Finding:
    (tmp_path / "rules.py").write_text(f"{HEAD}\ndef says_why(candidate, facts):\n    {body}\n")
    candidate = Candidate(render("We sold *because* it drifted.\n"))
    judgement = load(tmp_path / "rules.py").judge(
        ItemsRubric((item,)), Case(candidate, {"cost_usd": 5})
    )
    return finding_of(judgement.reply["criteria"][0])


def test_a_rule_sees_candidate_and_facts(tmp_path: Path) -> None:
    body = "return Finding(facts['cost_usd'] == 5, candidate.text, ('*because* it',))"
    assert judge_with(tmp_path, body) == Finding(
        True, "We sold because it drifted.", ("*because* it",)
    )


def test_rules_leave_nothing_behind_in_the_task_s_folder(tmp_path: Path) -> None:
    judge_with(tmp_path, "return Finding(False, '', ())")
    assert [path.name for path in tmp_path.iterdir()] == ["rules.py"]


def test_an_item_met_by_absence_needs_no_evidence(tmp_path: Path) -> None:
    item = Item("says_why", "required", "", weight=Fraction(1), evidence="optional")
    assert judge_with(tmp_path, "return Finding(True, 'no jargon', ())", item).passed


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("return 1 / 0", "rules.py: says_why raised ZeroDivisionError: division by zero"),
        ("return Finding(True, '', ('because it',))",
         "rules.py: says_why: passed=True: evidence 'because it' does not stand in the document"),
        ("return Finding(True, '', ('',))", "rules.py: says_why: passed=True: evidence ''"),
        ("return Finding(True, '', 5)", "rules.py: says_why returned"),
        ("return Finding(True, '', ())", "rules.py: says_why: passed=True: this answer needs "
         "evidence, an exact excerpt of the document"),
        ("return True", "rules.py: says_why returned True, not a Finding"),
        ("return Finding(1, '', ())", "rules.py: says_why returned Finding(passed=1"),
        ("return Finding(True, None, ('sold',))", "rules.py: says_why returned Finding("),
    ],
)  # fmt: skip
def test_a_rule_s_fault_names_file_and_function(tmp_path: Path, body: str, message: str) -> None:
    with pytest.raises(RubricError) as caught:
        judge_with(tmp_path, body)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("what", [RecursionError, MemoryError])
def test_a_document_that_exhausts_a_rule_is_not_the_task_s_fault(
    tmp_path: Path, what: type[Exception]
) -> None:
    """The verifier's own bounds make of it a document that cannot be evaluated."""
    with pytest.raises(what):
        judge_with(tmp_path, f"raise {what.__name__}")


def test_a_triggered_disallowed_item_needs_evidence(tmp_path: Path) -> None:
    item = Item("says_why", "disallowed", "", penalty=Fraction(1, 2))
    with pytest.raises(RubricError, match="passed=False: this answer needs evidence"):
        judge_with(tmp_path, "return Finding(False, 'a forecast', ())", item)


def test_evidence_that_is_one_string_is_no_list_of_letters(tmp_path: Path) -> None:
    with pytest.raises(RubricError, match="says_why returned"):
        judge_with(tmp_path, "return Finding(True, '', 'because')")


def test_an_item_without_a_function_is_named(tmp_path: Path) -> None:
    (tmp_path / "rules.py").write_text("says_why = 5\n")
    with pytest.raises(RubricError) as caught:
        load(tmp_path / "rules.py").judge(ItemsRubric((WHY,)), Case(Candidate(render("x"))))
    assert str(caught.value) == "rules.py: there is no function says_why(candidate, facts)"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def f(:\n", "rules.py raised SyntaxError: "),
        ("import no_such_module\n", "rules.py raised ModuleNotFoundError: "),
    ],
)
def test_rules_that_cannot_be_imported_are_refused(
    tmp_path: Path, source: str, message: str
) -> None:
    (tmp_path / "rules.py").write_text(source)
    with pytest.raises(RubricError) as caught:
        load(tmp_path / "rules.py")
    assert str(caught.value).startswith(message)


def test_missing_rules_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RubricError, match=r"^rules\.py: cannot be read"):
        select("rules", tmp_path, ItemsRubric((WHY,)))


def test_an_unknown_judge_is_refused(tmp_path: Path) -> None:
    with pytest.raises(VerifierInputError, match="there is no judge 'oracle'; there is: rules"):
        select("oracle", tmp_path, ItemsRubric((WHY,)))
