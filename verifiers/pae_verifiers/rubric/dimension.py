"""A dimension of a rubric of the kinds ``likert`` and ``points``: a question with a scale."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pae_verifiers.judge.evidence import evidence_faults, located
from pae_verifiers.rubric.reply import EVIDENCE, TEXT, Schema, closed, whole
from pae_verifiers.yamlfile import Node

ANSWER = (
    "Give every score a rationale that says what in the document it rests on. Its evidence, a list "
    "of exact excerpts of the document, may be left out, and is empty where something is missing."
)


@dataclass(frozen=True)
class Anchor:
    """When a score is due, with worked examples."""

    score: int
    text: str
    examples: tuple[str, ...] = ()

    def described(self) -> dict[str, Any]:
        examples = {"examples": list(self.examples)} if self.examples else {}
        return {"score": self.score, "meaning": self.text, **examples}


@dataclass(frozen=True)
class Dimension:
    """A question that is answered by a whole number from ``least`` to ``most``.

    The anchors stand from the highest score to the lowest.
    """

    id: str
    text: str
    least: int
    most: int
    anchors: tuple[Anchor, ...]

    def described(self) -> dict[str, Any]:
        """What a judge is shown, as JSON data."""
        return {
            "id": self.id,
            "question": self.text,
            "scale": {"min": self.least, "max": self.most},
            "anchors": [anchor.described() for anchor in self.anchors],
        }

    def answer_schema(self) -> Schema:
        """``{"score", "rationale", "evidence"}``, of which the evidence may be left out."""
        score = whole(self.least, self.most)
        answer = {"score": score, "rationale": TEXT, "evidence": EVIDENCE}
        return closed(answer, optional=("evidence",))

    def faults(self, answer: Mapping[str, Any], source: str) -> list[str]:
        """What is wrong with the evidence of an answer, each in a sentence."""
        return named_faults(self.id, answer, source, wanted=False)

    def detail(self, answer: Mapping[str, Any], source: str) -> dict[str, Any]:
        """The answer as details.json has it."""
        return {
            "id": self.id,
            "score": int(answer["score"]),
            "max": self.most,
            **reasons(answer, source),
        }


def named_faults(id: str, answer: Mapping[str, Any], source: str, *, wanted: bool) -> list[str]:
    """What is wrong with the evidence of the answer to ``id``; ``wanted`` that there be some."""
    shown = evidence_faults(answer.get("evidence", ()), source, wanted=wanted)
    return [f"{id}: {fault}" for fault in shown]


def reasons(answer: Mapping[str, Any], source: str) -> dict[str, Any]:
    """The rationale and the evidence of an answer as details.json has them."""
    return {
        "rationale": answer["rationale"],
        "evidence": located(answer.get("evidence", ()), source),
    }


def anchors(node: Node, wanted: Sequence[int]) -> tuple[Anchor, ...]:
    """The anchors of exactly the scores ``wanted``, highest first; raises RubricError."""
    names = [str(score) for score in sorted(wanted, reverse=True)]
    return tuple(_anchor(int(name), entry) for name, entry in _ordered(node, names))


def _ordered(node: Node, names: Sequence[str]) -> Iterable[tuple[str, Node]]:
    entries = node.fields(required=names)
    return [(name, entries[name]) for name in names]


def _anchor(score: int, node: Node) -> Anchor:
    keys = node.fields(required=("text",), optional=("examples",))
    return Anchor(score, keys["text"].text(), examples(keys))


def examples(entries: Mapping[str, Node]) -> tuple[str, ...]:
    """The worked examples among an entry's keys, if any."""
    if "examples" not in entries:
        return ()
    return tuple(node.text() for node in entries["examples"].sequence())


def identifier(node: Node, taken: Iterable[str] = ()) -> str:
    """A lower-case Python identifier that is not yet ``taken``; raises RubricError."""
    name = node.text()
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        raise node.error(f"the id {name!r} is not a lower-case Python identifier")
    if name in taken:
        raise node.error(f"the id {name!r} occurs twice")
    return name
