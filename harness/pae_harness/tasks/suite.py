"""Where the tasks are: ``--tasks``, ``pae.toml``, or the nearest parent with a tasks/ folder."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pae_harness.errors import UsageError
from pae_harness.tasks.loader import load
from pae_harness.tasks.model import Task
from pae_harness.tasks.nearest import did_you_mean

_MARKS = ("task.toml", "instruction.md", "environment", "tests")


@dataclass(frozen=True)
class Suite:
    """A folder of task folders, and the folder of their oracles beside it."""

    tasks: Path
    oracles: Path

    def names(self) -> tuple[str, ...]:
        """The names of the task folders, sorted; a broken one counts too."""
        return tuple(sorted(path.name for path in self.tasks.iterdir() if _is_task(path)))

    def folder(self, name: str) -> Path:
        """The folder of the task ``name``. Raises UsageError with the nearest valid name."""
        names = self.names()
        if name not in names:
            near = did_you_mean(name, names)
            raise UsageError(f"there is no task '{name}' in {self.tasks}{near}")
        return self.tasks / name

    def load(self, name: str) -> Task:
        """The task ``name``. Raises UsageError for an unknown, TaskError for a broken one."""
        return load(self.folder(name), oracles=self.oracles)


@dataclass(frozen=True)
class Selected:
    """A task folder that a command line names; ``oracles`` as for ``load``."""

    folder: Path
    oracles: Path | None

    def load(self) -> Task:
        """Raises TaskError where the folder is broken."""
        return load(self.folder, oracles=self.oracles)


def find_suite(start: Path, flag: Path | None = None) -> Suite:
    """The suite that ``flag`` names, or else the one that ``start`` lies in.

    Raises UsageError where there is none.
    """
    if flag is not None:
        return _suite(_given(start / flag, "--tasks"))
    start = start.absolute()
    for parent in (start, *start.parents):
        config = parent / "pae.toml"
        if config.is_file():
            folder = _configured(config)
            if folder is not None:
                return _suite(folder)
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
    selected = [_by_path(task, start) or _by_name(task, start, flag) for task in tasks]
    return list(dict.fromkeys(selected))


def _by_path(task: str, start: Path) -> Selected | None:
    folder = Path(os.path.normpath(start.absolute() / task))
    looks_like_path = os.sep in task or task in (os.curdir, os.pardir)
    if _is_task(folder) and (looks_like_path or (folder / "task.toml").is_file()):
        return Selected(folder, None)
    if looks_like_path:
        raise UsageError(f"there is no task folder at {folder}: it has no task.toml")
    return None


def _by_name(task: str, start: Path, flag: Path | None) -> Selected:
    suite = find_suite(start, flag)
    return Selected(suite.folder(task), suite.oracles)


def _suite(tasks: Path) -> Suite:
    tasks = Path(os.path.normpath(tasks.absolute()))
    return Suite(tasks, tasks.parent / "oracles")


def _is_task(path: Path) -> bool:
    hidden = path.name.startswith((".", "_"))
    return not hidden and path.is_dir() and any((path / mark).exists() for mark in _MARKS)


def _given(folder: Path, what: str) -> Path:
    if not folder.is_dir():
        raise UsageError(f"{what} {folder} is not a folder")
    if not any(_is_task(path) for path in folder.iterdir()):
        inner = folder / "tasks"
        near = f"; did you mean {inner}?" if inner.is_dir() else ""
        raise UsageError(f"{what} {folder} holds no task folder{near}")
    return folder


def _configured(config: Path) -> Path | None:
    try:
        value = tomllib.loads(config.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{config}: not valid TOML: {error}") from None
    tasks = value.get("tasks")
    if tasks is None:
        return None
    if not isinstance(tasks, str):
        raise UsageError(f"{config}: the key 'tasks' must be a folder's path")
    return _given(config.parent / tasks, f"{config}: tasks")
