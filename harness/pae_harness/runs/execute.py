"""Run many trials side by side; each ends in one result, whatever happens to the others."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path

from pae_harness.disk import refusal
from pae_harness.errors import PaeError
from pae_harness.result import TrialResult
from pae_harness.runs.folder import RunFolder
from pae_harness.runs.plan import PlannedTrial

# What makes the trial's result, and its files in the folder that is given.
Work = Callable[[PlannedTrial, Path], TrialResult]


class Running:
    """How many trials are under way; each is a ``with`` block."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.count = 0

    def __enter__(self) -> None:
        with self._lock:
            self.count += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self.count -= 1


def execute(
    trials: Sequence[PlannedTrial],
    work: Work,
    folder: RunFolder,
    *,
    jobs: int,
    stop: threading.Event,
    running: Running,
    stop_after: Callable[[PlannedTrial, TrialResult], bool] = lambda trial, result: False,
) -> Iterator[tuple[PlannedTrial, TrialResult]]:
    """Do ``work`` for all ``trials`` on ``jobs`` threads and yield each as it ends.

    Once ``stop`` is set no further trial starts; those that run are finished and yielded. A result
    for which ``stop_after`` holds sets it, before the thread that made it can begin another.
    """

    def one(trial: PlannedTrial) -> TrialResult | None:
        if stop.is_set():
            return None
        with running:
            result = _run_and_keep(trial, work, folder)
        if stop_after(trial, result):
            stop.set()
        return result

    waiting: dict[Future[TrialResult | None], PlannedTrial] = {}
    queue = iter(trials)
    with ThreadPoolExecutor(max_workers=jobs, thread_name_prefix="trial") as pool:
        while True:
            while len(waiting) < 2 * jobs and not stop.is_set():
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


def _run_and_keep(trial: PlannedTrial, work: Work, folder: RunFolder) -> TrialResult:
    draft = folder.path
    try:
        draft = folder.draft(trial.path)
        result = work(trial, draft)
        folder.keep(trial.path, draft, result)
    except PaeError as error:
        return _unscored(trial, str(error), folder)
    except OSError as error:
        return _unscored(trial, f"cannot keep the trial: {refusal(error, draft)}", folder)
    return result


def _unscored(trial: PlannedTrial, reason: str, folder: RunFolder) -> TrialResult:
    result = TrialResult(trial.key, "unscored", None, reason=reason)
    folder.record(result)
    return result
