"""Reading a run folder, also one that a crash left: a half-written last line was never finished.

A trial that was tried again has a further line in trials.jsonl, and its last one counts.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pae_schemas
from pae_harness.errors import UsageError
from pae_harness.result import TrialResult, slug

if TYPE_CHECKING:
    from jsonschema.protocols import Validator


@dataclass(frozen=True)
class Log:
    """trials.jsonl: the last result of each trial by its path, and whether its end is to be mended.

    ``whole`` is how many bytes are whole lines; ``ended`` is False where the last of them lacks its
    line end.
    """

    results: Mapping[str, TrialResult]
    whole: int
    ended: bool


def read_described(path: Path) -> dict[str, Any]:
    """run.json of the run folder ``path``. Raises UsageError where there is none of use."""
    try:
        described = json.loads((path / "run.json").read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise not_a_run(path, error) from error
    if not isinstance(described, dict):
        raise UsageError(f"{path}/run.json is not a JSON object")
    return described


def read_log(path: Path) -> Log:
    """trials.jsonl of the run folder ``path``. Raises UsageError for a whole line of no use."""
    try:
        data = (path / "trials.jsonl").read_bytes()
        head, _, tail = data.rpartition(b"\n")
        results = [_result(line) for line in head.splitlines() if line.strip()]
    except (OSError, ValueError, RecursionError) as error:
        raise not_a_run(path, error) from error
    whole, ended = len(data) - len(tail), True
    try:
        if tail:
            results.append(_result(tail))
            whole, ended = len(data), False
    except (ValueError, RecursionError):
        pass
    return Log({result.key.path: result for result in results}, whole, ended)


def read_kept(path: Path) -> TrialResult | None:
    """What trial.json in the trial's folder ``path`` says, or None where there is none of use."""
    try:
        return _result((path / "trial.json").read_bytes())
    except (OSError, ValueError, RecursionError):
        return None


def missing(trials: Iterable[str], results: Mapping[str, TrialResult]) -> list[str]:
    """Those of ``trials``, by their paths, that have no result or an unscored one."""
    return [path for path in trials if path not in results or results[path].outcome == "unscored"]


def not_a_run(path: Path, error: Exception) -> UsageError:
    why = error.strerror if isinstance(error, OSError) else error
    return UsageError(f"{path} is no run folder: {why}; give one that pae made")


def _result(line: bytes) -> TrialResult:
    data = json.loads(line, parse_constant=_no_constant)
    problem = next(_validator().iter_errors(data), None)
    if problem is not None:
        raise ValueError(f"trials.jsonl: {problem.message}")
    result = TrialResult.from_json(data)
    key = result.key
    if "/" in key.task or {key.task, slug(key.solution)} & {".", ".."}:
        raise ValueError(f"trials.jsonl: {key.path!r} is the place of no trial")
    return result


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"trials.jsonl: {name} is no JSON number")


@cache
def _validator() -> Validator:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(pae_schemas.load("trial"))
