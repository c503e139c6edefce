"""Results as tables for a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from statistics import fmean
from typing import TYPE_CHECKING

from pae_harness.result import TrialResult
from pae_harness.runs.aggregate import mean_over_seeds
from pae_harness.runs.plan import PlannedTrial

if TYPE_CHECKING:
    from rich.table import Table

MAX_SEED_COLUMNS = 8
PENDING, UNSCORED, NO_JUDGE = "·", "unscored", "none"


def reward_label(judge: str) -> str:
    """``reward (JUDGE)``, or ``reward`` where no judge took part."""
    return "reward" if judge == NO_JUDGE else f"reward ({judge})"


def results_table(
    trials: Sequence[PlannedTrial],
    results: Mapping[str, TrialResult],
    judge: str,
    width: int = 10_000,
) -> Table:
    """One row per solution with its mean; tasks in sections.

    There is one column per seed where they fit into ``width`` characters, else one with the least
    of a solution's rewards: a figure that is cut off would be another figure.
    """
    seeds = sorted({trial.seed for trial in trials})
    sections = _sections(trials)
    by_seed: dict[str, Callable[[Sequence[PlannedTrial]], str]] = {
        f"seed {seed}": partial(_cell, results=results, seed=seed) for seed in seeds
    }
    table = _table(sections, {**by_seed, reward_label(judge): partial(_mean, results=results)})
    if len(seeds) <= MAX_SEED_COLUMNS and _width(table) <= width:
        return table
    least = {f"least of {len(seeds)} seeds": partial(_least, results=results)} if by_seed else {}
    return _table(sections, {**least, reward_label(judge): partial(_mean, results=results)})


def _table(
    sections: Mapping[str, Mapping[str, Sequence[PlannedTrial]]],
    columns: Mapping[str, Callable[[Sequence[PlannedTrial]], str]],
) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("solution", no_wrap=True)
    for name in columns:
        table.add_column(name, justify="right", no_wrap=True)
    for task, rows in sections.items():
        table.add_row(f"[bold]{task}[/bold]")
        for solution, row in rows.items():
            table.add_row(f"  {solution}", *(cell(row) for cell in columns.values()))
        table.add_section()
    return table


def _width(table: Table) -> int:
    from rich.console import Console

    console = Console(width=10_000)
    return console.measure(table).maximum


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


def _least(row: Sequence[PlannedTrial], results: Mapping[str, TrialResult]) -> str:
    ended = [results[trial.path] for trial in row if trial.path in results]
    rewards = [r.reward for r in ended if r.reward is not None]
    return f"{min(rewards):.3f}" if rewards else "-"


def _mean(row: Sequence[PlannedTrial], results: Mapping[str, TrialResult]) -> str:
    ended = [results[trial.path] for trial in row if trial.path in results]
    mean = mean_over_seeds(ended)
    return "-" if mean is None else f"{mean:.3f}"
