"""The rules judge: the task's own ``rules.py``, one function per judged item.

Deterministic and without a network: a stand-in for development and CI, and marked as such.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, TypeGuard

from pae_verifiers.errors import RubricError
from pae_verifiers.judge.candidate import Candidate
from pae_verifiers.judge.evidence import evidence_faults
from pae_verifiers.judge.protocol import Judgement
from pae_verifiers.rubric.item import Finding, Item
from pae_verifiers.rubric.items import ItemsRubric, answer_of
from pae_verifiers.rubric.model import Case, Rubric

__all__ = ["Candidate", "Finding", "RulesJudge", "load"]


@dataclass(frozen=True)
class RulesJudge:
    """Runs the functions of one ``rules.py``; ``file`` is how messages name it."""

    file: str
    rules: Mapping[str, object]
    name: str = "rules"

    def judge(self, rubric: Rubric, case: Case) -> Judgement:
        """Raises RubricError, naming file and function, where a rule is missing or fails."""
        answers = [
            answer_of(item, self._run(item, case.candidate, case.facts)) for item in asked(rubric)
        ]
        return Judgement({"criteria": answers})

    def rule(self, item: Item) -> Callable[..., object]:
        """The function for ``item``. Raises RubricError if there is none."""
        rule = self.rules.get(item.id)
        if not callable(rule):
            raise RubricError(f"{self.file}: there is no function {item.id}(candidate, facts)")
        return rule

    def _run(self, item: Item, candidate: Candidate, facts: Mapping[str, Any]) -> Finding:
        rule = self.rule(item)
        with _task_code(f"{self.file}: {item.id}"):
            finding = rule(candidate, facts)
        if not _is_finding(finding):
            raise RubricError(
                f"{self.file}: {item.id} returned {finding!r:.80}, not a Finding(passed: bool, "
                "rationale: str, evidence: tuple of str)"
            )
        wanted = item.wants_evidence(finding.passed)
        for fault in evidence_faults(finding.evidence, candidate.source, wanted=wanted):
            raise RubricError(f"{self.file}: {item.id}: passed={finding.passed}: {fault}")
        return finding


def asked(rubric: Rubric) -> tuple[Item, ...]:
    """The items that rules can decide. Raises RubricError for a rubric of another kind."""
    if not isinstance(rubric, ItemsRubric):
        raise RubricError(
            f"the rules judge answers rubrics of the kind 'items', not '{rubric.kind}': "
            "ask a model (--judge MODEL@PROVIDER)"
        )
    return rubric.asked


def _is_finding(answer: object) -> TypeGuard[Finding]:
    if not isinstance(answer, Finding):
        return False
    values: tuple[object, ...] = (answer.passed, answer.rationale, answer.evidence)
    return all(map(isinstance, values, (bool, str, tuple)))


def load(path: Path, items: tuple[Item, ...] = ()) -> RulesJudge:
    """The judge that the file at ``path`` defines.

    Raises RubricError if it cannot be imported or lacks the function of one of ``items``.
    """
    try:
        source = path.read_bytes()
    except OSError as error:
        raise RubricError(f"{path.name}: cannot be read: {error.strerror}") from error
    # Not through the import system, which would leave a __pycache__ in the task's folder.
    module = ModuleType(f"pae_task_rules:{path}")
    sys.modules[module.__name__] = module  # dataclasses look their module up there
    with _task_code(path.name):
        exec(compile(source, str(path), "exec"), module.__dict__)
    judge = RulesJudge(path.name, vars(module))
    for item in items:
        judge.rule(item)
    return judge


@contextmanager
def _task_code(what: str) -> Iterator[None]:
    """The boundary to a task's own code: whatever it raises is the task's fault, and says so.

    But for memory and depth, with which a document would get itself an unscored trial.
    """
    try:
        yield
    except (MemoryError, RecursionError):
        raise
    except Exception as error:
        raise RubricError(f"{what} raised {type(error).__name__}: {error}") from error
