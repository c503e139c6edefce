"""What ``pae validate`` asks of a generator: the same seed, the same bytes; other seeds, others."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pae_harness.errors import TaskError
from pae_harness.fixtures import fixtures, generate
from pae_harness.sandbox.protocol import Sandbox
from pae_harness.scratch import scratch_prefix
from pae_harness.tasks import Task
from pae_harness.tasks.digests import tree_digest


@dataclass(frozen=True)
class FixtureProblem:
    """Why a task's fixtures cannot be relied on."""

    task: str
    why: str


def check_fixtures(task: Task, seeds: Sequence[int], sandbox: Sandbox) -> list[FixtureProblem]:
    """Generate each seed's fixtures afresh and compare with the cache and among each other.

    A generator that fails is a problem of its own task, whose trials are unscored by it.
    """
    environment = task.path / "environment"
    if not (environment / "generate.py").is_file():
        return []
    problems: list[FixtureProblem] = []
    seen: dict[str, int] = {}
    for seed in seeds:
        try:
            digest, again = _drawn_twice(environment, seed, sandbox)
        except TaskError as error:
            problems.append(FixtureProblem(task.name, str(error)))
            continue
        if again != digest:
            problems.append(
                FixtureProblem(task.name, f"seed {seed} gives other bytes the second time")
            )
        if digest in seen:
            problems.append(
                FixtureProblem(task.name, f"seeds {seen[digest]} and {seed} give the same fixtures")
            )
        seen[digest] = seed
    return problems


def _drawn_twice(environment: Path, seed: int, sandbox: Sandbox) -> tuple[str, str]:
    """The digests of a seed's fixtures as they are kept, and generated afresh."""
    digest = tree_digest(fixtures(environment, seed, sandbox))
    with tempfile.TemporaryDirectory(prefix=scratch_prefix("again")) as scratch:
        again = Path(scratch) / "tree"
        again.mkdir()
        generate(environment, seed, sandbox, again)
        return digest, tree_digest(again)
