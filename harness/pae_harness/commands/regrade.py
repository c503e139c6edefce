"""``pae regrade``: judge the kept outputs of a run again, without running the agent."""

from __future__ import annotations

import argparse
from pathlib import Path

from pae_harness import options
from pae_harness.commands.run import Report, exit_code, show, show_plan
from pae_harness.config import read_config
from pae_harness.errors import NothingSelectedError, UsageError
from pae_harness.harbor.external_model import HarborTask
from pae_harness.regrading import (
    Regrading,
    require_plain,
    require_same_fixtures,
    require_same_tasks,
    trials_of,
)
from pae_harness.runs import earlier
from pae_harness.runs.aggregate import aggregate
from pae_harness.runs.progress import Progress
from pae_harness.runs.session import Session, judging_for, open_for, run_session, select_tasks
from pae_harness.settings import resolve
from pae_harness.tasks import Task

_CARRIED = ("agent", "salted", "salt")  # from the run's own run.json
OPTIONS = (options.TASKS, options.ALLOW_CHANGED, *options.REGRADE_OPTIONS)


def main(args: argparse.Namespace) -> int:
    """Exit code 0; 3 where some trial is unscored; 130 interrupted."""
    settings = resolve(OPTIONS, args, config=read_config(Path.cwd()))
    run = earlier.read(args.run)
    names = sorted({result.key.task for result in run.results.values()})
    if not names:
        raise NothingSelectedError(f"{args.run} has no finished trial")
    tasks = select_tasks(names, settings["tasks"])
    trials = trials_of(run, tasks)
    require_plain(run, trials)
    for task in tasks:
        _check(task, settings["judge"])
    session = Session(tasks, trials, settings, judging_for(tasks, settings, again=True))
    if not settings["allow_changed"]:
        require_same_tasks(run, trials)
    if settings["dry_run"]:
        return show_plan(session, args.json)
    sandbox = open_for(session)
    if not settings["allow_changed"]:
        require_same_fixtures(run, trials, sandbox)
    regrading = Regrading(run, sandbox, session.judging, settings["timeout_scale"])
    finished = run_session(
        session,
        sandbox,
        f"regrade-{run.label.removeprefix('regrade-')}",
        Progress(session.trials, session.judge, quiet=args.quiet),
        verb="regrade",
        failed=lambda trial, result: result.outcome == "unscored",
        work=regrading.work,
        more={
            "regraded_from": {"run": str(run.path), "judge": run.described.get("judge")},
            **{key: run.described[key] for key in _CARRIED if key in run.described},
        },
    )
    figures = aggregate(result for _, result in finished.results) if finished.results else None
    again = sum(regrading.judges(trial) for trial in trials)
    before = aggregate(run.results.values())
    report = Report(
        finished,
        figures,
        sandbox.name,
        session.judge,
        None,
        source=f"{again} of {len(trials)} trials judged again, of {run.path}",
        before={"run": str(run.path), "judge": run.judge, "mean": before.mean, "judged": again},
    )
    show(report, args.json)
    return exit_code(finished, figures, None)


def _check(task: Task, judge: str) -> None:
    if isinstance(task, HarborTask):
        raise UsageError(f"{task.name} brings its own tests, which no judge takes part in")
    task.check_judge(judge)
