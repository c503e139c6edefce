"""An external task as the harness uses it: a Task whose verifier is a script of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pae_harness.sandbox.protocol import Limits
from pae_harness.tasks.model import Task


@dataclass(frozen=True)
class Source:
    """What an image is made of: a folder with a Dockerfile, or an image's name.

    ``workdir`` is what the task asks for, or else what the Dockerfile alone tells; None is unknown.
    """

    folder: Path | None
    image: str = ""
    workdir: str | None = None
    timeout: float = 600.0
    installs: bool = True


@dataclass(frozen=True)
class Healthcheck:
    """A command that must succeed before the agent starts; times are in seconds."""

    command: str
    retries: int = 3
    interval: float = 5.0
    timeout: float = 30.0
    start_period: float = 0.0
    start_interval: float = 5.0


@dataclass(frozen=True)
class Terms:
    """What an external task asks for beyond what every task does.

    ``artifacts`` are absolute paths, or relative to the working folder. ``verifier`` is None where
    the tests run on the agent's own image; ``bundled`` says that the tests lie in the verifier's.
    ``shared`` tests see all that the agent left, others the artifacts alone.
    """

    agent: Source
    agent_limits: Limits
    verifier: Source | None
    verifier_limits: Limits
    shared: bool
    bundled: bool
    artifacts: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    verifier_environment: Mapping[str, str] = field(default_factory=dict)
    solution_environment: Mapping[str, str] = field(default_factory=dict)
    healthcheck: Healthcheck | None = None


@dataclass(frozen=True, kw_only=True)
class HarborTask(Task):
    """A task folder that is Harbor's. Its oracle is its ``solution/``; it has no seeds."""

    harbor: Terms

    @property
    def seeded(self) -> bool:
        return False
