"""What is run on a task: the oracle, a trap, nop, or an agent given as a command."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from pae_harness.errors import UsageError
from pae_harness.nearest import nearest
from pae_harness.result import slug
from pae_harness.sandbox.protocol import Mount
from pae_harness.tasks import Task

KINDS = ("oracle", "nop", "trap:NAME", "cmd:COMMAND")


@dataclass(frozen=True)
class Solution:
    """A solution as asked for, e.g. ``oracle`` or ``trap:over_precise``.

    ``name`` is its name in results and paths: a command is only ``cmd`` there.
    """

    spec: str
    agent_dir: Path | None = None

    @property
    def name(self) -> str:
        return "cmd" if self.spec.startswith("cmd:") else self.spec

    @property
    def slug(self) -> str:
        """``name`` as one path component."""
        return slug(self.name)

    @property
    def trap(self) -> str | None:
        """The trap's name, or None for any other solution."""
        return self.spec.removeprefix("trap:") if self.spec.startswith("trap:") else None

    def check(self, task: Task) -> None:
        """Raises UsageError for a trap that ``task`` does not have."""
        names = [trap.name for trap in task.traps]
        if self.trap is not None and self.trap not in names:
            near = nearest(self.trap, names)
            hint = f"did you mean {near!r}?" if near else f"it has: {', '.join(names) or 'none'}"
            raise UsageError(f"task {task.name} has no trap {self.trap!r}; {hint}")

    def command(self) -> list[str] | None:
        """The argv to run in the agent's box, or None where nothing is run."""
        if self.spec == "nop":
            return None
        if self.spec == "oracle":
            return ["bash", "/solution/solve.sh"]
        if self.trap is not None:
            return ["bash", f"/solution/traps/{self.trap}.sh"]
        return ["sh", "-c", self.spec.removeprefix("cmd:")]

    def mounts(self, task: Task) -> tuple[Mount, ...]:
        """What the agent's box shows besides the system: its own folder, or the oracle's."""
        if self.spec == "oracle" or self.trap is not None:
            return (Mount(task.oracle, "/solution"),)
        return (Mount(self.agent_dir, "/agent"),) if self.agent_dir else ()


def folder_digest(folder: Path) -> str:
    """SHA-256 over an agent's folder, in hex: relative paths and bytes, and where links point."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            content = str(path.readlink()).encode("utf-8", "surrogateescape")
        elif path.is_file() and "__pycache__" not in path.parts:
            content = path.read_bytes()
        else:
            continue
        head = f"{len(name)} {name} {path.is_symlink()} {len(content)} "
        digest.update(head.encode("utf-8", "surrogateescape") + content)
    return digest.hexdigest()


def parse(spec: str, agent_dir: Path | None = None) -> Solution:
    """The solution that ``-a SPEC`` names. Raises UsageError for anything else."""
    command = spec.removeprefix("cmd:")
    known = spec in ("oracle", "nop") or (":" in spec and spec.split(":", 1)[0] in ("trap", "cmd"))
    if not known:
        near = nearest(spec, ["oracle", "nop"])
        hint = f"did you mean {near!r}?" if near else f"use one of {', '.join(KINDS)}"
        raise UsageError(f"unknown agent {spec!r}; {hint}")
    if not command.strip() or spec == "trap:":
        raise UsageError(f"agent {spec!r} names nothing to run")
    if agent_dir is None:
        return Solution(spec)
    if not spec.startswith("cmd:"):
        raise UsageError(f"--agent-dir goes with -a cmd:COMMAND, not with {spec}")
    if not agent_dir.is_dir():
        raise UsageError(f"--agent-dir {agent_dir} is not a folder")
    return Solution(spec, agent_dir.resolve())
