"""Put a rubric to a document: code decides its items, the judge the others, code the metric."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from pae_verifiers.judge import machine
from pae_verifiers.judge.candidate import Candidate
from pae_verifiers.judge.evidence import Quote, locate
from pae_verifiers.judge.protocol import Finding, Judge, Judgement, Status
from pae_verifiers.rubric.model import Item, Rubric


class GradedItem(NamedTuple):
    """One item with its answer, and where the document shows it."""

    item: Item
    finding: Finding
    quotes: tuple[Quote, ...]


@dataclass(frozen=True)
class Grade:
    """A rubric's outcome. ``score`` in [0, 1] is None unless ``status`` is ``scored``."""

    judge: str
    score: Fraction | None
    items: tuple[GradedItem, ...] = ()
    status: Status = "scored"
    reason: str = ""


def grade(
    rubric: Rubric,
    judge: Judge | None,
    candidate: Candidate,
    facts: Mapping[str, Any],
    present: AbstractSet[str] = frozenset(),
) -> Grade:
    """Grade ``candidate``; ``judge`` may be None for a rubric that code decides alone.

    ``present`` are the paths of the outputs that are there. Raises ValueError for a judge that is
    missing or leaves an item open, VerifierInputError where the task's files are at fault.
    """
    asked = judged_items(rubric)
    judgement = Judgement()
    if asked:
        if judge is None:
            raise ValueError("this rubric has items for a judge, and there is none")
        judgement = judge.judge(asked, candidate, facts)
    name = judge.name if judge else "code"
    if judgement.status != "scored":
        return Grade(name, None, status=judgement.status, reason=judgement.reason)
    graded = []
    for item in rubric.items:
        if item.by == "code":
            finding = machine.decide(item, candidate, present)
        elif item.id in judgement.findings:
            finding = judgement.findings[item.id]
        else:
            raise ValueError(f"the judge {name!r} left the item {item.id!r} open")
        graded.append(GradedItem(item, finding, locate(finding.evidence, candidate.source)))
    score = rubric.metric({entry.item.id: entry.finding.passed for entry in graded})
    return Grade(name, score, tuple(graded))


def judged_items(rubric: Rubric) -> tuple[Item, ...]:
    """The items that are put to the judge."""
    return tuple(item for item in rubric.items if item.by == "judge")
