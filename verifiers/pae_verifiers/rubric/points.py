"""The rubric kind ``points``: dimensions that earn points, flags that cap them, a bonus apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from pae_verifiers.rubric import flag as flags
from pae_verifiers.rubric import setting
from pae_verifiers.rubric.dimension import ANSWER, Dimension, anchors, identifier
from pae_verifiers.rubric.flag import FLAG_ANSWER, Flag
from pae_verifiers.rubric.model import Case, Grade
from pae_verifiers.rubric.reply import INTEGER, Schema, closed
from pae_verifiers.rubric.setting import Setting
from pae_verifiers.yamlfile import Node

MOST_POINTS = 20


@dataclass(frozen=True)
class PointsRubric:
    """Dimensions scored in whole points from 0 up; ``bonus`` ones are reported, never added.

    A raised flag caps dimensions, whatever the judge gave them.
    """

    dimensions: tuple[Dimension, ...]
    bonus: tuple[Dimension, ...] = ()
    flags: tuple[Flag, ...] = ()
    setting: Setting = field(default_factory=Setting)
    kind: str = "points"

    @property
    def size(self) -> int:
        return len(self.dimensions) + len(self.bonus) + len(self.flags)

    @property
    def files(self) -> frozenset[str]:
        return frozenset()

    @property
    def most(self) -> int:
        """The highest total."""
        return sum(dimension.most for dimension in self.dimensions)

    def described(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            **self.setting.described(),
            "how_to_answer": self._how_to_answer(),
            "dimensions": [dimension.described() for dimension in self.dimensions],
            **({"bonus": [bonus.described() for bonus in self.bonus]} if self.bonus else {}),
            **({"flags": [flag.described() for flag in self.flags]} if self.flags else {}),
        }

    def _how_to_answer(self) -> list[str]:
        told = ["Give each dimension the whole number of points whose anchor fits best.", ANSWER]
        if self.bonus:
            told.append("A bonus is scored alike, reported apart, and never part of the total.")
        if self.flags:
            told.append(FLAG_ANSWER)
        return [*told, f"The total, from 0 to {self.most}, is added up from your answers."]

    def reply_schema(self) -> Mapping[str, Any]:
        """``{"scores": {ID: {score, rationale, evidence?}}, "bonus": …, "flags": …}``.

        ``bonus`` and ``flags`` are there where the rubric has some; a flag's answer is
        ``{raised, rationale, evidence}``. A model may add its ``total``, which decides nothing.
        """
        scores: dict[str, Schema] = {
            "scores": closed({d.id: d.answer_schema() for d in self.dimensions})
        }
        if self.bonus:
            scores["bonus"] = closed({d.id: d.answer_schema() for d in self.bonus})
        if self.flags:
            scores["flags"] = closed({f.id: f.answer_schema() for f in self.flags})
        return closed({**scores, "total": INTEGER}, optional=("total",))

    def faults(self, reply: Mapping[str, Any], case: Case) -> tuple[str, ...]:
        source = case.candidate.source
        found: list[str] = []
        for dimension in self.dimensions:
            found += dimension.faults(reply["scores"][dimension.id], source)
        for dimension in self.bonus:
            found += dimension.faults(reply["bonus"][dimension.id], source)
        for flag in self.flags:
            found += flag.faults(reply["flags"][flag.id], source)
        return tuple(found)

    def before(self, case: Case) -> Grade | None:
        """No points where the document is empty or malformed. Raises RubricError as likert does."""
        rationale = self.setting.without_judge(case)
        if not rationale:
            return None
        nothing = {"score": 0, "rationale": rationale}
        quiet = {"raised": False, "rationale": rationale, "evidence": []}
        reply = {
            "scores": {dimension.id: nothing for dimension in self.dimensions},
            "bonus": {dimension.id: nothing for dimension in self.bonus},
            "flags": {flag.id: quiet for flag in self.flags},
        }
        return self.grade(reply, case)

    def grade(self, reply: Mapping[str, Any], case: Case) -> Grade:
        source = case.candidate.source
        raised = [flag for flag in self.flags if reply["flags"][flag.id]["raised"]]
        dimensions = [
            _capped(d.detail(reply["scores"][d.id], source), raised) for d in self.dimensions
        ]
        total = sum(answer["score"] for answer in dimensions)
        claimed = reply.get("total", total)
        disagreement = f"the judge's total is {claimed}, its scores and flags come to {total}"
        details: dict[str, Any] = {
            "total": total,
            "max_total": self.most,
            "dimensions": dimensions,
            "bonus": [d.detail(reply["bonus"][d.id], source) for d in self.bonus],
            "flags": [f.detail(reply["flags"][f.id], source) for f in self.flags],
            "disagreements": [disagreement] if claimed != total else [],
        }
        return Grade(Fraction(total, self.most), details=details)


def _capped(answer: dict[str, Any], raised: list[Flag]) -> dict[str, Any]:
    """A dimension's answer with what flags leave of its points; ``given`` is what the judge gave.

    ``passed`` says that nothing was lost.
    """
    caps = {flag.id: flag.caps[answer["id"]] for flag in raised if answer["id"] in flag.caps}
    given = answer["score"]
    score = min([given, *caps.values()])
    by = [name for name, cap in caps.items() if cap < given]
    kept = {"score": score, "given": given, "capped_by": by, "passed": score == answer["max"]}
    return {**answer, **kept}


def parse(root: Node) -> PointsRubric:
    """The rubric that a YAML file describes. Raises RubricError with file and line."""
    entries = root.fields(
        required=("kind", "dimensions"), optional=("bonus", "flags", *setting.KEYS)
    )
    taken: set[str] = set()
    dimensions = _dimensions(entries["dimensions"], taken)
    bonus = _dimensions(entries["bonus"], taken) if "bonus" in entries else ()
    known = {dimension.id: dimension for dimension in dimensions}
    found: list[Flag] = []
    for node in entries["flags"].sequence() if "flags" in entries else ():
        found.append(flags.parse(node, known, taken))
        taken.add(found[-1].id)
    return PointsRubric(dimensions, bonus, tuple(found), setting.parse(entries))


def _dimensions(node: Node, taken: set[str]) -> tuple[Dimension, ...]:
    found = []
    for entry in node.sequence():
        keys = entry.fields(required=("id", "text", "max", "anchors"))
        name, most = identifier(keys["id"], taken), keys["max"].integer()
        if not 1 <= most <= MOST_POINTS:
            raise keys["max"].error(f"a dimension has from 1 to {MOST_POINTS} points, not {most}")
        scale = anchors(keys["anchors"], range(most + 1))
        found.append(Dimension(name, keys["text"].text(), 0, most, scale))
        taken.add(name)
    if not found:
        raise node.error("a rubric has at least one dimension")
    return tuple(found)
