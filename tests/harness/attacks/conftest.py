"""What an attack is tried with: the tiny task in the local sandbox, and a box without cgroups."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from pae_harness import TrialResult, run_trial
from pae_harness.sandbox import cgroups, launch
from pae_harness.sandbox.local import LocalSandbox
from pae_harness.sandbox.protocol import Box, BoxSpec, Limits
from pae_harness.solutions import parse
from pae_harness.tasks import Task

Attack = Callable[..., TrialResult]


@pytest.fixture
def attack(tiny: Task, tmp_path: Path) -> Attack:
    """Run a shell command, or a Python program, as the agent of a trial on seed 1."""

    def run(command: str = "", *, program: str = "", **options: object) -> TrialResult:
        folder = tmp_path / "agent"
        folder.mkdir(mode=0o755, exist_ok=True)
        (folder / "attack.py").write_text(program)
        solution = parse(f"cmd:{command or 'python3 -I /agent/attack.py'}", folder)
        return run_trial(tiny, 1, solution, sandbox="local", **options)  # type: ignore[arg-type]

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
