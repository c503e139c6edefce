"""A task as the harness uses it: frozen, checked, with every path absolute."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pae_harness.errors import UsageError

if TYPE_CHECKING:
    from pae_verifiers.config import Config

Status = Literal["draft", "ready"]


@dataclass(frozen=True)
class Input:
    """A fixture, by its absolute path in the box."""

    path: str
    description: str = ""


@dataclass(frozen=True)
class Output:
    """A file that the agent must write, by its absolute path in the box."""

    path: str
    type: str
    description: str = ""


@dataclass(frozen=True)
class Metadata:
    """The suite's record of a task; ``traps`` are names, ``tier`` is 1 to 3."""

    theme: str
    tier: int
    reward_type: str
    status: Status
    traps: tuple[str, ...]
    inputs: tuple[Input, ...]
    outputs: tuple[Output, ...]


@dataclass(frozen=True)
class EnvironmentLimits:
    """What a task's boxes may use. ``memory_mb`` and ``storage_mb`` are MiB of the whole box;
    ``build_network`` says that its image is built with a network."""

    cpus: float = 1.0
    memory_mb: int = 2048
    storage_mb: int = 1024
    build_timeout_sec: float = 600.0
    build_network: bool = False


@dataclass(frozen=True)
class Expect:
    """What a trap must leave in details.json: a number's verdict (and reason), or an item."""

    verdict: str | None = None
    reason: str | None = None
    item: str | None = None


@dataclass(frozen=True)
class Trap:
    """A solution that goes wrong in one way. ``min_loss`` is of the reward, at least 0.02."""

    name: str
    description: str
    metric: str
    min_loss: float
    expect: Expect


@dataclass(frozen=True)
class Digests:
    """SHA-256 in hexadecimal. ``task`` leaves out an oracle that lies in ``solution/``;
    ``instruction`` is that of what the agent reads, conventions included."""

    environment: str
    tests: str
    task: str
    oracle: str
    instruction: str


@dataclass(frozen=True)
class Task:
    """A task folder that passed every static check.

    ``name`` is the folder's; ``oracle`` the folder with solve.sh and the traps; ``verifier`` what
    verifier.yaml says, as the verifier itself reads it; ``installs_software`` says that the
    Dockerfile does more than name the base image; ``rubric_kind`` is "" where there is no rubric.
    """

    name: str
    path: Path
    version: str
    description: str
    keywords: tuple[str, ...]
    metadata: Metadata
    agent_timeout_sec: float
    verifier_timeout_sec: float
    verifier_env: Mapping[str, str]
    environment: EnvironmentLimits
    instruction: str
    conventions: str
    verifier: Config
    oracle: Path
    traps: tuple[Trap, ...]
    digests: Digests
    installs_software: bool
    rubric_kind: str = ""

    @property
    def outputs(self) -> tuple[str, ...]:
        """The declared outputs' absolute paths in the box."""
        return tuple(output.path for output in self.metadata.outputs)

    @property
    def instruction_for_agent(self) -> str:
        """instruction.md with the suite's CONVENTIONS.md appended."""
        parts = (self.instruction, self.conventions)
        return "\n\n".join(part.strip() for part in parts if part.strip()) + "\n"

    @property
    def seeded(self) -> bool:
        """Whether one seed's data differ from another's."""
        return True

    def check_judge(self, judge: str) -> None:
        """Raises UsageError for rules, which answer rubrics of the kind ``items`` only."""
        if judge == "rules" and self.rubric_kind not in ("", "items"):
            raise UsageError(
                f"task {self.name} has a rubric of the kind {self.rubric_kind!r}, which the rules "
                "judge cannot answer; ask a model (--judge MODEL@PROVIDER)"
            )

    def trap(self, name: str) -> Trap | None:
        """The trap called ``name``, or None."""
        return next((trap for trap in self.traps if trap.name == name), None)
