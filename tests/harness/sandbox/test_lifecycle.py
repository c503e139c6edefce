"""Boxes end completely: after kill, after close, and after the harness itself was killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.harness.backends import SETSID, Backend
from tests.harness.waiting import comes_true

from pae_harness.errors import SandboxError
from pae_harness.sandbox.protocol import Box, ExecResult, OutputLimits

Start = Callable[..., Box]

# Starts a box with processes in it that would run for an hour, in every way to hide.
HARNESS = """
import sys
from pae_harness.sandbox import open_sandbox
from pae_harness.sandbox.protocol import BoxSpec
box = open_sandbox(sys.argv[1]).start(BoxSpec())
print("started", flush=True)
box.exec(["sh", "-c", f"sleep {sys.argv[2]} & {sys.argv[3]} sleep {sys.argv[2]} & "
          f"(trap '' TERM HUP; sleep {sys.argv[2]}) & wait"], timeout=3600)
"""


def running(mark: str) -> int:
    """How many processes of the host are ``sleep MARK``."""
    count = 0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            count += (folder / "cmdline").read_bytes() == f"sleep\0{mark}\0".encode()
        except OSError:
            continue
    return count


@pytest.fixture
def mark() -> str:
    """A number of seconds that no other process sleeps."""
    return f"36{time.monotonic_ns() % 10**9:09}"


def test_kill_ends_a_running_command(start: Start, mark: str) -> None:
    box = start()
    ended: list[ExecResult] = []
    thread = threading.Thread(
        target=lambda: ended.append(box.exec(["sh", "-c", f"sleep {mark} & wait"], timeout=600))
    )
    thread.start()
    assert comes_true(lambda: running(mark) == 1)
    box.kill()
    assert running(mark) == 0
    thread.join(30)
    assert (ended[0].exit_code, ended[0].limit) == (None, None)


def test_what_was_written_before_the_kill_can_be_read(
    start: Start, tmp_path: Path, mark: str
) -> None:
    box = start()
    box.exec(["sh", "-c", f"echo draft > /tmp/memo.md; sleep {mark}"], timeout=2)
    box.kill()
    assert box.get("/tmp/memo.md", tmp_path / "memo.md", OutputLimits())
    assert (tmp_path / "memo.md").read_text() == "draft\n"


def test_nothing_changes_after_the_kill(start: Start, tmp_path: Path) -> None:
    box = start()
    program = "while :; do date +%N > /tmp/beat; sleep 0.02; done"
    box.exec(["sh", "-c", f"{SETSID} sh -c '{program}' & {program}"], timeout=2)
    box.kill()
    box.get("/tmp/beat", tmp_path / "first", OutputLimits())
    time.sleep(0.2)
    box.get("/tmp/beat", tmp_path / "second", OutputLimits())
    assert (tmp_path / "first").read_bytes() == (tmp_path / "second").read_bytes()


def test_a_killed_box_runs_nothing_more(start: Start, tmp_path: Path) -> None:
    box = start()
    box.kill()
    with pytest.raises(SandboxError, match="killed"):
        box.exec(["true"], timeout=60)
    with pytest.raises(SandboxError, match="killed"):
        box.put(tmp_path, "/tmp")


def test_kill_and_close_can_be_repeated_in_any_order(start: Start) -> None:
    box = start()
    box.kill()
    box.kill()
    box.close()
    box.close()
    box.kill()


def test_a_closed_box_says_so(start: Start) -> None:
    box = start()
    box.close()
    with pytest.raises(SandboxError, match="closed"):
        box.exec(["true"], timeout=60)


def test_leaving_the_block_ends_everything(start: Start, mark: str) -> None:
    with start() as box:
        thread = threading.Thread(target=_ignoring, args=(box, mark))
        thread.start()
        assert comes_true(lambda: running(mark) == 1)
    assert comes_true(lambda: running(mark) == 0)
    thread.join(30)
    assert not thread.is_alive()


def _ignoring(box: Box, mark: str) -> None:
    try:
        box.exec(["sleep", mark], timeout=600)
    except SandboxError:
        return


def harness_with_a_box(backend: Backend, mark: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", HARNESS, backend.name, mark, SETSID],
        env={**os.environ, **backend.environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )


def test_killing_the_harness_ends_every_process(backend: Backend, mark: str) -> None:
    with harness_with_a_box(backend, mark) as harness:
        try:
            assert comes_true(lambda: running(mark) == 3)
        finally:
            harness.kill()
        harness.wait()
    assert comes_true(lambda: running(mark) == 0)


def test_stopping_the_harness_by_signal_ends_every_process(backend: Backend, mark: str) -> None:
    with harness_with_a_box(backend, mark) as harness:
        try:
            assert comes_true(lambda: running(mark) == 3)
            os.kill(harness.pid, signal.SIGINT)
            harness.wait(60)
        finally:
            harness.kill()
    assert comes_true(lambda: running(mark) == 0)


def test_a_box_leaves_nothing_in_the_temporary_folder(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    before = set(tmp_path.iterdir())
    box = start()
    box.exec(["true"], timeout=60)
    assert set(tmp_path.iterdir()) == before
    box.close()
    assert set(tmp_path.iterdir()) == before


def test_a_box_leaves_no_thread_and_no_descriptor(start: Start) -> None:
    for _ in range(8):  # an engine's client keeps up to two dozen connections
        start().close()
    threads, descriptors = threading.active_count(), len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    box = start()
    box.exec(["true"], timeout=60)
    box.close()
    assert threading.active_count() == threads
    assert len(os.listdir("/proc/self/fd")) == descriptors  # noqa: PTH208
