"""A task folder as read, before it is known to be right: what the static checks look at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pae_harness.errors import TaskError
from pae_harness.tasks.schema_errors import schema_errors
from pae_harness.tasks.source import Source, read_toml, read_yaml

# The lists of a rubric, by its kind, whose entries a judge answers one by one.
_NAMED_IN = {"items": ("items",), "likert": ("dimensions",), "points": ("dimensions", "flags")}


@dataclass(frozen=True)
class Draft:
    """A parsed file is None where it is missing, unreadable or not as its schema says."""

    folder: Path
    oracle: Path
    task: Source | None
    verifier: Source | None
    rubric: Source | None
    facts: Source | None
    traps: Source | None
    problems: tuple[TaskError, ...]

    @property
    def tests(self) -> Path:
        """The verifier's files."""
        return self.folder / "tests"

    @property
    def rubric_kind(self) -> str:
        """The kind of the rubric, or "" where there is none."""
        return self.rubric.value["kind"] if self.rubric else ""

    @property
    def items(self) -> list[dict[str, Any]]:
        """The items of a rubric of the kind ``items``; of any other, none."""
        return self.rubric.value["items"] if self.rubric and self.rubric_kind == "items" else []

    @property
    def expectable(self) -> list[str] | None:
        """The ids in the rubric that a trap may expect to fail; None where that is not known."""
        if self.rubric is None or self.rubric_kind not in _NAMED_IN:
            return None
        value = self.rubric.value
        return [part["id"] for key in _NAMED_IN[self.rubric_kind] for part in value.get(key, ())]

    @property
    def environment(self) -> Path:
        """Dockerfile, generate.py and static fixtures."""
        return self.folder / "environment"


def oracle_folder(folder: Path, oracles: Path | None) -> Path:
    """``oracles/<task>``, else the task's own ``solution/`` where that exists."""
    beside = (folder.parent.parent / "oracles" if oracles is None else oracles) / folder.name
    own = folder / "solution"
    return own if own.is_dir() and not beside.is_dir() else beside


def read_draft(folder: Path, oracles: Path | None) -> Draft:
    """Parse every file of the task; what is wrong with single files is in ``problems``."""
    problems: list[TaskError] = []
    oracle = oracle_folder(folder, oracles)
    tests = folder / "tests"
    task = _read(problems, read_toml, folder / "task.toml", "task")
    verifier = _read(problems, read_yaml, tests / "verifier.yaml", "verifier")
    named: dict[str, Source | None] = {}
    for name in ("rubric", "facts"):
        file = verifier.value.get(name) if verifier else None
        named[name] = _read(problems, read_yaml, tests / file, name) if file else None
    wanted = bool(task and task.value["metadata"]["traps"]) or (oracle / "traps.toml").exists()
    traps = _read(problems, read_toml, oracle / "traps.toml", "traps") if wanted else None
    return Draft(
        folder, oracle, task, verifier, named["rubric"], named["facts"], traps, tuple(problems)
    )


def _read(
    problems: list[TaskError], read: Callable[[Path], Source], path: Path, schema: str
) -> Source | None:
    try:
        source = read(path)
    except TaskError as error:
        problems.append(error)
        return None
    wrong = schema_errors(source, schema)
    problems.extend(wrong)
    return None if wrong else source
