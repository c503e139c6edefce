"""What the verifier asks of a judge: findings, never scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from pae_verifiers.judge.candidate import Candidate
from pae_verifiers.rubric.model import Item

Status = Literal["scored", "not_evaluable", "quarantined"]


@dataclass(frozen=True)
class Finding:
    """The answer to one item.

    ``evidence`` are exact, non-empty substrings of the candidate's source; an absence is an empty
    tuple. ``passed`` on a disallowed item means that the document does *not* contain the thing.
    """

    passed: bool
    rationale: str
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True)
class Judgement:
    """A judge's findings on one document, by item id.

    ``not_evaluable``: the document cannot be judged, the trial earns 0. ``quarantined``: the
    judge's reply cannot be used, the trial has no reward. Both say why in ``reason``.
    """

    findings: Mapping[str, Finding] = field(default_factory=dict)
    status: Status = "scored"
    reason: str = ""


class Judge(Protocol):
    """A judge of documents."""

    @property
    def name(self) -> str:
        """As it is written into details.json, e.g. ``rules``."""
        ...

    def judge(
        self, items: tuple[Item, ...], candidate: Candidate, facts: Mapping[str, Any]
    ) -> Judgement:
        """One finding for each of ``items``. ``facts`` is the parsed results.json.

        Raises VerifierInputError where the task's own files are at fault.
        """
        ...
