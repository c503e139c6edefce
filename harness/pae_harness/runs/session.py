"""From resolved options to a finished run: the steps that ``run`` and ``validate`` share."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pae_harness.agent_phase import NOT_KEPT
from pae_harness.agents.model import AgentModel
from pae_harness.agents.naming import parse as parse_model
from pae_harness.cache import cache_root, discard_drafts, require_cache
from pae_harness.errors import EXIT_INTERRUPTED, TaskError, UsageError
from pae_harness.judges import RULES, Spending
from pae_harness.judges import parse as parse_judge
from pae_harness.judging import Judging
from pae_harness.oneline import shortened
from pae_harness.result import TrialResult
from pae_harness.runs.describe import check_agent, describe
from pae_harness.runs.execute import Running, Work, execute
from pae_harness.runs.folder import RunFolder
from pae_harness.runs.interrupt import Interruption
from pae_harness.runs.plan import PlannedTrial, parse_seeds, plan
from pae_harness.runs.progress import Progress
from pae_harness.runs.read import missing
from pae_harness.runs.tables import NO_JUDGE
from pae_harness.sandbox import open_sandbox
from pae_harness.sandbox.protocol import Sandbox
from pae_harness.scratch import sweep
from pae_harness.settings import Resolved
from pae_harness.solutions import Solution
from pae_harness.tasks import Task, select
from pae_harness.trial import run_trial
from pae_verifiers.judge.family import kinship


@dataclass(frozen=True)
class Session:
    """A run that is about to start."""

    tasks: Sequence[Task]
    trials: Sequence[PlannedTrial]
    settings: Resolved
    judging: Judging
    agents: AgentModel = field(default_factory=AgentModel)

    @property
    def seeds(self) -> tuple[int, ...]:
        return parse_seeds(self.settings["seeds"])

    @property
    def judge(self) -> str:
        """The judge's name, or ``none`` where no task has anything for it to decide."""
        return self.judging.name if _has_rubric(self.tasks) else NO_JUDGE


@dataclass(frozen=True)
class Finished:
    """What a run ended with.

    ``not_run`` trials were never started, after an interrupt or, with --fail-fast, after a failure
    (``failed_fast``). ``unwritten`` lines are missing from trials.jsonl: the disk refused them.
    """

    folder: Path
    results: Sequence[tuple[PlannedTrial, TrialResult]]
    interrupted: bool = False
    not_run: int = 0
    failed_fast: bool = False
    unwritten: int = 0


def select_tasks(names: Sequence[str], tasks_folder: Path | None) -> list[Task]:
    """The tasks of these names or folders, or the whole suite; UsageError for an unknown one."""
    return [selected.load() for selected in select(names, Path.cwd(), tasks_folder)]


def prepare(
    names: Sequence[str],
    settings: Resolved,
    solutions: Callable[[Task], Sequence[Solution]],
) -> Session:
    """Load the tasks and plan the trials; nothing runs yet."""
    tasks = select_tasks(names, settings["tasks"])
    trials = plan(
        tasks,
        parse_seeds(settings["seeds"]),
        solutions,
        attempts=settings["attempts"],
        match=settings["match"],
    )
    for trial in trials:
        trial.solution.check(trial.task)
        trial.task.check_judge(settings["judge"])
    session = Session(tasks, trials, settings, judging_for(tasks, settings), model_for(settings))
    check_agent(trials, session.agents)
    _check_kinship(session)
    return session


def model_for(settings: Resolved) -> AgentModel:
    """The model of a run's agents, not yet to be asked."""
    if settings.values.get("model") is None:
        return AgentModel()
    spending = Spending(
        calls=settings["agent_calls"],
        tokens=settings["agent_tokens"],
        usd=settings["agent_usd"],
        prices=settings.prices,
    )
    return AgentModel(parse_model(settings["model"]), spending)


def _check_kinship(session: Session) -> None:
    """A judge favours its own kind: say so, or refuse it where that is asked for."""
    judge, agent = session.judging.judge.model, session.agents.model
    if judge is None or agent is None or not (kin := kinship(judge.name, agent.name)):
        return
    if session.settings["strict_family"]:
        raise UsageError(f"{kin} (--strict-family); take another --judge")
    _tell(kin)


def judging_for(tasks: Sequence[Task], settings: Resolved, *, again: bool = False) -> Judging:
    """The judge of a run, not yet at work; of one where there is nothing to judge, a plain one."""
    judge = parse_judge(settings["judge"] if _has_rubric(tasks) else RULES)
    judge = replace(judge, prompt=settings["judge_prompt"])
    spending = Spending(
        calls=settings["judge_calls"],
        tokens=settings["judge_tokens"],
        usd=settings["judge_usd"],
        seconds=settings["judge_seconds"],
        cache=settings["judge_cache"],
        prices=settings.prices,
    )
    return Judging(judge, spending, again=again)


def _has_rubric(tasks: Iterable[Task]) -> bool:
    return any(task.verifier.rubric for task in tasks)


