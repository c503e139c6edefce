"""What the harness asks of a sandbox: start a box, exec in it, put, get, kill.

A backend is one module with a class that satisfies :class:`Sandbox`; all pass the same conformance
suite, ``tests/harness/sandbox/``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Literal, Protocol, Self

LimitHit = Literal["time", "memory", "pids", "disk"]


@dataclass(frozen=True)
class Limits:
    """What a box may use. ``stream_bytes`` bounds each of an exec's stdout and stderr as kept."""

    cpus: float = 1.0
    memory_mb: int = 1024
    pids: int = 256
    storage_mb: int = 1024
    stream_bytes: int = 1 << 20


@dataclass(frozen=True)
class Mount:
    """A host file or folder, shown read-only at ``target`` in the box."""

    source: Path
    target: str


@dataclass(frozen=True)
class Build:
    """Software that the Dockerfile in ``folder`` adds to the base; ``timeout`` is in seconds."""

    folder: Path
    network: bool = False
    timeout: float = 600.0


# "base": system tools and Python's standard library. "verifier": also the verifier's packages.
Software = Build | Literal["base", "verifier"]


@dataclass(frozen=True)
class BoxSpec:
    """A box before it starts.

    ``writable`` are the absolute folders that the box may write; together they are bounded by
    ``limits.storage_mb``; all else is read-only. ``software`` is what is installed in it.
    """

    limits: Limits = Limits()
    writable: tuple[str, ...] = ("/tmp",)
    mounts: tuple[Mount, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    software: Software = "base"


@dataclass(frozen=True)
class ExecResult:
    """How a command in a box ended.

    ``exit_code`` is None when the box was killed under it; ``limit`` names the limit that was hit.
    ``truncated`` says that output beyond ``stream_bytes`` was dropped.
    """

    exit_code: int | None
    stdout: bytes
    stderr: bytes
    seconds: float
    limit: LimitHit | None = None
    truncated: bool = False


@dataclass(frozen=True)
class OutputLimits:
    """What may be copied out of a box."""

    file_bytes: int = 16 << 20
    total_bytes: int = 64 << 20
    files: int = 1000


class Box(Protocol):
    """A started box. Leaving its ``with`` block kills and removes it."""

    @property
    def enforced(self) -> Mapping[str, str]:
        """Which mechanism enforces each limit, e.g. ``{"memory": "cgroup v1", ...}``."""
        ...

    @property
    def software(self) -> str:
        """Exactly what is installed in it: an image's id, or empty for what this machine has."""
        ...

    def put(self, tree: Path, target: str) -> None:
        """Copy the contents of the host folder ``tree`` to the writable folder ``target``.

        Raises SandboxError where the box has no room or is gone.
        """
        ...

    def exec(
        self,
        argv: Sequence[str],
        *,
        timeout: float,
        cwd: str = "/",
        env: Mapping[str, str] | None = None,
    ) -> ExecResult:
        """Run ``argv`` and wait, at most ``timeout`` seconds; then kill all that it started.

        Processes do not outlive their exec in every backend: nothing may rely on it.
        Raises SandboxError where the box, not the command, failed.
        """
        ...

    def kill(self) -> None:
        """End every process in the box, at once. What it wrote stays readable through ``get``."""
        ...

    def get(self, path: str, into: Path, limits: OutputLimits) -> bool:
        """Copy the regular file, or the folder of regular files, at ``path`` to ``into``.

        Only after ``kill``. False if nothing is there. Raises OutputRefusedError for anything that
        is not a plain file or folder (links, devices, sockets, FIFOs) or is over the limits, and
        SandboxError where the box failed.
        """
        ...

    def close(self) -> None:
        """Kill and remove the box and all it wrote. Safe to call twice."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


class Sandbox(Protocol):
    """A backend."""

    @property
    def name(self) -> str:
        """``local`` or ``docker``."""
        ...

    @property
    def maker(self) -> str:
        """What makes the boxes, with its version, and of what, as far as it is not this machine's
        own: ``podman 4.3.1, base python@sha256:…``."""
        ...

    @property
    def verifier_digest(self) -> str:
        """SHA-256 in hex of what a box with the software ``verifier`` verifies with."""
        ...

    def start(self, spec: BoxSpec) -> Box:
        """Start an offline box. Raises SandboxError, or SandboxUnavailableError with a way out."""
        ...
