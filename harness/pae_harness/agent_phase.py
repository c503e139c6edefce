"""A trial's first box: the solution works in it, and its declared outputs are copied out."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from pae_harness.errors import BoxOutOfMemoryError, OutputRefusedError, SandboxError, TaskError
from pae_harness.oneline import shortened
from pae_harness.sandbox.protocol import (
    Box,
    BoxSpec,
    Build,
    ExecResult,
    LimitHit,
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
LIMIT_REASONS = {
    "time": "ran into its time limit of {timeout:g} s",
    "memory": "ran into its memory limit of {limits.memory_mb} MB",
    "pids": "ran into its limit of {limits.pids} processes",
    "disk": "filled its {limits.storage_mb} MB of storage",
}


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
) -> AgentWork:
    """Run ``solution`` in a fresh box on its own copy of the fixtures in ``tree``.

    Writes ``folder/output/...`` and ``folder/agent.log``, and with ``keep`` all of /app.
    Raises SandboxError where the box failed.
    """
    environment = task.environment
    limits = Limits(
        cpus=environment.cpus,
        memory_mb=environment.memory_mb,
        storage_mb=environment.storage_mb,
    )
    spec = BoxSpec(
        limits=limits,
        writable=_writable(task, tree),
        mounts=solution.mounts(task),
        env={"HOME": HOME},
        software=Build(
            task.path / "environment",
            network=environment.build_network,
            timeout=environment.build_timeout_sec,
        ),
    )
    timeout = task.agent_timeout_sec * timeout_scale
    command = solution.command()
    with sandbox.start(spec) as box:
        _furnish(box, task, tree, folder)
        result = None if command is None else box.exec(command, timeout=timeout, cwd="/app")
        write_log(folder / "agent.log", result)
        failure = ""
        if result is not None and result.limit:
            failure = limit_reason(result.limit, timeout, limits)
        outputs: Mapping[str, Path] = {}
        problem = ""
        try:
            box.kill()
            if keep:
                keep_all(box, folder)
            outputs, refused, missing = _collect(box, task, folder / "output")
            if missing and result is not None:
                missing[-1] += _how_it_ended(result)
            problem = "; ".join(refused + missing)
        except BoxOutOfMemoryError:
            # What it left in memory, files or else, may be the end of the box even afterwards.
            if result is None:
                raise
            failure = failure or limit_reason("memory", timeout, limits)
        except SandboxError:
            # Whoever drags the box along into a limit has hit it all the same.
            if not failure:
                raise
        exit_code = None if result is None else result.exit_code
        return AgentWork(outputs, failure or problem, exit_code, dict(box.enforced), box.software)


def limit_reason(limit: LimitHit, timeout: float, limits: Limits) -> str:
    """Why an agent that hit ``limit`` failed, in words."""
    return "the agent " + LIMIT_REASONS[limit].format(timeout=timeout, limits=limits)


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


def write_log(path: Path, result: ExecResult | None) -> None:
    """What a command said, on both its streams."""
    if result is None:
        path.write_bytes(b"")
        return
    cut = b"\n[output beyond the limit was dropped]" if result.truncated else b""
    path.write_bytes(result.stdout + (b"\n" if result.stdout else b"") + result.stderr + cut)
