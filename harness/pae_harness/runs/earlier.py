"""A run that was made before: what its folder says of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pae_harness.result import TrialResult, slug
from pae_harness.runs.read import read_described, read_log
from pae_harness.solutions import Solution


@dataclass(frozen=True)
class EarlierRun:
    """``described`` is its run.json; ``results`` are its finished trials by their paths."""

    path: Path
    described: Mapping[str, Any]
    results: Mapping[str, TrialResult]

    @property
    def label(self) -> str:
        """A part of a folder's name."""
        return slug(str(self.described.get("label", "run")))

    @property
    def judge(self) -> str:
        """The judge's name."""
        judge = self.described.get("judge")
        return str(judge.get("name", "")) if isinstance(judge, Mapping) else ""

    def solution(self, result: TrialResult) -> Solution:
        """What was run, as far as it is known: of a command its words, not its folder."""
        name = result.key.solution
        agent = self.described.get("agent")
        if name == "cmd" and isinstance(agent, Mapping):
            return Solution(f"cmd:{agent.get('command', '')}")
        return Solution(name)


def read(path: Path) -> EarlierRun:
    """The run in the folder ``path``. Raises UsageError for what is not one."""
    return EarlierRun(path.resolve(), read_described(path), read_log(path).results)
