"""The rubric kind ``checklist``, as the verifier and a judge see it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from pae_verifiers.judge.evidence import located
from pae_verifiers.rubric.checklist import counted
from pae_verifiers.rubric.checklist import reply as replies
from pae_verifiers.rubric.checklist.described import described
from pae_verifiers.rubric.checklist.feedback import feedback, one_line
from pae_verifiers.rubric.checklist.model import Check, Comments, Dimension, Finding, Layout
from pae_verifiers.rubric.checklist.score import Result, result
from pae_verifiers.rubric.checklist.sections import Response
from pae_verifiers.rubric.checklist.units import Units
from pae_verifiers.rubric.model import Case, Grade

COMMENTS = "general_comments"
_COUNTED = "every check was counted by code."


@dataclass(frozen=True)
class ChecklistRubric:
    """Dimensions, each with a score from 0 to ``max_attainable``; the metric is their mean.

    ``fields`` are what the judge reads off the case, by name, and ``reference`` what it looks
    things up in, as JSON data.
    """

    about: str
    dimensions: tuple[Dimension, ...]
    max_attainable: int
    layout: Layout | None = None
    fields: Mapping[str, str] = field(default_factory=dict)
    reference: Mapping[str, object] = field(default_factory=dict)
    comments: Comments | None = None
    kind: str = "checklist"

    @cached_property
    def size(self) -> int:
        return sum(len(replies.asked(each)) + len(each.deductions) for each in self.dimensions)

    @property
    def files(self) -> frozenset[str]:
        return frozenset()

    def described(self) -> dict[str, Any]:
        return described(self.about, self.dimensions, self.fields, self.reference, self.comments)

    def reply_schema(self) -> Mapping[str, Any]:
        return replies.schema(
            self.dimensions, tuple(self.fields), COMMENTS if self.comments else ""
        )

    def faults(self, reply: Mapping[str, Any], case: Case) -> tuple[str, ...]:
        units = Units(case.candidate.source, self._response(case))
        return replies.faults(self.dimensions, reply, units)

    def before(self, case: Case) -> Grade | None:
        response = self._response(case)
        missing = response.missing() if response else ()
        if response is None or not missing:
            return None
        return Grade(
            None, "not_evaluable", response.layout.missing, {"missing_sections": list(missing)}
        )

    def grade(self, reply: Mapping[str, Any], case: Case) -> Grade:
        graded = list(self._graded(reply, case))
        total = sum(result.score for result, _, _ in graded)
        details = {
            **{name: reply[name] for name in self.fields if name in reply},
            "max_attainable": self.max_attainable,
            "dimensions": [
                _detail(result, text, claimed, case.candidate.source)
                for result, text, claimed in graded
            ],
            "disagreements": [
                f"{result.dimension.id}: the judge says {claimed}, its checks and deductions "
                f"come to {result.score}"
                for result, _, claimed in graded
                if claimed is not None and claimed != result.score
            ],
            COMMENTS: _comments(reply),
        }
        return Grade(Fraction(total, len(graded) * self.max_attainable), details=details)

    def native(self, reply: Mapping[str, Any], case: Case) -> dict[str, Any]:
        """The output object that the specification of the seed asks of a judge.

        Its fields, then for each dimension ``{"score", "feedback"}``, then the comments as text.
        """
        scores = {
            result.dimension.id: {"score": result.score, "feedback": text}
            for result, text, _ in self._graded(reply, case)
        }
        comments = {COMMENTS: _comments(reply)} if self.comments else {}
        return {**{name: one_line(reply[name]) for name in self.fields}, **scores, **comments}

    def _graded(
        self, reply: Mapping[str, Any], case: Case
    ) -> Iterator[tuple[Result, str, int | None]]:
        """Each dimension's result, its feedback, and the score that the judge itself gave it."""
        answers = {answer["id"]: answer for answer in reply.get("dimensions", ())}
        response = self._response(case)
        for dimension in self.dimensions:
            answer = answers.get(dimension.id, {})
            given = {finding.check.id: finding for finding in replies.findings(dimension, answer)}
            findings = tuple(
                given.get(check.id) or _counted(check, response) for check in dimension.checks
            )
            graded = result(dimension, findings, replies.instances(dimension, answer))
            text = feedback(graded, answer.get("summary", _COUNTED))
            yield graded, text, answer.get("score")

    def _response(self, case: Case) -> Response | None:
        return Response(case.candidate.source, self.layout) if self.layout else None


def _counted(check: Check, response: Response | None) -> Finding:
    if response is None:
        raise ValueError(f"{check.id} is counted in a response's sections, and none are named")
    return counted.decide(check, response)


def _comments(reply: Mapping[str, Any]) -> str:
    """One line for each concern, ``<category>: <issue>``; empty if there is none."""
    given = reply.get(COMMENTS, ())
    return "\n".join(f"{one_line(c['category'])}: {one_line(c['issue'])}" for c in given)


def _detail(result: Result, text: str, claimed: int | None, source: str) -> dict[str, Any]:
    return {
        "id": result.dimension.id,
        "score": result.score,
        "baseline": result.baseline,
        "deducted": result.total,
        "claimed_score": claimed,
        "hard_fails": [finding.check.id for finding in result.hard_fails],
        "checks": [
            {
                "id": finding.check.id,
                "name": finding.check.name,
                "verdict": finding.verdict,
                "justification": finding.justification,
                "material": finding.material,
                "evidence": located(finding.evidence, source),
                "by": finding.check.by,
            }
            for finding in result.findings
        ],
        "deductions": [
            {
                "id": charge.instance.deduction.id,
                "name": charge.instance.deduction.name,
                "specific": charge.instance.specific,
                "points": charge.points,
                "reduced": charge.reduced,
                "evidence": located(charge.instance.evidence, source),
            }
            for charge in result.charges
        ],
        "feedback": text,
    }
