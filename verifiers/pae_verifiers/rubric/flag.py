"""A flag of a rubric of the kind ``points``: a fault that caps what a dimension can earn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, get_args

from pae_verifiers.rubric.dimension import Dimension, examples, identifier, named_faults, reasons
from pae_verifiers.rubric.item import EvidenceRule
from pae_verifiers.rubric.reply import BOOLEAN, EVIDENCE, TEXT, Schema, closed
from pae_verifiers.yamlfile import Node

FLAG_ANSWER = (
    "Answer every flag: raised or not, why, and with exact excerpts of the document where it is "
    "raised. A flag caps dimensions afterwards: score them as if there were none."
)


@dataclass(frozen=True)
class Flag:
    """A yes-or-no question of which yes caps the dimensions named in ``caps``.

    ``exempt`` says what looks like the fault and is none. ``evidence`` is ``optional`` where an
    absence raises the flag.
    """

    id: str
    text: str
    caps: Mapping[str, int]
    exempt: str = ""
    examples: tuple[str, ...] = ()
    evidence: EvidenceRule = "required"

    def described(self) -> dict[str, Any]:
        """What a judge is shown, as JSON data."""
        return {
            "id": self.id,
            "raise_if": self.text,
            **({"not_if": self.exempt} if self.exempt else {}),
            **({"examples": list(self.examples)} if self.examples else {}),
            "evidence_if_raised": self.evidence,
            "effect": "; ".join(f"{name} is at most {cap}" for name, cap in self.caps.items()),
        }

    def answer_schema(self) -> Schema:
        """``{"raised", "rationale", "evidence"}``; the evidence may be empty if not raised."""
        return closed({"raised": BOOLEAN, "rationale": TEXT, "evidence": EVIDENCE})

    def faults(self, answer: Mapping[str, Any], source: str) -> list[str]:
        """What is wrong with the evidence of an answer, each in a sentence."""
        wanted = answer["raised"] and self.evidence == "required"
        return named_faults(self.id, answer, source, wanted=wanted)

    def detail(self, answer: Mapping[str, Any], source: str) -> dict[str, Any]:
        """The answer as details.json has it."""
        raised = answer["raised"]
        return {"id": self.id, "raised": raised, "passed": not raised, **reasons(answer, source)}


def parse(node: Node, dimensions: Mapping[str, Dimension], taken: set[str]) -> Flag:
    """One flag, which caps some of ``dimensions``. Raises RubricError with file and line."""
    entries = node.fields(
        required=("id", "text", "caps"), optional=("exempt", "examples", "evidence")
    )
    caps = entries["caps"].fields(required=(), optional=tuple(dimensions))
    if not caps:
        raise entries["caps"].error(f"a flag caps a dimension: {', '.join(dimensions)}")
    return Flag(
        id=identifier(entries["id"], taken),
        text=entries["text"].text(),
        caps={name: _cap(cap, dimensions[name]) for name, cap in caps.items()},
        exempt=entries["exempt"].text() if "exempt" in entries else "",
        examples=examples(entries),
        evidence=(
            entries["evidence"].choice(get_args(EvidenceRule))
            if "evidence" in entries
            else "required"
        ),
    )


def _cap(node: Node, dimension: Dimension) -> int:
    cap = node.integer()
    if not 0 <= cap < dimension.most:
        raise node.error(
            f"a cap on {dimension.id} is from 0 to {dimension.most - 1} points, not {cap}"
        )
    return cap
