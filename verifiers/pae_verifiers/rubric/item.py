"""One question of a rubric of the kind ``items``, and its answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

Role = Literal["required", "optional", "disallowed"]
By = Literal["code", "judge"]
EvidenceRule = Literal["required", "optional"]


@dataclass(frozen=True)
class Item:
    """A question that is answered by passed or not.

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


@dataclass(frozen=True)
class Finding:
    """The answer to one item.

    ``evidence`` are exact, non-empty substrings of the candidate's source; an absence is an empty
    tuple. ``passed`` on a disallowed item means that the document does *not* contain the thing.
    """

    passed: bool
    rationale: str
    evidence: tuple[str, ...] = ()
