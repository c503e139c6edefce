"""The rubric kind ``items``: required, optional and disallowed items."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import Any

from pae_verifiers.judge import machine
from pae_verifiers.judge.candidate import Candidate
from pae_verifiers.judge.evidence import evidence_faults, located
from pae_verifiers.rubric.item import Finding, Item, Role
from pae_verifiers.rubric.model import Case, Grade
from pae_verifiers.rubric.reply import BOOLEAN, EVIDENCE, TEXT, closed, in_order

_NOT_ASKED = "No judge was asked: the rubric comes to 0 whatever the answer."


@dataclass(frozen=True)
class ItemsRubric:
    """Items, of which the required ones' weights sum to 1.

    ``all_required`` is a strict gate: the metric is 0 unless every required item passes.
    """

    items: tuple[Item, ...]
    all_required: bool = False
    kind: str = "items"

    @cached_property
    def asked(self) -> tuple[Item, ...]:
        """The items that a judge decides."""
        return tuple(item for item in self.items if item.by == "judge")

    @property
    def size(self) -> int:
        return len(self.asked)

    @property
    def files(self) -> frozenset[str]:
        return machine.wanted_files(self.items)

    def described(self) -> list[dict[str, str]]:
        return [_described(item) for item in self.asked]

    def reply_schema(self) -> Mapping[str, Any]:
        """``{"criteria": [{rubricId, passed, rationale, evidence}]}``, item by item."""
        answers = [
            closed(
                {
                    "rubricId": {"const": item.id},
                    "passed": BOOLEAN,
                    "rationale": TEXT,
                    "evidence": EVIDENCE,
                }
            )
            for item in self.asked
        ]
        return closed({"criteria": in_order(answers)})

    def faults(self, reply: Mapping[str, Any], case: Case) -> tuple[str, ...]:
        ids = [item.id for item in self.asked]
        answered = [answer["rubricId"] for answer in reply.get("criteria", ())]
        if answered != ids:
            return (f"the answers are to {answered}, not to {ids}",)
        found: list[str] = []
        for item, answer in zip(self.asked, reply["criteria"], strict=True):
            wanted = item.wants_evidence(answer["passed"])
            shown = evidence_faults(answer["evidence"], case.candidate.source, wanted=wanted)
            found += [f"{item.id}: {fault}" for fault in shown]
        return tuple(found)

    def before(self, case: Case) -> Grade | None:
        """Nothing to judge, or a zero that code has found: nobody gets out of it by a judge."""
        if not case.candidate.text.strip():
            return Grade(None, "not_evaluable", "the document is empty")
        counted = self._counted(case)
        best = {item.id: True for item in self.items}
        best |= {name: finding.passed for name, finding in counted.items()}
        if self.metric(best) > 0:
            return None
        answers = [
            answer_of(item, Finding(item.role == "disallowed", _NOT_ASKED)) for item in self.asked
        ]
        return self.grade({"criteria": answers}, case)

    def _counted(self, case: Case) -> dict[str, Finding]:
        """What code finds."""
        return {
            item.id: machine.decide(item, case.candidate, case.present)
            for item in self.items
            if item.by == "code"
        }

    def grade(self, reply: Mapping[str, Any], case: Case) -> Grade:
        answers = {answer["rubricId"]: answer for answer in reply.get("criteria", ())}
        findings = self._counted(case) | {
            item.id: _seen(item, finding_of(answers[item.id]), case.candidate)
            for item in self.asked
        }
        passed = {name: finding.passed for name, finding in findings.items()}
        source = case.candidate.source
        return Grade(
            self.metric(passed),
            details={
                "required": float(self.gained(passed)),
                "left_by_penalties": float(self.left(passed)),
                "optional": self._optional(passed),
                "items": [_detail(item, findings[item.id], source) for item in self.items],
            },
        )

    def metric(self, passed: Mapping[str, bool]) -> Fraction:
        """The weight of the required items passed × ∏ (1 − penalty) over those triggered.

        ``passed`` has one answer per item id; optional items do not count.
        """
        gained = self.gained(passed)
        if self.all_required and gained != 1:
            return Fraction(0)
        return gained * self.left(passed)

    def gained(self, passed: Mapping[str, bool]) -> Fraction:
        """The weight of the required items passed."""
        return sum(
            (item.weight for item in self._of("required") if passed[item.id]),
            Fraction(0),
        )

    def left(self, passed: Mapping[str, bool]) -> Fraction:
        """What the penalties of the triggered items leave, as a factor."""
        triggered = (item for item in self._of("disallowed") if not passed[item.id])
        return prod((1 - item.penalty for item in triggered), start=Fraction(1))

    def _optional(self, passed: Mapping[str, bool]) -> dict[str, int]:
        answers = [passed[item.id] for item in self._of("optional")]
        return {"passed": sum(answers), "of": len(answers)}

    def _of(self, role: Role) -> list[Item]:
        return [item for item in self.items if item.role == role]


def _described(item: Item) -> dict[str, str]:
    told = {"rubricId": item.id, "role": item.role, "criterion": item.text}
    return told if item.evidence == "required" else {**told, "evidence": item.evidence}


def answer_of(item: Item, finding: Finding) -> dict[str, Any]:
    """A finding as a reply gives it."""
    return {
        "rubricId": item.id,
        "passed": finding.passed,
        "rationale": finding.rationale,
        "evidence": list(finding.evidence),
    }


def finding_of(answer: Mapping[str, Any]) -> Finding:
    """What one answer of a reply says."""
    return Finding(answer["passed"], answer["rationale"], tuple(answer["evidence"]))


def _seen(item: Item, finding: Finding, candidate: Candidate) -> Finding:
    """The finding; what only stands where no reader sees it earns nothing, and still costs."""
    hidden = next((text for text in finding.evidence if not candidate.shows(text)), None)
    if hidden is None or not finding.passed or item.role == "disallowed":
        return finding
    why = f"{finding.rationale} (not counted: no reader sees {hidden[:80]!r})"
    return replace(finding, passed=False, rationale=why)


def _detail(item: Item, finding: Finding, source: str) -> dict[str, Any]:
    return {
        "id": item.id,
        "role": item.role,
        "passed": finding.passed,
        "rationale": finding.rationale,
        "evidence": located(finding.evidence, source),
        "by": item.by,
    }
