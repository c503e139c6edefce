"""A trial's first box: the solution works in it, and its declared outputs are copied out."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from pae_harness.agents.at_work import at_work, settle
from pae_harness.agents.model_access import ModelAccess
from pae_harness.agents.shift import Shift
from pae_harness.agents.trajectory import Command
from pae_harness.errors import OutputRefusedError, TaskError
from pae_harness.oneline import shortened
from pae_harness.sandbox.protocol import (
    Box,
    BoxSpec,
    Build,
    ExecResult,
    Limits,
    OutputLimits,
    Sandbox,
)
from pae_harness.solutions import Solution
from pae_harness.tasks import Task

HOME = "/home/agent"
NOT_KEPT = "app-not-kept.txt"
ALWAYS_WRITABLE = ("/app", "/logs/agent", HOME, "/tmp")
SYSTEM_FOLDERS = {
    "bin",
    "boot",
    "dev",
    "etc",
    "lib",
    "lib32",
    "lib64",
    "proc",
    "root",
    "run",
    "sbin",
}
SYSTEM_FOLDERS |= {"sys", "usr", "agent", "broker", "solution", "tests", "fixtures"}


@dataclass(frozen=True)
class AgentWork:
    """What the agent's box left: ``outputs`` maps declared paths to copies on the host.

    ``failure`` says why the outputs cannot be evaluated, or is empty.
    """

    outputs: Mapping[str, Path]
    failure: str
    exit_code: int | None
    enforced: Mapping[str, str]
    software: str


def run_agent(
    task: Task,
    solution: Solution,
    tree: Path,
    sandbox: Sandbox,
    folder: Path,
    *,
    timeout_scale: float = 1.0,
    keep: bool = False,
    access: ModelAccess | None = None,
    commands: list[Command] | None = None,
) -> AgentWork:
    """Run ``solution`` in a fresh box on its own copy of the fixtures in ``tree``.

    Writes ``folder/output/...`` and ``folder/agent.log``, and with ``keep`` all of /app;
    ``commands`` receives what was run.
    Raises SandboxError where the box failed, ModelOutOfReachError where its model did.
    """
    spec = _box_for(task, solution, tree, access)
    with sandbox.start(spec) as box:
        _furnish(box, task, tree, folder)
        timeout = task.agent_timeout_sec * timeout_scale
        shift = Shift(box, timeout, spec.limits, access=access, commands=commands)
        result = at_work(
            solution, shift, task.instruction_for_agent, folder, command=solution.command()
        )
        outputs: dict[str, Path] = {}

        def collect() -> str:
            if keep:
                keep_all(box, folder)
            found, refused, missing = _collect(box, task, folder / "output")
            outputs.update(found)
            if missing and result is not None:
                missing[-1] += _how_it_ended(result)
            return "; ".join(refused + missing)

        failure = settle(shift, result, collect)
        exit_code = None if result is None else result.exit_code
        return AgentWork(outputs, failure, exit_code, dict(box.enforced), box.software)


def _box_for(task: Task, solution: Solution, tree: Path, access: ModelAccess | None) -> BoxSpec:
    environment = task.environment
    return BoxSpec(
        limits=Limits(
            cpus=environment.cpus,
            memory_mb=environment.memory_mb,
            storage_mb=environment.storage_mb,
        ),
        writable=_writable(task, tree),
        mounts=(*solution.mounts(task), *(access.mounts if access else ())),
        env={"HOME": HOME},
        software=Build(
            task.path / "environment",
            network=environment.build_network,
            timeout=environment.build_timeout_sec,
        ),
    )


def _writable(task: Task, tree: Path) -> tuple[str, ...]:
    tops = {entry.name for entry in tree.iterdir()}
    tops |= {PurePosixPath(path).parts[1] for path in task.outputs}
    if taken := tops & SYSTEM_FOLDERS:
        raise TaskError(
            f"fixtures and outputs may not lie under /{min(taken)}; use /app",
            task.path / "task.toml",
        )
    covered = {PurePosixPath(path).parts[1] for path in ALWAYS_WRITABLE}
    return (*ALWAYS_WRITABLE, *(f"/{top}" for top in sorted(tops - covered)))


def _furnish(box: Box, task: Task, tree: Path, folder: Path) -> None:
    for top in sorted(tree.iterdir()):
        box.put(top, f"/{top.name}")
    extra = folder / ".furnish"
    (extra / "app").mkdir(parents=True)
    (extra / "app" / "instruction.md").write_text(task.instruction_for_agent, encoding="utf-8")
    for output in task.outputs:
        (extra / output.lstrip("/")).parent.mkdir(parents=True, exist_ok=True)
    for top in sorted(extra.iterdir()):
        box.put(top, f"/{top.name}")
    shutil.rmtree(extra)


def _collect(box: Box, task: Task, into: Path) -> tuple[dict[str, Path], list[str], list[str]]:
    """The outputs, and one sentence for each that was refused and each that is missing."""
    outputs: dict[str, Path] = {}
    refused, missing = [], []
    for path in task.outputs:
        target = into / path.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            if box.get(path, target, OutputLimits()):
                outputs[path] = target
            else:
                missing.append(f"the output {path} is missing")
        except OutputRefusedError as error:
            refused.append(f"the output {path} cannot be used: {error}")
    return outputs, refused, missing


def _how_it_ended(result: ExecResult) -> str:
    lines = (result.stderr.strip() or result.stdout.strip()).splitlines()
    said = "wrote nothing to agent.log"
    if lines:
        last = shortened(lines[-1].decode(errors="replace"), most=200)
        said = f"last said in agent.log: {last}"
    code = "was killed" if result.exit_code is None else f"ended with exit code {result.exit_code}"
    return f"; the agent {code} and {said}"


def keep_all(box: Box, folder: Path) -> None:
    """All of /app into ``folder/app``, or a note on why it cannot be."""
    try:
        box.get("/app", folder / "app", OutputLimits())
    except OutputRefusedError as error:
        (folder / NOT_KEPT).write_text(f"{error}\n", encoding="utf-8")