def open_for(session: Session, name: str | None = None) -> Sandbox:
    """The sandbox to run ``session`` in: the one called ``name``, or as its settings have it.

    What dead runs left in the cache and the temporary folder goes first.

    Raises TaskError for a task that it cannot run, UsageError where the cache cannot be written or
    the judge lacks something, such as its key.
    """
    session.judging.require()
    session.agents.require()
    require_cache()
    sweep(cache_root())
    sandbox = open_sandbox(name or session.settings["sandbox"], _tell)
    for task in session.tasks:
        if sandbox.name == "local" and task.installs_software:
            raise TaskError(
                "the Dockerfile installs software, which the local sandbox cannot do; "
                "run it in containers (--sandbox docker)",
                task.path / "environment" / "Dockerfile",
            )
    return sandbox


def _tell(sentence: str) -> None:
    sys.stderr.write(f"pae: {sentence}\n")


def run_session(
    session: Session,
    sandbox: Sandbox,
    label: str,
    progress: Progress,
    *,
    verb: str = "run",
    failed: Callable[[PlannedTrial, TrialResult], bool],
    details: bool = False,
    work: Work | None = None,
    more: Mapping[str, Any] | None = None,
) -> Finished:
    """Run all trials of ``session`` into a new run folder.

    ``verb`` is the command whose run it is; ``work`` is done for each instead of running its
    solution; ``more`` goes into run.json.
    ``failed`` decides what ``--fail-fast`` stops at. Unless ``details`` are asked for, the results
    are without them: a document can blow them up to megabytes, each kept to the end of the run.
    The first Ctrl-C lets running trials finish, the second ends the program at once.
    """
    described = {**describe(session, sandbox, label, verb), **(more or {})}
    folder = RunFolder.create(session.settings["out"], label, described)
    return run_in(folder, session, sandbox, progress, failed=failed, details=details, work=work)


def run_in(
    folder: RunFolder,
    session: Session,
    sandbox: Sandbox,
    progress: Progress,
    *,
    failed: Callable[[PlannedTrial, TrialResult], bool],
    details: bool = False,
    work: Work | None = None,
    done: Mapping[str, TrialResult] | None = None,
) -> Finished:
    """Run those trials of ``session`` that ``done``, the results by their paths, lacks or has
    unscored; see :func:`run_session`.
    """
    settings, done = session.settings, done or {}
    todo = set(missing([trial.path for trial in session.trials], done))
    run = _Run(session, folder, progress, dict(done))
    before = {path: done[path] for path in todo if path in done}
    ended: list[PlannedTrial] = []

    def failed_fast(trial: PlannedTrial, result: TrialResult) -> bool:
        return bool(settings["fail_fast"]) and failed(trial, result)

    with (
        session.judging,
        session.agents,
        Interruption(run.finish_soon, run.end_now) as interruption,
        progress,
    ):
        for trial, result in execute(
            [trial for trial in session.trials if trial.path in todo],
            work or _running(session, sandbox),
            folder,
            jobs=settings["jobs"] or len(os.sched_getaffinity(0)),
            stop=run.stop,
            running=run.running,
            stop_after=failed_fast,
            retries=settings["retries"],
            earlier=before,
        ):
            run.results[trial.path] = result if details else replace(result, details={})
            ended.append(trial)
            progress.ended(trial, run.results[trial.path])
            run.say_what_was_not_kept(trial)
    return Finished(
        folder.path,
        [(trial, run.results[trial.path]) for trial in session.trials if trial.path in run.results],
        interrupted=interruption.happened.is_set(),
        not_run=len(session.trials) - len(run.results),
        failed_fast=any(failed_fast(trial, run.results[trial.path]) for trial in ended),
        unwritten=folder.close(),
    )


@dataclass
class _Run:
    """A run that is under way, and the two ways to end it early."""

    session: Session
    folder: RunFolder
    progress: Progress
    results: dict[str, TrialResult]
    stop: threading.Event = field(default_factory=threading.Event)
    running: Running = field(default_factory=Running)

    def say_what_was_not_kept(self, trial: PlannedTrial) -> None:
        note = self.folder.path / trial.path / NOT_KEPT
        if note.is_file():
            why = shortened(note.read_text(encoding="utf-8").strip())
            self.progress.say(f"pae: {trial.path}: nothing of /app could be kept: {why}")

    def finish_soon(self, signal: str) -> None:
        self.stop.set()
        count = self.running.count
        trials = "1 trial" if count == 1 else f"{count} trials"
        self.progress.say(f"pae: finishing {trials}; Ctrl-C again to stop now")

    def end_now(self, signal: str) -> None:
        self.stop.set()
        self.progress.stop()
        left = len(self.session.trials) - len(self.results)
        self.progress.say(
            f"pae: stopped by {signal}; {left} of {len(self.session.trials)} trials did not end; "
            f"those that did are kept in {self.folder.path}"
        )
        discard_drafts()
        self.folder.abandon()
        os._exit(EXIT_INTERRUPTED)  # boxes die with the process that holds them


def _running(session: Session, sandbox: Sandbox) -> Work:
    """The ordinary work: run the solution, then verify what it left."""
    settings = session.settings

    def work(trial: PlannedTrial, folder: Path) -> TrialResult:
        return run_trial(
            trial.task,
            trial.seed,
            trial.solution,
            sandbox=sandbox,
            attempt=trial.attempt,
            judge=session.judging,
            model=session.agents,
            timeout_scale=settings["timeout_scale"],
            keep=settings["keep"],
            folder=folder,
        )

    return work
