"""``pae run``: run an agent on tasks and report what it earned."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pae_harness import options
from pae_harness.config import read_config
from pae_harness.console import reader_may_leave, stdout_console
from pae_harness.errors import EXIT_INTERRUPTED, UsageError
from pae_harness.runs.aggregate import Aggregate, Passes, Share, aggregate
from pae_harness.runs.describe import describe_judge
from pae_harness.runs.progress import Progress
from pae_harness.runs.session import (
    Finished,
    Session,
    open_for,
    prepare,
    run_session,
)
from pae_harness.runs.spent import spending, summed
from pae_harness.runs.tables import NO_JUDGE, results_table, reward_label
from pae_harness.settings import resolve
from pae_harness.solutions import KINDS, parse

OPTIONS = (
    options.TASKS,
    *options.AGENT_OPTIONS,
    options.MIN_REWARD,
    options.PASS_AT,
    *options.RUN_OPTIONS,
)


def main(args: argparse.Namespace) -> int:
    """Exit code 0; 1 below --min-reward, or where --fail-fast stopped; 3 where some trial is
    unscored; 130 interrupted."""
    settings = resolve(OPTIONS, args, config=read_config(Path.cwd()))
    if settings["agent"] is None:
        raise UsageError(f"say what to run with -a: {', '.join(KINDS)}")
    solution = parse(settings["agent"], settings["agent_dir"])
    session = prepare(args.task, settings, lambda task: [solution])
    if settings["dry_run"]:
        return show_plan(session, args.json)
    sandbox = open_for(session)
    finished = run_session(
        session,
        sandbox,
        solution.slug,
        Progress(session.trials, session.judge, quiet=args.quiet),
        failed=lambda trial, result: result.outcome != "scored",
    )
    ended = [result for _, result in finished.results]
    figures = aggregate(ended, settings["pass_at"]) if ended else None
    report = Report(finished, figures, sandbox.name, session.judge, settings["min_reward"])
    show(report, args.json)
    return exit_code(finished, figures, settings["min_reward"])


@dataclass(frozen=True)
class Report:
    """What there is to show; ``figures`` are None where no trial ended.

    Of a run whose outputs were there before, ``source`` is a sentence and ``before`` its figures.
    """

    finished: Finished
    figures: Aggregate | None
    sandbox: str
    judge: str
    min_reward: float | None
    source: str = ""
    before: Mapping[str, Any] | None = None


def show(report: Report, as_json: bool) -> None:
    """On standard output."""
    with reader_may_leave():
        (_show_json if as_json else _show)(report)


def show_plan(session: Session, as_json: bool) -> int:
    """``--dry-run``: the trials, one a line, and on stderr the judge, or both as JSON."""
    judge, agent = describe_judge(session), session.agents.describe()
    if as_json:
        trials = [trial.path for trial in session.trials]
        data = {"trials": trials, "judge": judge, **({"model": agent} if agent else {})}
        json.dump(data, sys.stdout, indent=2)
        sys.stdout.write("\n")
        return 0
    sys.stdout.writelines(f"{trial.path}\n" for trial in session.trials)
    sys.stdout.flush()
    where = f" at {judge['base_url']}" if judge.get("base_url") else ""
    sys.stderr.write(f"pae: {judge_note(judge['name'])}{where}\n")
    if agent:
        sys.stderr.write(f"pae: the agent's model {agent['name']} at {agent['base_url']}\n")
    return 0


def exit_code(finished: Finished, figures: Aggregate | None, min_reward: float | None) -> int:
    """The run's exit code; a mean that no unscored trial could lift is a verdict already."""
    if finished.interrupted or figures is None:
        return EXIT_INTERRUPTED
    if min_reward is not None and figures.best < min_reward:
        return 1
    if figures.unscored or finished.unwritten:
        return 3
    return 1 if finished.failed_fast or _below(figures, min_reward) else 0


def _below(figures: Aggregate, min_reward: float | None) -> bool:
    return min_reward is not None and figures.worst < min_reward


