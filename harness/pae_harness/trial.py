"""One trial, from fixtures to one outcome: what every run is made of."""

from __future__ import annotations

import tempfile
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from pae_harness.agent_phase import AgentWork, run_agent
from pae_harness.disk import refusal
from pae_harness.errors import PaeError, UsageError
from pae_harness.fixtures import fixtures, require_inputs
from pae_harness.harbor.external_model import HarborTask
from pae_harness.oneline import shortened
from pae_harness.result import TrialKey, TrialResult
from pae_harness.sandbox import open_sandbox
from pae_harness.sandbox.protocol import Sandbox
from pae_harness.scratch import scratch_prefix
from pae_harness.solutions import Solution, parse
from pae_harness.tasks import Task, load
from pae_harness.tasks.digests import tree_digest
from pae_harness.verifier_phase import run_verifier
from pae_verifiers.judge import JUDGES


def run_trial(
    task: Task | Path | str,
    seed: int,
    solution: Solution | str = "oracle",
    *,
    sandbox: Sandbox | str = "auto",
    attempt: int = 1,
    judge: str = "rules",
    timeout_scale: float = 1.0,
    keep: bool = False,
    folder: Path | str | None = None,
) -> TrialResult:
    """Run ``solution`` on ``(task, seed)`` in one box and verify it in another.

    ``task`` is a task or its folder; ``seed`` is at least 0.

    ``folder``, empty or absent, receives output/, agent.log and verifier/, with ``keep`` also all
    that the solution left in /app; by default they are thrown away. A failure of the agent is a
    result with reward 0; a failure of the sandbox or the verifier is a result with outcome
    ``unscored`` and reward None.

    Raises TaskError for a broken task folder, UsageError for an unknown solution or judge, for
    rules that cannot answer the task's rubric or a seed of no use, and SandboxUnavailableError
    where this machine has no such sandbox.
    """
    if judge not in JUDGES:
        raise UsageError(f"unknown judge {judge!r}; use one of {', '.join(JUDGES)}")
    if not _is_seed(seed):
        raise UsageError(f"seed {seed!r} is no whole number of at least 0")
    task = task if isinstance(task, Task) else load(Path(task))
    solution = parse(solution) if isinstance(solution, str) else solution
    solution.check(task)
    task.check_judge(judge)
    sandbox = open_sandbox(sandbox) if isinstance(sandbox, str) else sandbox
    trial = _Trial(task, seed, solution, sandbox, attempt, judge, timeout_scale, keep)
    if folder is not None:
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        return trial.run(folder.resolve())
    with tempfile.TemporaryDirectory(prefix=scratch_prefix("trial")) as scratch:
        return trial.run(Path(scratch))


def _is_seed(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


class _Trial:
    """The steps of one trial, and what they have found so far."""

    def __init__(
        self,
        task: Task,
        seed: int,
        solution: Solution,
        sandbox: Sandbox,
        attempt: int,
        judge: str,
        timeout_scale: float,
        keep: bool,
    ) -> None:
        self.task, self.solution, self.sandbox = task, solution, sandbox
        self.seed, self.judge, self.timeout_scale, self.keep = seed, judge, timeout_scale, keep
        self.timings: dict[str, float] = {}
        self.digests = {"task": task.digests.task, "verifier": sandbox.verifier_digest}
        self.so_far = TrialResult(
            TrialKey(task.name, seed, solution.name, attempt),
            outcome="unscored",
            reward=None,
            judge=judge if task.verifier.rubric else "none",
            sandbox=sandbox.name,
        )

    def run(self, folder: Path) -> TrialResult:
        try:
            result = self._scored(folder)
        except PaeError as error:
            result = replace(self.so_far, reason=str(error))
        except OSError as error:
            result = replace(self.so_far, reason=f"this machine refused: {refusal(error, folder)}")
        except Exception as error:  # noqa: BLE001 - the trial's outer boundary: its siblings go on
            (folder / "error.log").write_text(traceback.format_exc(), encoding="utf-8")
            reason = f"internal error: {type(error).__name__}: {error}"
            result = replace(self.so_far, reason=reason)
        # What a box left may be quoted in it.
        reason = shortened(result.reason)
        return replace(result, reason=reason, timings=self.timings, digests=self.digests)

    def _scored(self, folder: Path) -> TrialResult:
        if isinstance(self.task, HarborTask):
            return self._external(self.task, folder)
        with self._timed("fixtures"):
            tree = fixtures(self.task.path / "environment", self.seed, self.sandbox)
            self.digests["fixtures"] = tree_digest(tree)
            require_inputs(self.task, tree, self.seed)
        with self._timed("agent"):
            work = self._agent(tree, folder)
        if work.failure:
            return replace(self.so_far, outcome="agent_failed", reward=0.0, reason=work.failure)
        with self._timed("verifier"):
            verified = run_verifier(
                self.task,
                tree,
                work.outputs,
                self.sandbox,
                folder,
                judge=self.judge,
                timeout_scale=self.timeout_scale,
            )
        self._ran_on("verifier_image", verified.software)
        return replace(
            self.so_far,
            outcome="agent_failed" if verified.reason else "scored",
            reward=verified.reward,
            reason=verified.reason,
            metrics=verified.metrics,
            details=verified.details,
        )

    def _external(self, task: HarborTask, folder: Path) -> TrialResult:
        """A trial of a task that brings its own tests."""
        from pae_harness.harbor.external_trial import External

        external = External(task, self.sandbox, folder, self.timeout_scale)
        self.digests["verifier"] = task.digests.tests
        with self._timed("agent"):
            work = external.run_agent(self.solution, keep=self.keep)
            self._worked(work, folder)
        if work.failure:
            return replace(self.so_far, outcome="agent_failed", reward=0.0, reason=work.failure)
        with self._timed("verifier"):
            verified = external.run_tests(work.outputs["/"])
        self._ran_on("verifier_image", verified.software)
        return replace(
            self.so_far, outcome="scored", reward=verified.reward, metrics=verified.metrics
        )

    def _agent(self, tree: Path, folder: Path) -> AgentWork:
        work = run_agent(
            self.task,
            self.solution,
            tree,
            self.sandbox,
            folder,
            timeout_scale=self.timeout_scale,
            keep=self.keep,
        )
        self._worked(work, folder)
        return work

    def _worked(self, work: AgentWork, folder: Path) -> None:
        self.so_far = replace(self.so_far, exit_code=work.exit_code, enforced=work.enforced)
        self._ran_on("agent_image", work.software)
        if (folder / "output").is_dir():
            self.digests["output"] = tree_digest(folder / "output")

    def _ran_on(self, box: str, software: str) -> None:
        if software:
            self.digests[box] = software.removeprefix("sha256:")

    @contextmanager
    def _timed(self, phase: str) -> Iterator[None]:
        start = time.monotonic()
        try:
            yield
        finally:
            self.timings[phase] = round(time.monotonic() - start, 4)
