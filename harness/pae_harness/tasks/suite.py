"""Where the tasks are: ``--tasks``, ``pae.toml``, or the nearest parent with a tasks/ folder."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pae_harness.config import read_config
from pae_harness.errors import UsageError
from pae_harness.nearest import did_you_mean
from pae_harness.tasks.loader import load
from pae_harness.tasks.model import Task

_MARKS = ("task.toml", "instruction.md", "environment", "tests")


@dataclass(frozen=True)
class Selected:
    """A task folder that a command line names; ``oracles`` as for ``load``."""

    folder: Path
    oracles: Path | None

    def load(self) -> Task:
        """Raises TaskError where the folder is broken."""
        return load(self.folder, oracles=self.oracles)


@dataclass(frozen=True)
class Suite:
    """A folder of task folders, and the folder of their oracles beside it."""

    tasks: Path
    oracles: Path

    def names(self) -> tuple[str, ...]:
        """The names of the task folders, sorted; a broken one counts too."""
        return tuple(sorted(path.name for path in self.tasks.iterdir() if _is_task(path)))

    def find(self, task: str) -> Selected:
        """A task of this suite by its name, or any by its folder's path.

        Raises UsageError, with the nearest valid name, for an unknown one.
        """
        by_path = _by_path(task, Path.cwd())
        if by_path is not None:
            return by_path
        names = self.names()
        if task not in names:
            near = did_you_mean(task, names)
            raise UsageError(f"there is no task '{task}' in {self.tasks}{near}")
        return Selected(self.tasks / task, self.oracles)


def find_suite(start: Path, flag: Path | None = None) -> Suite:
    """The suite that ``flag`` names, or else the one that ``start`` lies in.

    Raises UsageError where there is none.
    """
    start = start.absolute()
    named = flag or read_config(start).get("tasks")
    if named is not None:
        return _suite(_given(start / named))
    for parent in (start, *start.parents):
        tasks = parent / "tasks"
        if tasks.is_dir() and any(tasks.glob("*/task.toml")):
            return _suite(tasks)
    raise UsageError(
        f"no tasks found from {start} upwards: give --tasks DIR, or name the folder in pae.toml"
    )


def select(tasks: Sequence[str], start: Path, flag: Path | None = None) -> list[Selected]:
    """The folders of the tasks named, by name or by path; of the whole suite where none is.

    Raises UsageError for an unknown one.
    """
    if not tasks:
        suite = find_suite(start, flag)
        return [Selected(suite.tasks / name, suite.oracles) for name in suite.names()]
    found = [_by_path(task, start) or find_suite(start, flag).find(task) for task in tasks]
    return list(dict.fromkeys(found))


def _by_path(task: str, start: Path) -> Selected | None:
    folder = Path(os.path.normpath(start.absolute() / task))
    looks_like_path = os.sep in task or task in (os.curdir, os.pardir)
    if _is_task(folder) and (looks_like_path or (folder / "task.toml").is_file()):
        return Selected(folder, None)
    if looks_like_path:
        raise UsageError(f"there is no task folder at {folder}: it has no task.toml")
    return None


def _suite(tasks: Path) -> Suite:
    tasks = Path(os.path.normpath(tasks.absolute()))
    return Suite(tasks, tasks.parent / "oracles")


def _is_task(path: Path) -> bool:
    hidden = path.name.startswith((".", "_"))
    return not hidden and path.is_dir() and any((path / mark).exists() for mark in _MARKS)


def _given(folder: Path) -> Path:
    if not folder.is_dir():
        raise UsageError(f"the tasks' folder {folder} does not exist")
    if not any(_is_task(path) for path in folder.iterdir()):
        inner = folder / "tasks"
        near = f"; did you mean {inner}?" if inner.is_dir() else ""
        raise UsageError(f"the tasks' folder {folder} holds no task{near}")
    return folder
