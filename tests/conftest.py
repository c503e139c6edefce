"""For every test: signals as a terminal delivers them; no engine and no root unless asked for.

A shell's background job and nohup ignore SIGINT and SIGHUP, and every child inherits that; tests
that send these signals to a child would wait for ever.
"""

from __future__ import annotations

import signal

import pytest

signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.fixture(autouse=True)
def plainest_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    """``auto`` is the local sandbox on the machine's own system everywhere.

    ``tests.harness.backends`` has the others.
    """
    monkeypatch.setenv("DOCKER_HOST", "unix:///nonexistent/docker.sock")
    monkeypatch.setenv("PAE_ROOT", "off")
