"""Kept outputs judged again: the verifier's box alone, on fixtures that are made again."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pae_harness.boundary import bounded
from pae_harness.errors import UsageError
from pae_harness.fixtures import SALT, fixtures
from pae_harness.judging import Judging
from pae_harness.result import TrialResult
from pae_harness.runs.earlier import EarlierRun
from pae_harness.runs.plan import PlannedTrial
from pae_harness.sandbox.protocol import Sandbox
from pae_harness.tasks import Task
from pae_harness.tasks.digests import special, tree_digest
from pae_harness.verification import Verification

_ANYWAY = "--allow-changed judges them all the same"
# What has been scored once by another judge is no result of this one.
_NOT_KEPT: Mapping[str, Any] = {
    "outcome": "unscored",
    "reward": None,
    "metrics": {},
    "reason": "its outputs were not kept, so that nobody can judge them again",
}
_MADE_ANEW = ("trial.json", "verifier", "judge", "error.log")


def trials_of(run: EarlierRun, tasks: Iterable[Task]) -> list[PlannedTrial]:
    """The run's finished trials, with the tasks as they are now."""
    by_name = {task.name: task for task in tasks}
    return [
        PlannedTrial(
            by_name[result.key.task], result.key.seed, run.solution(result), result.key.attempt
        )
        for result in run.results.values()
    ]


def require_plain(run: EarlierRun, trials: Iterable[PlannedTrial]) -> None:
    """Raises UsageError for links and devices, by which a run would have other files judged."""
    for trial in trials:
        for path in _places(run, trial):
            if os.path.lexists(path) and (what := special(path)):
                raise UsageError(
                    f"{path} is {what}: in a run folder there are plain files and folders"
                )


def _places(run: EarlierRun, trial: PlannedTrial) -> Iterator[Path]:
    """All that leads to a trial's outputs, what lies beside them, and they themselves."""
    folder = run.path / trial.path
    yield from (path for path in reversed(folder.parents) if path.is_relative_to(run.path))
    yield folder
    if folder.is_dir():
        yield from folder.iterdir()
        yield from (folder / "output").rglob("*")


def require_same_tasks(run: EarlierRun, trials: Iterable[PlannedTrial]) -> None:
    """Raises UsageError for a task that is another than the run had, or for changed outputs."""
    for trial in trials:
        old = run.results[trial.path]
        if old.digests.get("task") != trial.task.digests.task:
            raise UsageError(
                f"the task {trial.task.name} has changed since its outputs were made; {_ANYWAY}"
            )
        if old.digests.get("output", "") not in ("", tree_digest(_output(run, trial))):
            raise UsageError(f"the output of {trial.path} is not what the run recorded; {_ANYWAY}")


def require_same_fixtures(
    run: EarlierRun, trials: Iterable[PlannedTrial], sandbox: Sandbox
) -> None:
    """Raises UsageError for fixtures that are others than the run had."""
    for trial in trials:
        was = run.results[trial.path].digests.get("fixtures")
        if was is not None and was != tree_digest(_tree(trial, sandbox)):
            raise UsageError(
                f"the fixtures of {trial.task.name}, seed {trial.seed}, are not those that its "
                f"outputs were made with (is {SALT} the same?); {_ANYWAY}"
            )


@dataclass(frozen=True)
class Regrading:
    """The work of `pae regrade`."""

    run: EarlierRun
    sandbox: Sandbox
    judging: Judging
    timeout_scale: float

    def judges(self, trial: PlannedTrial) -> bool:
        """Whether there is anything to judge: a failed agent's trial stays as it is, and so does
        one without all of its outputs."""
        old = self.run.results[trial.path]
        kept = len(_outputs(_output(self.run, trial), trial.task)) == len(trial.task.outputs)
        return old.outcome != "agent_failed" and "output" in old.digests and kept

    def work(self, trial: PlannedTrial, folder: Path) -> TrialResult:
        """The trial's new result; its folder is the old one's, with a new verdict."""
        old = self.run.results[trial.path]
        source = self.run.path / trial.path
        if not self.judges(trial):
            _copy(source, folder, ("trial.json",))
            return replace(old, **_NOT_KEPT) if old.outcome == "scored" else old
        _copy(source, folder, _MADE_ANEW)
        step = _Step(self, trial, folder.resolve(), old)
        return bounded(step.run, lambda: step.so_far, folder)


class _Step:
    """One trial, judged again, and what is known of it so far."""

    def __init__(
        self, regrading: Regrading, trial: PlannedTrial, folder: Path, old: TrialResult
    ) -> None:
        self._regrading, self._trial, self._folder = regrading, trial, folder
        judge = regrading.judging.name if trial.task.verifier.rubric else "none"
        digests = {name: old.digests[name] for name in old.digests if name != "verifier_image"}
        digests |= {
            "task": trial.task.digests.task,
            "verifier": regrading.sandbox.verifier_digest,
        }
        self.so_far = replace(
            *(old,),
            judge=judge,
            sandbox=regrading.sandbox.name,
            digests=digests,
            usage={k: v for k, v in old.usage.items() if not k.startswith("judge_")},
        )

    def run(self) -> TrialResult:
        task, regrading = self._trial.task, self._regrading
        tree = _tree(self._trial, regrading.sandbox)
        outputs = _outputs(self._folder / "output", task)
        verification = Verification(
            task, self._trial.key, regrading.sandbox, regrading.judging, regrading.timeout_scale
        )
        began = time.monotonic()
        try:
            verified = verification.run(tree, outputs, self._folder)
        finally:
            self.so_far = replace(
                self.so_far,
                usage={**self.so_far.usage, **verification.usage},
                timings={**self.so_far.timings, "verifier": round(time.monotonic() - began, 4)},
            )
        digests = {**self.so_far.digests, "fixtures": tree_digest(tree)}
        if verified.software:
            digests["verifier_image"] = verified.software.removeprefix("sha256:")
        return verified.result(replace(self.so_far, digests=digests))


def _tree(trial: PlannedTrial, sandbox: Sandbox) -> Path:
    return fixtures(trial.task.path / "environment", trial.seed, sandbox)


def _output(run: EarlierRun, trial: PlannedTrial) -> Path:
    return run.path / trial.path / "output"


def _outputs(folder: Path, task: Task) -> Mapping[str, Path]:
    places = {path: folder / path.lstrip("/") for path in task.outputs}
    return {path: place for path, place in places.items() if place.exists()}


def _copy(source: Path, target: Path, without: tuple[str, ...]) -> None:
    if not source.is_dir():
        return  # a trial that never had a folder
    for entry in source.iterdir():
        if entry.name in without:
            continue
        if entry.is_dir():
            shutil.copytree(entry, target / entry.name, symlinks=True)
        else:
            shutil.copy2(entry, target / entry.name, follow_symlinks=False)
