"""A rubric as the rest of the verifier sees it, whatever its kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, Protocol

Role = Literal["required", "optional", "disallowed"]
By = Literal["code", "judge"]
EvidenceRule = Literal["required", "optional"]


@dataclass(frozen=True)
class Item:
    """One question of a rubric, answered by passed or not.

    ``weight`` counts for required items only, ``penalty`` for disallowed ones, of which passed
    means *not* triggered. ``evidence`` is ``optional`` where the item is met by an absence.
    """

    id: str
    role: Role
    text: str
    by: By = "judge"
    weight: Fraction = Fraction(0)
    penalty: Fraction = Fraction(0)
    evidence: EvidenceRule = "required"
    check: str = ""  # by code: the built-in check, and its parameters
    params: Mapping[str, object] = field(default_factory=dict)

    def wants_evidence(self, passed: bool) -> bool:
        """Whether this answer must quote the document."""
        if self.evidence == "optional" or self.by == "code":
            return False
        return passed if self.role == "required" else self.role == "disallowed" and not passed


class Rubric(Protocol):
    """What every kind of rubric offers: its questions, and the metric from their answers."""

    @property
    def kind(self) -> str: ...

    @property
    def items(self) -> tuple[Item, ...]: ...

    @property
    def sections(self) -> tuple[str, ...]:
        """The headings that the document must have."""
        ...

    def metric(self, passed: Mapping[str, bool]) -> Fraction:
        """The metric in [0, 1], from one answer per item id."""
        ...
