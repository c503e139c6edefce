"""Results as tables for a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import TYPE_CHECKING

from pae_harness.result import TrialResult
from pae_harness.runs.plan import PlannedTrial

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

MAX_SEED_COLUMNS = 8
FILE_WIDTH = 160  # of a table that goes to a file or a pipe, where nothing wraps
PENDING, UNSCORED = "·", "unscored"


def stdout_console() -> Console:
    """Standard output, as wide as a table needs where it is no terminal."""
    from rich.console import Console

    return Console(highlight=False, width=None if sys.stdout.isatty() else FILE_WIDTH)


def results_table(
    trials: Sequence[PlannedTrial], results: Mapping[str, TrialResult], judge: str
) -> Table:
    """One row per solution, one column per seed where they fit, and the mean; tasks in sections."""
    from rich import box
    from rich.table import Table

    seeds = sorted({trial.seed for trial in trials})
    columns = seeds if len(seeds) <= MAX_SEED_COLUMNS else []
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("solution", no_wrap=True)
    for seed in columns:
        table.add_column(f"seed {seed}", justify="right", no_wrap=True)
    table.add_column(f"reward ({judge})", justify="right", no_wrap=True)
    for task, rows in _sections(trials).items():
        table.add_row(f"[bold]{task}[/bold]")
        for solution, row in rows.items():
            cells = [_cell(row, results, seed) for seed in columns]
            table.add_row(f"  {solution}", *cells, _mean(row, results))
        table.add_section()
    return table


def _sections(trials: Iterable[PlannedTrial]) -> dict[str, dict[str, list[PlannedTrial]]]:
    sections: dict[str, dict[str, list[PlannedTrial]]] = {}
    for trial in trials:
        rows = sections.setdefault(trial.task.name, {})
        rows.setdefault(trial.solution.name, []).append(trial)
    return sections


def _cell(row: Sequence[PlannedTrial], results: Mapping[str, TrialResult], seed: int) -> str:
    ended = [results.get(trial.path) for trial in row if trial.seed == seed]
    rewards = [r.reward for r in ended if r is not None and r.reward is not None]
    if any(r is None for r in ended):
        return PENDING
    if not rewards:
        return UNSCORED if ended else ""
    lost = "" if len(rewards) == len(ended) else " ?"
    return f"{fmean(rewards):.3f}{lost}"


def _mean(row: Sequence[PlannedTrial], results: Mapping[str, TrialResult]) -> str:
    ended = [results[trial.path] for trial in row if trial.path in results]
    rewards = [r.reward for r in ended if r.reward is not None]
    return f"{fmean(rewards):.3f}" if rewards else "-"
