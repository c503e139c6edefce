"""One trial's result: one outcome, one reward, and where both come from."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal

Outcome = Literal["scored", "agent_failed", "unscored"]


def slug(name: str) -> str:
    """``name`` as one path component."""
    return re.sub(r"[^A-Za-z0-9_.-]", "-", name)


@dataclass(frozen=True)
class TrialKey:
    """What makes a trial the trial it is."""

    task: str
    seed: int
    solution: str
    attempt: int = 1

    @property
    def path(self) -> str:
        """Its folder below a run folder, and what ``--match`` is held against."""
        again = f"-{self.attempt}" if self.attempt > 1 else ""
        return f"{self.task}/seed-{self.seed}/{slug(self.solution)}{again}"

    def __str__(self) -> str:
        again = f" attempt {self.attempt}" if self.attempt > 1 else ""
        return f"{self.task} seed {self.seed} {self.solution}{again}"


@dataclass(frozen=True)
class TrialResult:
    """How a trial ended.

    ``reward`` and the ``metrics`` are in [0, 1]; the reward is None exactly when the outcome is
    ``unscored``, which is no zero. ``reason`` says why a trial was not simply scored.
    ``timings`` are seconds by phase; ``digests`` are SHA-256 in hex.
    """

    key: TrialKey
    outcome: Outcome
    reward: float | None
    metrics: Mapping[str, float] = field(default_factory=dict)
    reason: str = ""
    exit_code: int | None = None
    judge: str = "rules"
    sandbox: str = ""
    enforced: Mapping[str, str] = field(default_factory=dict)
    timings: Mapping[str, float] = field(default_factory=dict)
    usage: Mapping[str, float] = field(default_factory=dict)
    digests: Mapping[str, str] = field(default_factory=dict)
    details: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> TrialResult:
        """The result that ``to_json`` wrote; keys that it does not know are left out.

        Raises ValueError for anything else.
        """
        try:
            key = TrialKey(*(data[f.name] for f in fields(TrialKey)))
            known = {f.name for f in fields(cls)} - {"key", "details"}
            return cls(key, **{name: value for name, value in data.items() if name in known})
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"no result of a trial: {error}") from error

    def to_json(self) -> dict[str, Any]:
        """The result as trial.json holds it; ``details`` stay in details.json."""
        data = {**asdict(self.key), **asdict(self)}
        del data["key"], data["details"]
        return data