def _show(report: Report) -> None:
    finished, figures = report.finished, report.figures
    console = stdout_console()
    by_path = {trial.path: result for trial, result in finished.results}
    trials = [trial for trial, _ in finished.results]
    if figures is not None:
        console.print(results_table(trials, by_path, report.judge, console.width))
    for trial, result in finished.results:
        if result.reason:
            reason = f"{trial.path}: {result.outcome}: {result.reason}"
            console.print(reason, markup=False, soft_wrap=True)
    lines = ["no trial was run" if figures is None else summary(figures, report.judge)]
    if figures is not None:
        lines += pass_lines(figures.passes)
    if figures is not None and report.min_reward is not None and _below(figures, report.min_reward):
        lines.append(
            f"below --min-reward {report.min_reward:g}: "
            f"the mean is {figures.worst:.4f}, unscored counted as 0"
        )
    lines += early_end(finished)
    if spent := spending(_usage(finished)):
        lines.append(spent)
    if report.before is not None and report.before["mean"] is not None:
        label = reward_label(report.before["judge"])
        lines.append(f"{report.source}: mean {label} was {report.before['mean']:.4f}")
    lines.append(f"sandbox {report.sandbox}; {judge_note(report.judge)}; kept in {finished.folder}")
    for line in lines:
        console.print(line, markup=False, soft_wrap=True)


def early_end(finished: Finished) -> list[str]:
    """What to say of trials that were not run, or that the disk refused."""
    lines = []
    if finished.interrupted or finished.not_run:
        why = "interrupted" if finished.interrupted else "stopped after a failure (--fail-fast)"
        lines.append(f"{why}, {finished.not_run} trials not run")
    if finished.unwritten:
        lines.append(f"trials.jsonl lacks {finished.unwritten} trials: the disk refused them")
    return lines


def _usage(finished: Finished) -> dict[str, float]:
    return summed(result.usage for _, result in finished.results)


def summary(figures: Aggregate, judge: str) -> str:
    """One line: the mean with its denominator, and what unscored trials could make of it."""
    mean = "none" if figures.mean is None else f"{figures.mean:.4f}"
    counts = f"{figures.scored} scored, {figures.agent_failed} failed, {figures.unscored} unscored"
    line = f"mean {reward_label(judge)} {mean}: {counts}"
    if figures.retried:
        line += f", {figures.retried} of them tried again"
    if figures.unscored:
        line += f"; with the unscored between {figures.worst:.4f} and {figures.best:.4f}"
    return line


def pass_lines(passes: Passes) -> list[str]:
    """One line on attempts that pass, where there are several: one attempt has its reward."""
    k = passes.attempts
    if k == 1:
        return []
    every = _share(passes.every)
    if passes.measured < passes.pairs:
        every += f", {passes.measured} of {passes.pairs} (task, seed) measured"
    return [f"reward of at least {passes.at:g}: pass@1 {_share(passes.one)}; pass^{k} {every}"]


def _share(share: Share) -> str:
    value = "not measured" if share.value is None else f"{share.value:.4f}"
    if share.worst == share.best:
        return value
    return f"{value} (with the unscored between {share.worst:.4f} and {share.best:.4f})"


def judge_note(judge: str) -> str:
    """The judge by name, saying so where it is a stand-in."""
    if judge == NO_JUDGE:
        return "no judge took part"
    return (
        f"judge {judge}, a stand-in: not for publishing" if judge == "rules" else f"judge {judge}"
    )


def _show_json(report: Report) -> None:
    finished = report.finished
    data = {
        "run": str(finished.folder),
        "sandbox": report.sandbox,
        "judge": report.judge,
        "interrupted": finished.interrupted,
        "not_run": finished.not_run,
        **({"before": dict(report.before)} if report.before is not None else {}),
        **(asdict(report.figures) if report.figures is not None else {}),
        "usage": _usage(finished),
        "results": [result.to_json() for _, result in finished.results],
    }
    json.dump(data, sys.stdout, ensure_ascii=False, indent=2)
    sys.stdout.write("\n")
