"""What an attack is tried with: a whole run, one trial, a bare box, one without cgroups."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from tests.harness.attacks.lab import Lab
from tests.harness.backends import Backend, have

from pae_harness import TrialResult, run_trial
from pae_harness.sandbox import cgroups, launch
from pae_harness.sandbox.local import LocalSandbox
from pae_harness.sandbox.protocol import Box, BoxSpec, Limits, Sandbox
from pae_harness.solutions import parse
from pae_harness.tasks import Task

Attack = Callable[..., TrialResult]
WRITABLE = ("/app", "/tmp", "/home/agent")


@pytest.fixture(scope="session", params=["local", "docker"])
def backend(request: pytest.FixtureRequest) -> Backend:
    """Podman makes its boxes as Docker does: the conformance suite is enough for it."""
    return have(request.param)


@pytest.fixture(scope="session")
def sandbox(backend: Backend) -> Sandbox:
    return backend.open()


@pytest.fixture
def lab(tmp_path: Path, backend: Backend) -> Lab:
    """Runs of many attacks."""
    return Lab(tmp_path, backend)


@pytest.fixture
def attack(tiny: Task, tmp_path: Path, sandbox: Sandbox) -> Attack:
    """Run a shell command, or a Python program, as the agent of a trial on seed 1."""

    def run(command: str = "", *, program: str = "", **options: object) -> TrialResult:
        folder = tmp_path / "agent"
        folder.mkdir(mode=0o755, exist_ok=True)
        (folder / "attack.py").write_text(program)
        solution = parse(f"cmd:{command or 'python3 -I /agent/attack.py'}", folder)
        return run_trial(tiny, 1, solution, sandbox=sandbox, **options)  # type: ignore[arg-type]

    return run


@pytest.fixture
def no_control_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    """Boxes start as where no control group is writable, which is what ordinary users have."""
    none = cgroups.Parents(2, {})
    monkeypatch.setattr(launch, "_reaped_parents", lambda: none)


@pytest.fixture
def watched_box(no_control_groups: None) -> Iterator[Callable[[Limits], Box]]:
    """Start a box whose limits are watched."""
    with ExitStack() as stack:
        yield lambda limits: stack.enter_context(LocalSandbox().start(BoxSpec(limits=limits)))


@pytest.fixture
def box(sandbox: Sandbox) -> Iterator[Box]:
    """A box of its own, as an agent's is."""
    limits = Limits(memory_mb=256, storage_mb=64)
    with sandbox.start(BoxSpec(limits=limits, writable=WRITABLE)) as started:
        yield started
