"""A run that was made before: what its folder says of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import pae_schemas
from pae_harness.errors import UsageError
from pae_harness.result import TrialResult, slug
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
    try:
        described = json.loads((path / "run.json").read_bytes())
        lines = (path / "trials.jsonl").read_bytes().splitlines()
        results = [_result(line) for line in lines if line.strip()]
    except (OSError, ValueError, RecursionError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"{path} is no run folder: {why}; give one that pae made") from error
    if not isinstance(described, dict):
        raise UsageError(f"{path}/run.json is not a JSON object")
    return EarlierRun(path.resolve(), described, {result.key.path: result for result in results})


def _result(line: bytes) -> TrialResult:
    import jsonschema

    data = json.loads(line, parse_constant=_no_constant)
    try:
        jsonschema.validate(data, pae_schemas.load("trial"))
    except jsonschema.ValidationError as error:
        raise ValueError(f"trials.jsonl: {error.message}") from None
    result = TrialResult.from_json(data)
    key = result.key
    if "/" in key.task or {key.task, slug(key.solution)} & {".", ".."}:
        raise ValueError(f"trials.jsonl: {key.path!r} is the place of no trial")
    return result


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"trials.jsonl: {name} is no JSON number")
