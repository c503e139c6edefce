"""The rubric kind ``likert``: dimensions scored from 1 to 5, and PASS if all reach a threshold."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from pae_verifiers.rubric import setting
from pae_verifiers.rubric.dimension import ANSWER, Dimension, anchors, identifier
from pae_verifiers.rubric.model import Case, Grade
from pae_verifiers.rubric.reply import TEXT, closed
from pae_verifiers.rubric.setting import Setting
from pae_verifiers.yamlfile import Node

LEAST, MOST = 1, 5
ANCHORED = (1, 3, 5)
THRESHOLD = 4

Judgment = Literal["PASS", "FAIL"]


@dataclass(frozen=True)
class LikertRubric:
    """Dimensions scored in whole numbers from 1 to 5; ``threshold`` is the least for a PASS."""

    dimensions: tuple[Dimension, ...]
    threshold: int = THRESHOLD
    setting: Setting = field(default_factory=Setting)
    kind: str = "likert"

    @property
    def size(self) -> int:
        return len(self.dimensions)

    @property
    def files(self) -> frozenset[str]:
        return frozenset()

    def described(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            **self.setting.described(),
            "how_to_answer": [
                f"Give each dimension a whole number from {LEAST} to {MOST}. Only 1, 3 and 5 have "
                "an anchor: 4 lies between the anchors of 3 and 5, 2 between those of 1 and 3.",
                ANSWER,
                "The overall rationale sums up what decides the judgment, dimension by dimension.",
                f"PASS means that every dimension has at least {self.threshold}, FAIL that one has "
                "less. It is worked out from the scores, whatever the reply says.",
            ],
            "dimensions": [dimension.described() for dimension in self.dimensions],
        }

    def reply_schema(self) -> Mapping[str, Any]:
        """``{"scores": {ID: {score, rationale, evidence?}}, "overall_rationale": …}``.

        A model may add its ``overall_judgment``, which decides nothing.
        """
        scores = closed({d.id: d.answer_schema() for d in self.dimensions})
        reply = {
            "scores": scores,
            "overall_judgment": {"enum": ["PASS", "FAIL"]},
            "overall_rationale": TEXT,
        }
        return closed(reply, optional=("overall_judgment",))

    def faults(self, reply: Mapping[str, Any], case: Case) -> tuple[str, ...]:
        source = case.candidate.source
        return tuple(
            fault
            for dimension in self.dimensions
            for fault in dimension.faults(reply["scores"][dimension.id], source)
        )

    def before(self, case: Case) -> Grade | None:
        """All 1 where the document is empty or malformed. Raises RubricError for lacking inputs."""
        reply = self.settled(case)
        return None if reply is None else self.grade(reply, case)

    def settled(self, case: Case) -> Mapping[str, Any] | None:
        """The reply that needs no judge: all 1 on an empty or malformed document; else None."""
        rationale = self.setting.without_judge(case)
        if not rationale:
            return None
        return {
            "scores": {d.id: {"score": LEAST, "rationale": rationale} for d in self.dimensions},
            "overall_rationale": rationale,
        }

    def grade(self, reply: Mapping[str, Any], case: Case) -> Grade:
        source = case.candidate.source
        answers = [d.detail(reply["scores"][d.id], source) for d in self.dimensions]
        scores = [answer["score"] for answer in answers]
        judgment = self.judgment(scores)
        claimed = reply.get("overall_judgment", judgment)
        disagreement = f"the judge's overall_judgment is {claimed}, its scores make a {judgment}"
        return Grade(
            self.metric(scores),
            details={
                "judgment": judgment,
                "threshold": self.threshold,
                "dimensions": [
                    {**answer, "passed": answer["score"] >= self.threshold} for answer in answers
                ],
                "overall_rationale": reply["overall_rationale"],
                "disagreements": [disagreement] if claimed != judgment else [],
            },
        )

    def judgment(self, scores: list[int]) -> Judgment:
        """PASS if every score reaches the threshold."""
        return "PASS" if min(scores) >= self.threshold else "FAIL"

    def metric(self, scores: list[int]) -> Fraction:
        """1 for a PASS, otherwise half the mean of (score - 1)/4 over the dimensions."""
        if self.judgment(scores) == "PASS":
            return Fraction(1)
        gained = sum(score - LEAST for score in scores)
        return Fraction(gained, (MOST - LEAST) * len(scores)) / 2

    def native(
        self, reply: Mapping[str, Any], case: Case, evaluation_id: str = ""
    ) -> dict[str, Any]:
        """The evaluation as one object, its id and judgment the harness's own.

        ``reply`` may be empty where the document needs no judge. Without an ``evaluation_id`` the
        id is the same for the same case and rubric, whatever the reply.
        """
        reply = reply or self.settled(case) or {}
        scores = reply["scores"]
        return {
            "evaluation_id": evaluation_id or self._digest(case),
            "scores": {
                d.id: {
                    "score": int(scores[d.id]["score"]),
                    "rationale": scores[d.id]["rationale"],
                }
                for d in self.dimensions
            },
            "overall_judgment": self.judgment([scores[d.id]["score"] for d in self.dimensions]),
            "overall_rationale": reply["overall_rationale"],
        }

    def _digest(self, case: Case) -> str:
        told = {
            "rubric": self.described(),
            "candidate": case.candidate.source,
            "facts": case.facts,
            "context": case.context,
            "reference": case.reference,
        }
        text = json.dumps(told, ensure_ascii=False, sort_keys=True)
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def parse(root: Node) -> LikertRubric:
    """The rubric that a YAML file describes. Raises RubricError with file and line."""
    entries = root.fields(required=("kind", "dimensions"), optional=("threshold", *setting.KEYS))
    dimensions: list[Dimension] = []
    for node in entries["dimensions"].sequence():
        keys = node.fields(required=("id", "text", "anchors"))
        name = identifier(keys["id"], (d.id for d in dimensions))
        text, scale = keys["text"].text(), anchors(keys["anchors"], ANCHORED)
        dimensions.append(Dimension(name, text, LEAST, MOST, scale))
    if not dimensions:
        raise entries["dimensions"].error("a rubric has at least one dimension")
    return LikertRubric(tuple(dimensions), _threshold(entries), setting.parse(entries))


def _threshold(entries: Mapping[str, Node]) -> int:
    if "threshold" not in entries:
        return THRESHOLD
    threshold = entries["threshold"].integer()
    if not LEAST < threshold <= MOST:
        raise entries["threshold"].error(
            f"the threshold is a score from {LEAST + 1} to {MOST}, not {threshold}"
        )
    return threshold
