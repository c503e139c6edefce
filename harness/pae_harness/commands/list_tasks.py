"""``pae list``: the suite's tasks."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pae_harness import options
from pae_harness.config import read_config
from pae_harness.console import stdout_console
from pae_harness.errors import TaskError
from pae_harness.settings import resolve
from pae_harness.tasks import Task, find_suite

COLUMNS = ("name", "tier", "theme", "status", "traps", "description")


@dataclass(frozen=True)
class Listed:
    """A task of the suite, or what is wrong with it."""

    name: str
    task: Task | None
    problem: str = ""


def main(args: argparse.Namespace) -> int:
    """Exit code 0; 2 where a task folder is broken; UsageError where there is no suite."""
    settings = resolve((options.TASKS,), args, config=read_config(Path.cwd()))
    return list_tasks(settings["tasks"], args.json)


def list_tasks(suite_flag: Path | None, as_json: bool) -> int:
    """List the suite; a broken task is listed as such, on stderr with what is wrong.

    With ``as_json``: ``{"tasks": [{name, version, tier, theme, status, reward_type, traps, inputs,
    outputs, description, path}], "broken": [{name, problem}]}``.
    """
    suite = find_suite(Path.cwd(), suite_flag)
    listed = []
    for name in suite.names():
        try:
            listed.append(Listed(name, suite.find(name).load()))
        except TaskError as error:
            listed.append(Listed(name, None, str(error)))
    broken = [entry for entry in listed if entry.task is None]
    if as_json:
        report = {
            "tasks": [_row(entry.task) for entry in listed if entry.task is not None],
            "broken": [{"name": entry.name, "problem": entry.problem} for entry in broken],
        }
        json.dump(report, sys.stdout, ensure_ascii=False, indent=2)
        sys.stdout.write("\n")
    else:
        _show(listed)
    sys.stderr.writelines(f"pae: {entry.problem}\n" for entry in broken)
    return TaskError.exit_code if broken else 0


def _row(task: Task) -> dict[str, object]:
    metadata = task.metadata
    return {
        "name": task.name,
        "version": task.version,
        "tier": metadata.tier,
        "theme": metadata.theme,
        "status": metadata.status,
        "reward_type": metadata.reward_type,
        "traps": list(metadata.traps),
        "inputs": [entry.path for entry in metadata.inputs],
        "outputs": list(task.outputs),
        "description": task.description,
        "path": str(task.path),
    }


def _cells(entry: Listed) -> tuple[str, ...]:
    if entry.task is None:
        return (entry.name, "", "", "broken", "", "see the message below")
    metadata = entry.task.metadata
    return (
        entry.name,
        str(metadata.tier),
        metadata.theme,
        metadata.status,
        str(len(metadata.traps)),
        entry.task.description,
    )


def _show(listed: Sequence[Listed]) -> None:
    if not sys.stdout.isatty():  # whole lines, for grep and cut
        for entry in listed:
            sys.stdout.write("\t".join(_cells(entry)) + "\n")
        return
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    rows = [_cells(entry) for entry in listed]
    for column in COLUMNS:
        table.add_column(
            column,
            justify="right" if column in ("tier", "traps") else "left",
            no_wrap=column not in ("theme", "description"),  # those two give way
        )
    for row in rows:
        table.add_row(*(Text(cell, no_wrap=True, overflow="ellipsis") for cell in row))
    stdout_console().print(table)
