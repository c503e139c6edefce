"""``pae run``: run an agent on tasks and report what it earned."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from pae_harness import options
from pae_harness.errors import EXIT_INTERRUPTED, UsageError
from pae_harness.result import TrialResult
from pae_harness.runs.aggregate import Aggregate, aggregate
from pae_harness.runs.plan import PlannedTrial
from pae_harness.runs.progress import Progress
from pae_harness.runs.session import Finished, open_for, prepare, run_session
from pae_harness.runs.tables import results_table, stdout_console
from pae_harness.solutions import parse

OPTIONS = (
    options.TASKS,
    options.AGENT,
    options.AGENT_DIR,
    options.MIN_REWARD,
    *options.RUN_OPTIONS,
)


def main(args: argparse.Namespace) -> int:
    """Exit code 0; 1 below --min-reward; 3 where some trial is unscored; 130 interrupted."""
    settings = options.resolve(OPTIONS, args, config=options.read_config(Path.cwd()))
    if settings["agent"] is None:
        raise UsageError("say what to run with -a: oracle, nop, trap:NAME or cmd:COMMAND")
    solution = parse(settings["agent"], settings["agent_dir"])
    session = prepare(args.task, settings, lambda task: [solution])
    if settings["dry_run"]:
        return show_plan(session.trials)
    sandbox = open_for(session)
    progress = Progress(session.trials, settings["judge"], quiet=args.quiet)
    finished = run_session(
        session,
        sandbox,
        solution.slug,
        progress,
        failed=lambda trial, result: result.outcome != "scored",
    )
    if not finished.results:
        return EXIT_INTERRUPTED
    figures = aggregate(result for _, result in finished.results)
    (_show_json if args.json else _show)(finished, figures, sandbox.name, settings["judge"])
    return exit_code(finished, figures, settings["min_reward"])


def show_plan(trials: Sequence[PlannedTrial]) -> int:
    """``--dry-run``: the trials, one a line."""
    sys.stdout.writelines(f"{trial.path}\n" for trial in trials)
    return 0


def exit_code(finished: Finished, figures: Aggregate, min_reward: float | None) -> int:
    """The run's exit code; a mean that no unscored trial could lift is a verdict already."""
    if finished.interrupted:
        return EXIT_INTERRUPTED
    if min_reward is not None and figures.best < min_reward:
        return 1
    if figures.unscored:
        return 3
    return 1 if min_reward is not None and figures.worst < min_reward else 0


def _show(finished: Finished, figures: Aggregate, sandbox: str, judge: str) -> None:
    console = stdout_console()
    by_path = {trial.path: result for trial, result in finished.results}
    console.print(results_table([trial for trial, _ in finished.results], by_path, judge))
    for trial, result in finished.results:
        if result.reason:
            console.print(
                f"{trial.path}: {result.outcome}: {result.reason}", markup=False, soft_wrap=True
            )
    console.print(summary(figures, judge), markup=False, soft_wrap=True)
    console.print(
        f"sandbox {sandbox}; {judge_note(judge)}; kept in {finished.folder}", markup=False
    )


def summary(figures: Aggregate, judge: str) -> str:
    """One line: the mean with its denominator, and what unscored trials could make of it."""
    mean = "none" if figures.mean is None else f"{figures.mean:.4f}"
    counts = f"{figures.scored} scored, {figures.agent_failed} failed, {figures.unscored} unscored"
    line = f"mean reward ({judge}) {mean}: {counts}"
    if figures.unscored:
        line += f"; with the unscored between {figures.worst:.4f} and {figures.best:.4f}"
    return line


def judge_note(judge: str) -> str:
    """The judge by name, saying so where it is a stand-in."""
    return (
        f"judge {judge}, a stand-in: not for publishing" if judge == "rules" else f"judge {judge}"
    )


def _show_json(finished: Finished, figures: Aggregate, sandbox: str, judge: str) -> None:
    results: list[TrialResult] = [result for _, result in finished.results]
    data = {
        "run": str(finished.folder),
        "sandbox": sandbox,
        "judge": judge,
        **asdict(figures),
        "results": [result.to_json() for result in results],
    }
    json.dump(data, sys.stdout, ensure_ascii=False, indent=2)
    sys.stdout.write("\n")
