"""What is run on a task: the oracle, a trap, nop, or an agent: a command, or a Python class."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pae_harness.errors import UsageError
from pae_harness.nearest import nearest
from pae_harness.result import slug
from pae_harness.sandbox.protocol import Mount
from pae_harness.tasks import Task

MINI = "mini-swe-agent"
KINDS = ("oracle", "nop", "trap:NAME", "cmd:COMMAND", "MODULE:CLASS", MINI)
# The agents that come with pae, by the class that each is.
_BUILT_IN = {MINI: "pae_harness.agents.mini_swe:MiniSweAgent"}
_CLASS = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*:[A-Za-z_]\w*")


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

    @property
    def hosted(self) -> str | None:
        """``MODULE:CLASS`` of an agent that runs beside pae, or None for any other solution."""
        if self.spec in _BUILT_IN:
            return _BUILT_IN[self.spec]
        command = self.spec.startswith(("cmd:", "trap:"))
        return None if command or ":" not in self.spec else self.spec

    def describe_class(self) -> Mapping[str, str]:
        """``version`` and ``module`` of an agent's class, as ``hosted.describe`` has them.

        Empty for anything else. Raises UsageError where the class cannot be loaded.
        """
        if self.hosted is None:
            return {}
        from pae_harness.agents.hosted import describe

        return describe(self.hosted, self.spec)

    @property
    def is_agent(self) -> bool:
        """Whether it is to be measured, rather than to measure the task."""
        return self.name == "cmd" or self.hosted is not None

    def check(self, task: Task) -> None:
        """Raises UsageError for a trap that ``task`` does not have."""
        names = [trap.name for trap in task.traps]
        if self.trap is not None and self.trap not in names:
            near = nearest(self.trap, names)
            hint = f"did you mean {near!r}?" if near else f"it has: {', '.join(names) or 'none'}"
            raise UsageError(f"task {task.name} has no trap {self.trap!r}; {hint}")

    def command(self) -> list[str] | None:
        """The argv that is run in the agent's box, or None where no one command is."""
        if self.spec == "nop" or self.hosted is not None:
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
    prefix, colon, rest = spec.partition(":")
    if prefix in ("cmd", "trap") and colon:
        if not rest.strip():
            raise UsageError(f"agent {spec!r} names nothing to run")
    elif spec not in ("oracle", "nop", *_BUILT_IN) and not _CLASS.fullmatch(spec):
        near = None if colon else nearest(spec, ["oracle", "nop", *_BUILT_IN])
        hint = f"did you mean {near!r}?" if near else f"use one of {', '.join(KINDS)}"
        raise UsageError(f"unknown agent {spec!r}; {hint}")
    solution = Solution(spec)
    if agent_dir is None:
        return solution
    if not solution.is_agent:
        raise UsageError(f"--agent-dir goes with an agent of your own, not with {spec}")
    if not agent_dir.is_dir():
        raise UsageError(f"--agent-dir {agent_dir} is not a folder")
    return Solution(spec, agent_dir.resolve())
