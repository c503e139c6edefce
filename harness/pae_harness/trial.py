"""One trial, from fixtures to one outcome: what every run is made of."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

from pae_harness.agent_phase import AgentWork, run_agent
from pae_harness.agents.model import RECORDS, AgentModel
from pae_harness.agents.model_access import ModelAccess
from pae_harness.agents.naming import parse as parse_model
from pae_harness.agents.trajectory import Command, Head
from pae_harness.agents.trajectory import write as write_trajectory
from pae_harness.boundary import bounded
from pae_harness.errors import UsageError
from pae_harness.fixtures import fixtures, require_inputs
from pae_harness.harbor.external_model import HarborTask
from pae_harness.judges import parse as parse_judge
from pae_harness.judging import Judging
from pae_harness.result import TrialKey, TrialResult
from pae_harness.sandbox import open_sandbox
from pae_harness.sandbox.protocol import Sandbox
from pae_harness.scratch import scratch_prefix
from pae_harness.solutions import Solution, parse
from pae_harness.tasks import Task, load
from pae_harness.tasks.digests import tree_digest
from pae_harness.verification import Verification
from pae_harness.verifier_phase import Verified

_BOX_SECONDS = 300.0  # that an agent's box may take to start, on top of the agent's own


def run_trial(
    task: Task | Path | str,
    seed: int,
    solution: Solution | str = "oracle",
    *,
    sandbox: Sandbox | str = "auto",
    attempt: int = 1,
    judge: Judging | str = "rules",
    model: AgentModel | str | None = None,
    timeout_scale: float = 1.0,
    keep: bool = False,
    folder: Path | str | None = None,
) -> TrialResult:
    """Run ``solution`` on ``(task, seed)`` in one box and verify it in another.

    ``task`` is a task or its folder; ``seed`` is at least 0; ``judge`` is what ``--judge`` takes
    and ``model`` what ``--model`` does, or either at work already, which several trials can share.

    ``folder``, empty or absent, receives output/, agent.log and verifier/, with ``keep`` also all
    that the solution left in /app; by default they are thrown away. A failure of the agent is a
    result with reward 0; a failure of the sandbox or the verifier is a result with outcome
    ``unscored`` and reward None.

    Raises TaskError for a broken task folder, UsageError for an unknown solution, judge or model,
    for rules that cannot answer the task's rubric or a seed of no use, and SandboxUnavailableError
    where this machine has no such sandbox.
    """
    if not _is_seed(seed):
        raise UsageError(f"seed {seed!r} is no whole number of at least 0")
    task = task if isinstance(task, Task) else load(Path(task))
    solution = parse(solution) if isinstance(solution, str) else solution
    solution.check(task)
    task.check_judge(judge if isinstance(judge, str) else judge.name)
    sandbox = open_sandbox(sandbox) if isinstance(sandbox, str) else sandbox
    with ExitStack() as stack:
        if isinstance(judge, str):
            judge = stack.enter_context(Judging(parse_judge(judge)))
        if not isinstance(model, AgentModel):
            model = stack.enter_context(AgentModel(parse_model(model) if model else None))
        if folder is None:
            scratch = tempfile.TemporaryDirectory(prefix=scratch_prefix("trial"))
            folder = stack.enter_context(scratch)
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        trial = _Trial(task, seed, solution, sandbox, attempt, judge, model, timeout_scale, keep)
        return trial.run(folder.resolve())


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
        judging: Judging,
        model: AgentModel,
        timeout_scale: float,
        keep: bool,
    ) -> None:
        self.task, self.solution, self.sandbox = task, solution, sandbox
        self.seed, self.judging, self.model = seed, judging, model
        self.timeout_scale, self.keep = timeout_scale, keep
        self.commands: list[Command] = []
        self.timings: dict[str, float] = {}
        self.digests = {"task": task.digests.task, "verifier": sandbox.verifier_digest}
        self.so_far = TrialResult(
            TrialKey(task.name, seed, solution.name, attempt),
            outcome="unscored",
            reward=None,
            judge=judging.name if task.verifier.rubric else "none",
            sandbox=sandbox.name,
        )

    def run(self, folder: Path) -> TrialResult:
        result = bounded(lambda: self._scored(folder), lambda: self.so_far, folder)
        return replace(result, timings=self.timings, digests=self.digests)

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
            verified = self._verified(tree, work.outputs, folder)
        self._ran_on("verifier_image", verified.software)
        return verified.result(self.so_far)

    def _external(self, task: HarborTask, folder: Path) -> TrialResult:
        """A trial of a task that brings its own tests."""
        from pae_harness.harbor.external_trial import External

        external = External(task, self.sandbox, folder, self.timeout_scale)
        self.digests["verifier"] = task.digests.tests
        with self._timed("agent"):
            with self._access(folder) as access:
                work = external.run_agent(
                    self.solution, keep=self.keep, access=access, commands=self.commands
                )
            self._worked(work, folder)
        if work.failure:
            return replace(self.so_far, outcome="agent_failed", reward=0.0, reason=work.failure)
        with self._timed("verifier"):
            verified = external.run_tests(work.outputs["/"])
        self._ran_on("verifier_image", verified.software)
        return verified.result(self.so_far)

    def _agent(self, tree: Path, folder: Path) -> AgentWork:
        with self._access(folder) as access:
            work = run_agent(
                self.task,
                self.solution,
                tree,
                self.sandbox,
                folder,
                timeout_scale=self.timeout_scale,
                keep=self.keep,
                access=access,
                commands=self.commands,
            )
        self._worked(work, folder)
        return work

    @contextmanager
    def _access(self, folder: Path) -> Iterator[ModelAccess | None]:
        """The agent's way to its model; what it spent and did is kept, however the work ends."""
        seconds = self.task.agent_timeout_sec * self.timeout_scale + _BOX_SECONDS
        access = None
        try:
            with self.model.access(folder, seconds) as access:
                yield access
        finally:
            if access is not None:
                self.so_far = replace(self.so_far, usage=access.usage)
            if self.solution.is_agent:
                self._write_trajectory(folder)

    def _write_trajectory(self, folder: Path) -> None:
        head = Head(
            agent=self.solution.name,
            version=self.solution.describe_class().get("version", "unknown"),
            model=self.model.model.name if self.model.model else "",
            session=self.so_far.key.path,
            instruction=self.task.instruction_for_agent,
        )
        write_trajectory(folder / "trajectory.json", head, self.commands, folder / RECORDS)

    def _worked(self, work: AgentWork, folder: Path) -> None:
        self.so_far = replace(self.so_far, exit_code=work.exit_code, enforced=work.enforced)
        self._ran_on("agent_image", work.software)
        if (folder / "output").is_dir():
            self.digests["output"] = tree_digest(folder / "output")

    def _verified(self, tree: Path, outputs: Mapping[str, Path], folder: Path) -> Verified:
        verification = Verification(
            self.task, self.so_far.key, self.sandbox, self.judging, self.timeout_scale
        )
        try:
            return verification.run(tree, outputs, folder)
        finally:
            usage = {**self.so_far.usage, **verification.usage}
            self.so_far = replace(self.so_far, usage=usage)

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
