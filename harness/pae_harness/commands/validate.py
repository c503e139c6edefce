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
from pae_harness.commands.run import judge_note, show_plan
from pae_harness.errors import EXIT_INTERRUPTED
from pae_harness.fixture_checks import FixtureProblem, check_fixtures
from pae_harness.result import TrialResult
from pae_harness.runs.plan import PlannedTrial
from pae_harness.runs.progress import Progress
from pae_harness.runs.session import Finished, open_for, prepare, run_session
from pae_harness.runs.tables import results_table, stdout_console
from pae_harness.solutions import Solution, parse
from pae_harness.tasks import Task
from pae_harness.validation import Verdict, verdict_on

OPTIONS = (options.TASKS, *options.RUN_OPTIONS)


def main(args: argparse.Namespace) -> int:
    """Exit code 0; 1 where a solution did not do what it must; 3 where a trial is unscored."""
    start = time.monotonic()
    settings = options.resolve(OPTIONS, args, config=options.read_config(Path.cwd()))
    session = prepare(args.task, settings, gate_solutions)
    if settings["dry_run"]:
        return show_plan(session.trials)
    sandbox = open_for(session)
    problems = [p for task in session.tasks for p in check_fixtures(task, session.seeds, sandbox)]
    progress = Progress(session.trials, settings["judge"], quiet=args.quiet)
    finished = run_session(
        session,
        sandbox,
        "validate",
        progress,
        failed=lambda trial, result: not verdict_on(trial.task, result, None).ok,
        details=True,
    )
    verdicts = verdicts_on(finished)
    done = len(verdicts) == len(session.trials)
    ok = done and not problems and all(verdict.ok for verdict in verdicts)
    if args.json:
        json.dump(as_json(ok, verdicts, problems), sys.stdout, ensure_ascii=False, indent=2)
        sys.stdout.write("\n")
    else:
        _show(finished, verdicts, problems, settings["judge"])
        word = "ok" if ok else "not ok"
        sys.stdout.write(
            f"{word}: {len(verdicts)} of {len(session.trials)} trials in "
            f"{time.monotonic() - start:.1f} s; sandbox {sandbox.name}; "
            f"{judge_note(settings['judge'])}; kept in {finished.folder}\n"
        )
    if finished.interrupted:
        return EXIT_INTERRUPTED
    return exit_code(verdicts, problems)


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


def exit_code(verdicts: Sequence[Verdict], problems: Sequence[FixtureProblem]) -> int:
    """1 for anything that a second try would not change, else 3 for unscored trials, else 0."""
    failed = [verdict for verdict in verdicts if not verdict.ok]
    if problems or any(verdict.result.outcome != "unscored" for verdict in failed):
        return 1
    return 3 if failed else 0


def as_json(
    ok: bool, verdicts: Sequence[Verdict], problems: Sequence[FixtureProblem]
) -> dict[str, Any]:
    """The ``--json`` shape."""
    keys = ("task", "seed", "solution", "attempt", "outcome", "reward", "metrics")
    rows = []
    for verdict in verdicts:
        data = verdict.result.to_json()
        rows.append({**{key: data[key] for key in keys}, "ok": verdict.ok, "why": verdict.why})
    return {
        "ok": ok,
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
    table = results_table([trial for trial, _ in finished.results], by_path, judge)
    console.print(table)
    for problem in problems:
        console.print(f"{problem.task}: {problem.why}", markup=False, soft_wrap=True)
    for (trial, _), verdict in zip(finished.results, verdicts, strict=True):
        if not verdict.ok:
            console.print(f"{trial.path}: {verdict.why}", markup=False, soft_wrap=True)
