"""The arithmetic of a checklist: whole numbers, each of which the feedback shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pae_verifiers.rubric.checklist.model import Dimension, Finding, Instance

Reduced = Literal["", "capped", "hard_fail"]


@dataclass(frozen=True)
class Charge:
    """The points that one instance costs, and why they are fewer than the deduction says."""

    instance: Instance
    points: int
    reduced: Reduced = ""


@dataclass(frozen=True)
class Result:
    """One dimension's score, ``max(0, baseline - total)``, and what it is made of."""

    dimension: Dimension
    findings: tuple[Finding, ...]
    charges: tuple[Charge, ...]
    baseline: int

    @property
    def hard_fails(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.is_hard_fail)

    @property
    def total(self) -> int:
        return sum(charge.points for charge in self.charges)

    @property
    def score(self) -> int:
        return max(0, self.baseline - self.total)

    @property
    def is_clamped(self) -> bool:
        return self.total > self.baseline


def result(
    dimension: Dimension, findings: Sequence[Finding], instances: Sequence[Instance]
) -> Result:
    """The score of one answer per check and of any number of instances, in the rubric's order.

    A hard fail comes first: the baseline is then 0 and nothing is deducted.
    """
    if any(finding.is_hard_fail for finding in findings):
        charges = tuple(Charge(instance, 0, "hard_fail") for instance in instances)
        return Result(dimension, tuple(findings), charges, 0)
    failed = sum(finding.verdict == "FAIL" for finding in findings)
    baseline = dimension.baselines[min(failed, len(dimension.baselines) - 1)]
    return Result(dimension, tuple(findings), _charges(instances), baseline)


def _charges(instances: Sequence[Instance]) -> tuple[Charge, ...]:
    spent: Counter[str] = Counter()
    charges = []
    for instance in instances:
        deduction = instance.deduction
        points = deduction.points
        if deduction.cap is not None:
            points = min(points, deduction.cap - spent[deduction.id])
        spent[deduction.id] += points
        charges.append(Charge(instance, points, "capped" if points < deduction.points else ""))
    return tuple(charges)
