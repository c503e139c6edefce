"""What the conformance suite shares: it runs on every backend, each case one test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Protocol

import pytest
from tests.harness.backends import Backend, have

from pae_harness.sandbox.protocol import Box, BoxSpec, ExecResult, Limits, Sandbox

Start = Callable[..., Box]


class Run(Protocol):
    """Run a command, or with ``python`` a program, in a box."""

    def __call__(self, box: Box, *argv: str, timeout: float = 60) -> ExecResult: ...


SMALL = Limits(memory_mb=512, storage_mb=64)


@pytest.fixture(scope="session", params=["docker", "local", "local-root", "podman"])
def backend(request: pytest.FixtureRequest) -> Backend:
    """Each backend in turn; one that this machine does not have is skipped, or else a failure."""
    return have(request.param)


@pytest.fixture(scope="session")
def sandbox(backend: Backend) -> Sandbox:
    return backend.open()


@pytest.fixture
def start(sandbox: Sandbox) -> Iterator[Start]:
    """Start boxes that are closed after the test; keywords are BoxSpec's."""
    with ExitStack() as stack:

        def begin(**spec: object) -> Box:
            wanted = BoxSpec(**{"limits": SMALL, **spec})  # type: ignore[arg-type]
            return stack.enter_context(sandbox.start(wanted))

        yield begin


@pytest.fixture(scope="module")
def box(sandbox: Sandbox) -> Iterator[Box]:
    """One box for all tests of a module that leave nothing behind."""
    with sandbox.start(BoxSpec(limits=SMALL, writable=("/tmp", "/app"))) as shared:
        yield shared


@pytest.fixture(scope="session")
def run() -> Run:
    def run_command(box: Box, *argv: str, timeout: float = 60) -> ExecResult:
        return box.exec(argv, timeout=timeout)

    return run_command


@pytest.fixture(scope="session")
def python() -> Callable[[Box, str], str]:
    """Run a program in a box's Python; its stdout, stripped. It must succeed."""

    def run_program(box: Box, program: str) -> str:
        done = box.exec(["python3", "-I", "-c", program], timeout=60)
        assert done.exit_code == 0, done.stderr.decode()
        return done.stdout.decode().strip()

    return run_program
