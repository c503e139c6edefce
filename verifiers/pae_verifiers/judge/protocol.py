"""What the verifier asks of a judge: a reply to the rubric's questions, never a score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from pae_verifiers.rubric.model import Case, Rubric, Status


@dataclass(frozen=True)
class Judgement:
    """A judge's reply on one document: it fits the rubric's schema and has no faults.

    ``not_evaluable``: the document cannot be judged, the trial earns 0. ``quarantined``: there is
    no reply that can be used, the trial has no reward. Both say why in ``reason``. ``record`` is
    what details.json keeps of how the reply came about, as JSON data.
    """

    reply: Mapping[str, Any] = field(default_factory=dict)
    status: Status = "scored"
    reason: str = ""
    record: Mapping[str, Any] = field(default_factory=dict)


class Judge(Protocol):
    """A judge of documents."""

    @property
    def name(self) -> str:
        """As it is written into details.json, e.g. ``rules``."""
        ...

    def judge(self, rubric: Rubric, case: Case) -> Judgement:
        """One reply to all that ``rubric`` asks.

        Raises VerifierInputError where the task's own files are at fault.
        """
        ...
