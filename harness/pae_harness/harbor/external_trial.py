"""A trial of an external task: the agent's box, then the tests in a box where no agent was.

Harbor's shared mode runs the tests in the agent's own container, where whatever the agent left
running can forge them. Here only files cross: all that lies in the writable folders where the tests
are shared, the artifacts alone where they are separate.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from pae_harness.agent_phase import AgentWork, keep_all
from pae_harness.agents.at_work import at_work, settle
from pae_harness.agents.model_access import ModelAccess
from pae_harness.agents.shift import Shift
from pae_harness.agents.trajectory import Command
from pae_harness.errors import (
    OutputRefusedError,
    PutRefusedError,
    TaskError,
    VerifierError,
)
from pae_harness.harbor.external_image import Ground, ground
from pae_harness.harbor.external_model import HarborTask, Healthcheck
from pae_harness.harbor.external_reward import read_reward
from pae_harness.sandbox.protocol import Box, BoxSpec, Mount, OutputLimits, Sandbox
from pae_harness.solutions import Solution
from pae_harness.tasks.digests import tree_files
from pae_harness.verifier_phase import LOGS, Verified, take_logs

AGENT_LOGS, ARTIFACTS = "/logs/agent", "/logs/artifacts"
LEFT = OutputLimits(file_bytes=256 << 20, total_bytes=512 << 20, files=20_000)
INSTRUCTION = "/app/instruction.md"
_PROGRAMS = (b"#!", b"\x7fELF")


@dataclass(frozen=True)
class External:
    """One trial of ``task``: its two phases, which the trial calls in turn."""

    task: HarborTask
    sandbox: Sandbox
    folder: Path
    timeout_scale: float = 1.0

    def run_agent(
        self,
        solution: Solution,
        *,
        keep: bool = False,
        access: ModelAccess | None = None,
        commands: list[Command] | None = None,
    ) -> AgentWork:
        """Run ``solution``; what it left lies in ``folder/output``, and ``outputs`` is its top.

        Raises SandboxError where the box failed, TaskError where the task cannot be run, and
        ModelOutOfReachError where its model failed.
        """
        terms = self.task.harbor
        place = ground(terms.agent, terms.artifacts, self.sandbox)
        home = "/home" if "/home" in place.folders else "/home/agent"
        with self._staged(self.task.oracle, "solve.sh") as oracle:
            mounts = _oracle_mounts(solution, oracle) or solution.mounts(self.task)
            spec = BoxSpec(
                limits=terms.agent_limits,
                writable=_every(place.folders, home, AGENT_LOGS, ARTIFACTS, "/tmp"),
                mounts=(*place.mounts, *mounts, *(access.mounts if access else ())),
                env={"HOME": home, **terms.environment},
                software=place.software,
            )
            with self.sandbox.start(spec) as box:
                place.lay(box)
                self._instruct(box)
                _make(box, place.workdir)
                if terms.healthcheck is not None:
                    _await_health(box, terms.healthcheck, place.workdir, self.task)
                timeout = self.task.agent_timeout_sec * self.timeout_scale
                shift = Shift(
                    box,
                    timeout,
                    terms.agent_limits,
                    workdir=place.workdir,
                    access=access,
                    commands=commands,
                )
                return self._at_work(shift, solution, place, keep)

    def _at_work(self, shift: Shift, solution: Solution, place: Ground, keep: bool) -> AgentWork:
        command, env, box = solution.command(), None, shift.box
        if solution.spec == "oracle":
            command = ["/solution/solve.sh"]
            env = {**self.task.harbor.solution_environment, "DEBIAN_FRONTEND": "noninteractive"}
        result = at_work(solution, shift, self._instruction, self.folder, command=command, env=env)

        def collect() -> str:
            if keep:
                keep_all(box, self.folder)
            return self._collect(box, place)

        failure = settle(shift, result, collect)
        exit_code = None if result is None else result.exit_code
        outputs = {"/": self.folder / "output"}
        return AgentWork(outputs, failure, exit_code, dict(box.enforced), box.software)

    def _collect(self, box: Box, place: Ground) -> str:
        """Copy out what the tests may see; why it cannot be used, or nothing."""
        terms = self.task.harbor
        output = self.folder / "output"
        wanted = [str(PurePosixPath(place.workdir) / path) for path in terms.artifacts]
        if terms.shared:
            wanted += [*place.folders, AGENT_LOGS]
        for path in _outermost([*wanted, ARTIFACTS]):
            target = output / path.lstrip("/")
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                box.get(path, target, LEFT)
            except OutputRefusedError as error:
                return f"what the agent left at {path} cannot be used: {error}"
        told = output / INSTRUCTION.lstrip("/")
        if told.is_file() and told.read_text(errors="replace") == self._instruction:
            told.unlink()
        _make_programs(output)
        return ""

    def run_tests(self, outputs: Path) -> Verified:
        """Run the task's tests on what lies below ``outputs``; their files go to ``verifier/``.

        Raises VerifierError where they gave no reward from 0 to 1, and SandboxError where the box
        failed.
        """
        terms = self.task.harbor
        place = self._verifiers_ground()
        home = "/home" if "/home" in place.folders else "/home/agent"
        timeout = self.task.verifier_timeout_sec * self.timeout_scale
        kept = self.folder / "verifier"
        with self._staged(self.task.path / "tests", "test.sh") as tests:
            spec = BoxSpec(
                limits=terms.verifier_limits,
                writable=_every(place.folders, home, AGENT_LOGS, ARTIFACTS, LOGS, "/tmp"),
                mounts=(*place.mounts, *(() if terms.bundled else (Mount(tests, "/tests"),))),
                env={
                    "HOME": home,
                    **({} if terms.bundled else terms.environment),
                    **terms.verifier_environment,
                },
                software=place.software,
            )
            with self.sandbox.start(spec) as box:
                if not terms.shared:
                    place.lay(box)
                if why := _unfit(box, outputs, place):
                    return Verified(0.0, {}, {}, why, box.software)
                result = box.exec(
                    ["sh", "-c", "exec /tests/test.sh"], timeout=timeout, cwd=place.workdir
                )
                software = box.software
                take_logs(box, kept)
        kept.mkdir(exist_ok=True)
        (kept / "log").write_bytes(result.stdout + result.stderr)
        if result.limit:
            why = f"time limit of {timeout:g} s" if result.limit == "time" else result.limit
            raise VerifierError(f"the verifier ran into its {why}")
        try:
            reward, metrics = read_reward(kept)
        except VerifierError as error:
            if result.exit_code:
                raise VerifierError(f"{error}; test.sh ended with {result.exit_code}") from error
            raise
        return Verified(reward, metrics, {}, "", software)

    def _verifiers_ground(self) -> Ground:
        terms = self.task.harbor
        if terms.verifier is None:
            return ground(terms.agent, terms.artifacts, self.sandbox)
        agent = ground(terms.agent, terms.artifacts, self.sandbox)
        artifacts = [str(PurePosixPath(agent.workdir) / path) for path in terms.artifacts]
        return ground(terms.verifier, artifacts, self.sandbox, anywhere=True)

    @property
    def _instruction(self) -> str:
        return self.task.instruction_for_agent

    def _instruct(self, box: Box) -> None:
        """Where agents here look for it."""
        extra = self.folder / ".instruction"
        extra.mkdir()
        (extra / PurePosixPath(INSTRUCTION).name).write_text(self._instruction, encoding="utf-8")
        box.put(extra, str(PurePosixPath(INSTRUCTION).parent))
        shutil.rmtree(extra)

    @contextmanager
    def _staged(self, source: Path, script: str) -> Iterator[Path]:
        """A copy of ``source`` whose ``script`` can be run, whatever its mode in the task."""
        staged = self.folder / f".{source.name}"
        staged.mkdir()
        staged.chmod(0o755)
        try:
            if source.is_dir():
                for path in tree_files(source):
                    target = staged / path.relative_to(source)
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.parent.chmod(0o755)
                    shutil.copyfile(path, target)
                    runs = path.stat().st_mode & 0o111 or target == staged / script
                    target.chmod(0o755 if runs else 0o644)
            yield staged
        finally:
            shutil.rmtree(staged, ignore_errors=True)


def _oracle_mounts(solution: Solution, oracle: Path) -> tuple[Mount, ...]:
    if solution.spec != "oracle":
        return ()
    if not (oracle / "solve.sh").is_file():
        raise TaskError("the task has no solution/solve.sh to run as its oracle")
    return (Mount(oracle, "/solution"),)


def _every(folders: tuple[str, ...], *more: str) -> tuple[str, ...]:
    """``folders``, and of ``more`` what does not lie in one of them."""
    return (*folders, *(path for path in more if not _within(path, folders)))


def _within(path: str, folders: tuple[str, ...]) -> bool:
    return any(PurePosixPath(path).is_relative_to(folder) for folder in folders)


def _outermost(paths: list[str]) -> list[str]:
    """``paths`` without those that lie in another one."""
    kept: list[str] = []
    for path in sorted(dict.fromkeys(paths), key=lambda p: len(PurePosixPath(p).parts)):
        if not _within(path, tuple(kept)):
            kept.append(path)
    return kept


def _make_programs(output: Path) -> None:
    """Modes do not cross, and a script that cannot be run is none."""
    for path in output.rglob("*"):
        if path.is_file():
            with path.open("rb") as file:
                if file.read(4).startswith(_PROGRAMS):
                    path.chmod(0o755)


def _make(box: Box, workdir: str) -> bool:
    """A writable folder is there from the start, those in it are not. False where it cannot be."""
    return box.exec(["mkdir", "-p", workdir], timeout=30).exit_code == 0


def _unfit(box: Box, outputs: Path, place: Ground) -> str:
    """Put what the agent left into the tests' box; why it does not fit there, or nothing.

    It would be the better for an agent if that left its trial unscored.
    """
    try:
        _put_all(box, outputs, place)
    except PutRefusedError as error:
        return f"what the agent left cannot be given to the tests: {error}"
    if not _make(box, place.workdir):
        return f"what the agent left stands in the place of the working folder {place.workdir}"
    return ""


def _put_all(box: Box, outputs: Path, place: Ground) -> None:
    if not outputs.is_dir():
        return
    logs = (outputs / "logs").iterdir() if (outputs / "logs").is_dir() else ()
    for tree in (*(outputs / folder.lstrip("/") for folder in place.folders), *logs):
        if tree.is_dir():
            box.put(tree, f"/{tree.relative_to(outputs)}")


def _await_health(box: Box, check: Healthcheck, workdir: str, task: HarborTask) -> None:
    """Until the check passes. Raises TaskError where it fails too often."""
    ends = time.monotonic() + check.start_period
    failures = 0
    while True:
        starting = time.monotonic() < ends
        result = box.exec(["sh", "-c", check.command], timeout=check.timeout, cwd=workdir)
        if result.exit_code == 0:
            return
        failures += not starting
        if failures >= check.retries:
            raise TaskError(
                f"the healthcheck failed {failures} times: {check.command}",
                task.path / "task.toml",
            )
        time.sleep(check.start_interval if starting else check.interval)
