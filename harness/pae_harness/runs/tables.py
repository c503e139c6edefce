"""Results as tables for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import TYPE_CHECKING

from pae_harness.result import TrialResult
from pae_harness.runs.plan import PlannedTrial

if TYPE_CHECKING:
    from rich.table import Table

MAX_SEED_COLUMNS = 8
PENDING, UNSCORED = "·", "unscored"


def results_table(
    trials: Sequence[PlannedTrial], results: Mapping[str, TrialResult], judge: str
) -> Table:
    """One row per task and solution, one column per seed where they fit, and the mean."""
    from rich import box
    from rich.table import Table

    seeds = sorted({trial.seed for trial in trials})
    wide = len(seeds) <= MAX_SEED_COLUMNS
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("task")
    table.add_column("solution")
    for seed in seeds if wide else ():
        table.add_column(f"seed {seed}", justify="right")
    table.add_column(f"reward ({judge})", justify="right")
    last_task = ""
    for (task, solution), row in _rows(trials).items():
        cells = [_cell(row, results, seed) for seed in seeds] if wide else []
        shown = task if task != last_task else ""
        last_task = task
        table.add_row(shown, solution, *cells, _mean(row, results))
    return table


def _rows(trials: Iterable[PlannedTrial]) -> dict[tuple[str, str], list[PlannedTrial]]:
    rows: dict[tuple[str, str], list[PlannedTrial]] = {}
    for trial in trials:
        rows.setdefault((trial.task.name, trial.solution.name), []).append(trial)
    return rows


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
