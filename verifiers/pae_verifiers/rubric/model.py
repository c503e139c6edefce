"""A rubric as the rest of the verifier sees it, whatever its kind."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, Protocol

from pae_verifiers.judge.candidate import Candidate

Status = Literal["scored", "not_evaluable", "quarantined"]


@dataclass(frozen=True)
class Case:
    """What is judged, and what it may be held against.

    ``facts`` is the parsed results.json; ``context`` what the writer was given (text or JSON data),
    ``reference`` a reference answer or a person's verdict, each None where there is none;
    ``present`` the absolute paths of the outputs that are there.
    """

    candidate: Candidate
    facts: Mapping[str, Any] = field(default_factory=dict)
    context: object = None
    reference: object = None
    present: AbstractSet[str] = frozenset()


@dataclass(frozen=True)
class Grade:
    """A rubric's outcome. ``score`` in [0, 1] is None unless ``status`` is ``scored``.

    ``details`` is what the kind has to report, as JSON data.
    """

    score: Fraction | None
    status: Status = "scored"
    reason: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)


class Rubric(Protocol):
    """What every kind of rubric offers: what a judge is asked, and the score of its reply."""

    @property
    def kind(self) -> str: ...

    @property
    def size(self) -> int:
        """How many questions a judge is asked; 0 where code decides all."""
        ...

    @property
    def files(self) -> frozenset[str]:
        """The absolute paths of the outputs that the rubric asks about."""
        ...

    def described(self) -> Any:
        """The questions as a judge is shown them, as JSON data."""
        ...

    def reply_schema(self) -> Mapping[str, Any]:
        """The JSON Schema of a judge's reply: exact ids, order and count, ranges, no other key."""
        ...

    def faults(self, reply: Mapping[str, Any], case: Case) -> tuple[str, ...]:
        """What is wrong with a reply that fits the schema, each in a sentence for the judge.

        Evidence above all: it must be in the document, and be there where it is asked for.
        """
        ...

    def before(self, case: Case) -> Grade | None:
        """The grade where code can tell it without a judge, else None."""
        ...

    def grade(self, reply: Mapping[str, Any], case: Case) -> Grade:
        """The score of a reply without faults; ``reply`` is empty where ``size`` is 0."""
        ...
