"""Tables of results: every figure whole, or not there."""

from __future__ import annotations

from io import StringIO

from rich.console import Console

from pae_harness.result import TrialResult
from pae_harness.runs.plan import PlannedTrial
from pae_harness.runs.tables import results_table
from pae_harness.solutions import parse
from pae_harness.tasks import Task


def shown(task: Task, width: int, judge: str = "rules") -> str:
    trials = [PlannedTrial(task, seed, parse("oracle")) for seed in (1, 2, 3)]
    results = {t.path: TrialResult(t.key, "scored", t.seed / 4) for t in trials}
    file = StringIO()
    Console(file=file, width=width).print(results_table(trials, results, judge, width))
    return file.getvalue()


def test_there_is_a_column_a_seed_where_they_fit(tiny: Task) -> None:
    lines = shown(tiny, 80).splitlines()
    assert lines[1].split() == [
        "solution",
        "seed",
        "1",
        "seed",
        "2",
        "seed",
        "3",
        "reward",
        "(rules)",
    ]
    assert lines[4].split() == ["oracle", "0.250", "0.500", "0.750", "0.500"]


def test_where_they_do_not_fit_the_least_stands_for_them(tiny: Task) -> None:
    lines = shown(tiny, 50).splitlines()
    assert lines[1].split() == ["solution", "least", "of", "3", "seeds", "reward", "(rules)"]
    assert lines[4].split() == ["oracle", "0.250", "0.500"]


def test_no_judge_is_named_where_none_took_part(tiny: Task) -> None:
    assert "(" not in shown(tiny, 80, judge="none")
