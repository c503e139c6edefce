"""``pae validate``: on every seed the oracle earns 1.0, every trap loses credit, nop earns 0."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pae_harness import options
from pae_harness.commands.run import early_end, judge_note, show_plan
from pae_harness.config import read_config
from pae_harness.console import reader_may_leave, stdout_console
from pae_harness.errors import EXIT_INTERRUPTED
from pae_harness.fixture_checks import FixtureProblem, check_fixtures
from pae_harness.result import TrialResult
from pae_harness.runs.plan import PlannedTrial
from pae_harness.runs.progress import Progress
from pae_harness.runs.session import Finished, open_for, prepare, run_session
from pae_harness.runs.tables import results_table
from pae_harness.settings import resolve
from pae_harness.solutions import Solution, parse
from pae_harness.tasks import Task
from pae_harness.validation import Verdict, verdict_on

OPTIONS = (options.TASKS, *options.RUN_OPTIONS)


def main(args: argparse.Namespace) -> int:
    """Exit code 0; 1 where a solution did not do what it must; 3 where a trial is unscored."""
    start = time.monotonic()
    settings = resolve(OPTIONS, args, config=read_config(Path.cwd()))
    session = prepare(args.task, settings, gate_solutions)
    if settings["dry_run"]:
        return show_plan(session, args.json)
    sandbox = open_for(session)
    problems = [p for task in session.tasks for p in check_fixtures(task, session.seeds, sandbox)]
    progress = Progress(session.trials, session.judge, quiet=args.quiet)
    finished = run_session(
        session,
        sandbox,
        "validate",
        progress,
        verb="validate",
        failed=lambda trial, result: not verdict_on(trial.task, result, None).ok,
        details=True,
    )
    verdicts = verdicts_on(finished)
    with reader_may_leave():
        if args.json:
            report = as_json(finished, verdicts, problems)
            json.dump(report, sys.stdout, ensure_ascii=False, indent=2)
            sys.stdout.write("\n")
        else:
            _show(finished, verdicts, problems, session.judge)
            sys.stdout.write(
                f"{conclusion(finished, verdicts, problems)} in {time.monotonic() - start:.1f} s; "
                f"sandbox {sandbox.name}; {judge_note(session.judge)}; kept in {finished.folder}\n"
            )
    return exit_code(finished, verdicts, problems)


def gate_solutions(task: Task) -> Sequence[Solution]:
    """Oracle, nop and every trap."""
    return [parse("oracle"), parse("nop"), *(parse(f"trap:{trap.name}") for trap in task.traps)]


def verdicts_on(finished: Finished) -> list[Verdict]:
    """The verdicts, each trap held against the oracle of its own seed and attempt."""
    oracles = {
        (result.key.task, result.key.seed, result.key.attempt): result
        for _, result in finished.results
        if result.key.solution == "oracle"
    }

    def oracle_of(trial: PlannedTrial) -> TrialResult | None:
        return oracles.get((trial.task.name, trial.seed, trial.attempt))

    return [verdict_on(trial.task, result, oracle_of(trial)) for trial, result in finished.results]


def conclusion(
    finished: Finished, verdicts: Sequence[Verdict], problems: Sequence[FixtureProblem]
) -> str:
    """``ok`` or ``not ok``, and of how many trials how many failed."""
    total = len(verdicts) + finished.not_run
    if holds(finished, verdicts, problems):
        return f"ok: {total} of {total} trials"
    unscored = sum(verdict.result.outcome == "unscored" for verdict in verdicts)
    failed = sum(not verdict.ok for verdict in verdicts) - unscored
    counts = {"failed": failed, "unscored": unscored, "not run": finished.not_run}
    told = [f"{count} {what}" for what, count in counts.items() if count or what == "failed"]
    if problems:
        told.append(f"{len(problems)} problem{'s' * (len(problems) != 1)} with the fixtures")
    return f"not ok: of {total} trials {', '.join(told)}"


def holds(
    finished: Finished, verdicts: Sequence[Verdict], problems: Sequence[FixtureProblem]
) -> bool:
    """Whether every trial was run and did what it must."""
    return not finished.not_run and not problems and all(verdict.ok for verdict in verdicts)


def exit_code(
    finished: Finished, verdicts: Sequence[Verdict], problems: Sequence[FixtureProblem]
) -> int:
    """1 for anything that a second try would not change, else 3 for unscored trials, else 0."""
    if finished.interrupted:
        return EXIT_INTERRUPTED
    failed = [verdict for verdict in verdicts if not verdict.ok]
    if problems or any(verdict.result.outcome != "unscored" for verdict in failed):
        return 1
    return 3 if failed or finished.unwritten else 0


def as_json(
    finished: Finished, verdicts: Sequence[Verdict], problems: Sequence[FixtureProblem]
) -> dict[str, Any]:
    """The ``--json`` shape."""
    keys = ("task", "seed", "solution", "attempt", "outcome", "reward", "metrics")
    rows = []
    for verdict in verdicts:
        data = verdict.result.to_json()
        rows.append({**{key: data[key] for key in keys}, "ok": verdict.ok, "why": verdict.why})
    return {
        "ok": holds(finished, verdicts, problems),
        "interrupted": finished.interrupted,
        "not_run": finished.not_run,
        "results": rows,
        "fixtures": [{"task": p.task, "why": p.why} for p in problems],
    }


def _show(
    finished: Finished,
    verdicts: Sequence[Verdict],
    problems: Sequence[FixtureProblem],
    judge: str,
) -> None:
    console = stdout_console()
    by_path = {trial.path: result for trial, result in finished.results}
    trials = [trial for trial, _ in finished.results]
    if trials:
        console.print(results_table(trials, by_path, judge, console.width))
    for problem in problems:
        console.print(f"{problem.task}: {problem.why}", markup=False, soft_wrap=True)
    for (trial, _), verdict in zip(finished.results, verdicts, strict=True):
        if not verdict.ok:
            console.print(f"{trial.path}: {verdict.why}", markup=False, soft_wrap=True)
    for line in early_end(finished):
        console.print(line, markup=False, soft_wrap=True)
