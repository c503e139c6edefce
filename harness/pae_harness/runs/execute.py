"""Run many trials side by side; each ends in one result, whatever happens to the others."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace

from pae_harness.errors import PaeError
from pae_harness.result import TrialResult
from pae_harness.runs.folder import RunFolder
from pae_harness.runs.plan import PlannedTrial
from pae_harness.sandbox.protocol import Sandbox
from pae_harness.trial import run_trial


@dataclass(frozen=True)
class Settings:
    """What holds for every trial of a run."""

    sandbox: Sandbox
    judge: str
    jobs: int
    timeout_scale: float
    keep: bool


def execute(
    trials: Sequence[PlannedTrial],
    settings: Settings,
    folder: RunFolder,
    *,
    stop: threading.Event,
) -> Iterator[tuple[PlannedTrial, TrialResult]]:
    """Run ``trials`` on ``settings.jobs`` threads and yield each as it ends.

    Once ``stop`` is set no further trial starts; those that run are finished and yielded.
    """

    def one(trial: PlannedTrial) -> TrialResult | None:
        if stop.is_set():
            return None
        return _run_and_keep(trial, settings, folder)

    waiting: dict[Future[TrialResult | None], PlannedTrial] = {}
    queue = iter(trials)
    with ThreadPoolExecutor(max_workers=settings.jobs, thread_name_prefix="trial") as pool:
        while True:
            while len(waiting) < 2 * settings.jobs and not stop.is_set():
                trial = next(queue, None)
                if trial is None:
                    break
                waiting[pool.submit(one, trial)] = trial
            if not waiting:
                return
            done, _ = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                ended = waiting.pop(future)
                if (result := future.result()) is not None:
                    yield ended, result


def _run_and_keep(trial: PlannedTrial, settings: Settings, folder: RunFolder) -> TrialResult:
    try:
        draft = folder.draft(trial.path)
        result = run_trial(
            trial.task,
            trial.seed,
            trial.solution,
            sandbox=settings.sandbox,
            attempt=trial.attempt,
            judge=settings.judge,
            timeout_scale=settings.timeout_scale,
            keep=settings.keep,
            folder=draft,
        )
    except (PaeError, OSError) as error:
        return TrialResult(trial.key, "unscored", None, reason=str(error))
    try:
        folder.keep(trial.path, draft, result)
    except PaeError as error:
        return replace(result, outcome="unscored", reward=None, metrics={}, reason=str(error))
    return result
