"""``pae check``: find what is wrong in task folders, without running anything."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from pae_harness import options
from pae_harness.config import read_config
from pae_harness.errors import TaskError
from pae_harness.settings import resolve


def main(args: argparse.Namespace) -> int:
    """Exit code 0 where nothing is wrong, else 1; UsageError for an unknown task."""
    settings = resolve((options.TASKS,), args, config=read_config(Path.cwd()))
    return check(args.task, settings["tasks"], args.json)


def check(tasks: Sequence[str], suite_flag: Path | None, as_json: bool) -> int:
    """Check the tasks named, or the whole suite; one line per problem, and a summary.

    With ``as_json``: ``{"ok": …, "tasks": [names], "problems": [{task, file, line, message}]}``,
    where ``line`` is null for a missing file.
    """
    from pae_harness.tasks import check as problems_of
    from pae_harness.tasks import select

    found = {
        selected.folder.name: problems_of(selected.folder, oracles=selected.oracles)
        for selected in select(tasks, Path.cwd(), suite_flag)
    }
    total = sum(map(len, found.values()))
    if as_json:
        rows = [_row(task, error) for task, errors in found.items() for error in errors]
        report = {"ok": not total, "tasks": list(found), "problems": rows}
        json.dump(report, sys.stdout, ensure_ascii=False, indent=2)
        sys.stdout.write("\n")
    else:
        for errors in found.values():
            sys.stdout.writelines(f"{_line(error)}\n" for error in errors)
        sys.stdout.write(_summary(total, sum(map(bool, found.values())), len(found)))
    return 1 if total else 0


def _summary(problems: int, broken: int, tasks: int) -> str:
    of = f"{tasks} task" + "s" * (tasks != 1)
    if not problems:
        return f"{of} checked, nothing wrong\n"
    return f"{problems} problem" + "s" * (problems != 1) + f" in {broken} of {of}\n"


def _line(error: TaskError) -> str:
    return str(TaskError(error.message, _shown(error.path), error.line))


def _row(task: str, error: TaskError) -> dict[str, object]:
    return {
        "task": task,
        "file": str(_shown(error.path)),
        "line": error.line,
        "message": error.message,
    }


def _shown(path: Path | None) -> Path | None:
    """Relative where it lies below the current folder, so that an editor can follow it."""
    if path is not None and path.is_relative_to(Path.cwd()):
        return path.relative_to(Path.cwd())
    return path
