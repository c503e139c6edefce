"""From resolved options to a finished run: the steps that ``run`` and ``validate`` share."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from types import FrameType
from typing import Any

from pae_harness.errors import EXIT_INTERRUPTED, TaskError
from pae_harness.options import Resolved
from pae_harness.result import TrialResult
from pae_harness.runs.execute import Settings, execute
from pae_harness.runs.folder import RunFolder
from pae_harness.runs.plan import PlannedTrial, parse_seeds, plan
from pae_harness.runs.progress import Progress
from pae_harness.runtime import verifier_digest
from pae_harness.sandbox import open_sandbox
from pae_harness.sandbox.protocol import Sandbox
from pae_harness.solutions import Solution
from pae_harness.tasks import Task, select


@dataclass(frozen=True)
class Session:
    """A run that is about to start."""

    tasks: Sequence[Task]
    trials: Sequence[PlannedTrial]
    settings: Resolved

    @property
    def seeds(self) -> tuple[int, ...]:
        return parse_seeds(self.settings["seeds"])


@dataclass(frozen=True)
class Finished:
    """What a run ended with. ``interrupted`` says that not every trial was started."""

    folder: Path
    results: Sequence[tuple[PlannedTrial, TrialResult]]
    interrupted: bool


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
    return Session(tasks, trials, settings)


def open_for(session: Session) -> Sandbox:
    """The sandbox to run ``session`` in. Raises TaskError for a task that it cannot run."""
    sandbox = open_sandbox(session.settings["sandbox"])
    for task in session.tasks:
        if sandbox.name == "local" and task.installs_software:
            raise TaskError(
                "the Dockerfile installs software, which the local sandbox cannot do; "
                "run this task in containers",
                task.path / "environment" / "Dockerfile",
            )
    return sandbox


def run_session(
    session: Session,
    sandbox: Sandbox,
    label: str,
    progress: Progress,
    *,
    failed: Callable[[PlannedTrial, TrialResult], bool],
    details: bool = False,
) -> Finished:
    """Run all trials of ``session`` into a new run folder.

    ``failed`` decides what ``--fail-fast`` stops at. Unless ``details`` are asked for, the results
    are without them: a document can blow them up to megabytes, each kept to the end of the run.
    The first Ctrl-C lets running trials finish, the second ends the program at once.
    """
    settings = session.settings
    jobs = settings["jobs"] or len(os.sched_getaffinity(0))
    config = describe(session, sandbox, label)
    folder = RunFolder.create(settings["out"], label, config)
    results: list[tuple[PlannedTrial, TrialResult]] = []
    run_settings = Settings(
        sandbox, settings["judge"], jobs, settings["timeout_scale"], settings["keep"]
    )
    with _interruptible() as (stop, interrupted), progress:
        for trial, result in execute(session.trials, run_settings, folder, stop=stop):
            if settings["fail_fast"] and failed(trial, result):
                stop.set()
            kept = result if details else replace(result, details={})
            results.append((trial, kept))
            progress.ended(trial, kept)
    folder.close()
    return Finished(folder.path, in_order(session.trials, results), interrupted.is_set())


def describe(session: Session, sandbox: Sandbox, label: str) -> dict[str, Any]:
    """What run.json holds: the resolved configuration, versions and digests."""
    settings = session.settings
    return {
        "label": label,
        "config": {key: _plain(value) for key, value in settings.values.items()},
        "config_sources": dict(settings.sources),
        "sandbox": sandbox.name,
        "judge": {"name": settings["judge"], "stand_in": settings["judge"] == "rules"},
        "versions": {"portfolio-agent-evals": version("portfolio-agent-evals")},
        "digests": {
            "verifier": verifier_digest(),
            "tasks": {task.name: task.digests.task for task in session.tasks},
        },
        "trials": [trial.path for trial in session.trials],
    }


def in_order(
    trials: Iterable[PlannedTrial], results: Iterable[tuple[PlannedTrial, TrialResult]]
) -> list[tuple[PlannedTrial, TrialResult]]:
    """The results in the order of the plan, whatever order they ended in."""
    place = {trial.path: index for index, trial in enumerate(trials)}
    return sorted(results, key=lambda pair: place[pair[0].path])


@contextmanager
def _interruptible() -> Iterator[tuple[threading.Event, threading.Event]]:
    stop, interrupted = threading.Event(), threading.Event()

    def on_signal(number: int, frame: FrameType | None) -> None:
        if interrupted.is_set():
            os._exit(EXIT_INTERRUPTED)  # boxes die with the process that holds them
        interrupted.set()
        stop.set()

    before = signal.signal(signal.SIGINT, on_signal)
    try:
        yield stop, interrupted
    finally:
        signal.signal(signal.SIGINT, before)


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, Path) else value
