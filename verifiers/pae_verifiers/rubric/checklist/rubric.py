"""The rubric kind ``checklist``, as the verifier and a judge see it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

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
        total = sum(each.result.score for each in graded)
        details = {
            "fields": self._fields(reply),
            "max_attainable": self.max_attainable,
            "dimensions": [_detail(each, case.candidate.source) for each in graded],
            "disagreements": [text for each in graded if (text := each.disagreement)],
            COMMENTS: _comments(reply),
        }
        return Grade(Fraction(total, len(graded) * self.max_attainable), details=details)

    def native(self, reply: Mapping[str, Any], case: Case) -> dict[str, Any]:
        """The output object that the specification of the seed asks of a judge.

        Its fields, then for each dimension ``{"score", "feedback"}``, then the comments as text.
        """
        scores = {
            each.result.dimension.id: {"score": each.result.score, "feedback": each.feedback}
            for each in self._graded(reply, case)
        }
        comments = {COMMENTS: _comments(reply)} if self.comments else {}
        return {**self._fields(reply), **scores, **comments}

    def _graded(self, reply: Mapping[str, Any], case: Case) -> Iterator[_Graded]:
        answers = {answer["id"]: answer for answer in reply.get("dimensions", ())}
        response = self._response(case)
        for dimension in self.dimensions:
            answer = answers.get(dimension.id, {})
            given = {finding.check.id: finding for finding in replies.findings(dimension, answer)}
            findings = tuple(
                given.get(check.id) or _counted(check, response) for check in dimension.checks
            )
            graded = result(dimension, findings, replies.instances(dimension, answer))
            summary = answer.get("summary", _COUNTED)
            yield _Graded(graded, feedback(graded, summary), answer.get("score"))

    def _fields(self, reply: Mapping[str, Any]) -> dict[str, str]:
        return {name: one_line(reply.get(name, "")) for name in self.fields}

    def _response(self, case: Case) -> Response | None:
        return Response(case.candidate.source, self.layout) if self.layout else None


class _Graded(NamedTuple):
    """A dimension's result and feedback, and the score that the judge itself gave, if it did."""

    result: Result
    feedback: str
    claimed: int | None

    @property
    def disagreement(self) -> str:
        if self.claimed is None or self.claimed == self.result.score:
            return ""
        return (
            f"{self.result.dimension.id}: the judge says {self.claimed}, its checks and "
            f"deductions come to {self.result.score}"
        )


def _counted(check: Check, response: Response | None) -> Finding:
    if response is None:
        raise ValueError(f"{check.id} is counted in a response's sections, and none are named")
    return counted.decide(check, response)


def _comments(reply: Mapping[str, Any]) -> str:
    """One line for each concern, ``<category>: <issue>``; empty if there is none."""
    given = reply.get(COMMENTS, ())
    return "\n".join(f"{one_line(c['category'])}: {one_line(c['issue'])}" for c in given)


def _detail(graded: _Graded, source: str) -> dict[str, Any]:
    result = graded.result
    return {
        "id": result.dimension.id,
        "score": result.score,
        "baseline": result.baseline,
        "deducted": result.total,
        "claimed_score": graded.claimed,
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
        "feedback": graded.feedback,
    }
