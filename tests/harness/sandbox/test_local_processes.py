"""The local box's own processes: none of them can die alone, or keep the rest alive."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

import pytest
from tests.harness.waiting import comes_true

from pae_harness.errors import SandboxError
from pae_harness.sandbox.local import LocalBox, LocalSandbox
from pae_harness.sandbox.protocol import BoxSpec

MARK = "3599"


def descendants(pid: int) -> list[int]:
    """A process and all below it, parents first."""
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
        except OSError:
            continue
        children.setdefault(int(parent), []).append(int(folder.name))
    found = [pid]
    for one in found:
        found += children.get(one, [])
    return found


def alive(pid: int) -> bool:
    try:
        return (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def busy(box: LocalBox) -> tuple[list[int], threading.Thread, list[str]]:
    """All processes of a box in which a command runs, the thread that waits, and its fate."""
    fate: list[str] = []

    def work() -> None:
        try:
            fate.append(str(box.exec(["sh", "-c", f"sleep {MARK} & wait"], timeout=3000).exit_code))
        except SandboxError:
            fate.append("SandboxError")

    thread = threading.Thread(target=work)
    thread.start()
    top = box._launched.process.process.pid
    assert comes_true(lambda: any(words(pid) == ["sleep", MARK] for pid in descendants(top)))
    return descendants(top), thread, fate


def words(pid: int) -> list[str]:
    try:
        return (Path("/proc") / str(pid) / "cmdline").read_text().split("\0")[:-1]
    except OSError:
        return []


@pytest.mark.parametrize("which", range(5))
def test_the_death_of_any_of_them_ends_the_command(which: int) -> None:
    with LocalSandbox().start(BoxSpec()) as box:
        processes, thread, fate = busy(box)
        os.kill(processes[which], signal.SIGKILL)
        thread.join(30)
        assert fate in (["SandboxError"], ["137"])
        below = processes[processes.index(processes[which]) + 1 :]
        commands = [pid for pid in below if words(pid)[:1] == ["sleep"]]
        assert comes_true(lambda: not any(map(alive, commands)))
    assert comes_true(lambda: not any(map(alive, processes)))


def test_none_of_them_runs_as_root() -> None:
    with LocalSandbox().start(BoxSpec()) as box:
        processes, thread, _ = busy(box)
        supervised = [pid for pid in processes if words(pid)[1:4] == ["-I", "-S", "-c"]]
        uids = {(Path("/proc") / str(pid)).stat().st_uid for pid in descendants(supervised[0])}
        box.kill()
        thread.join(30)
    assert uids == ({box._launched.uid} if os.getuid() == 0 else {os.getuid()})
    assert 0 not in uids


@pytest.mark.skipif(os.getuid() != 0, reason="only root has other users' numbers to give")
def test_two_boxes_of_root_run_as_different_users() -> None:
    with LocalSandbox().start(BoxSpec()) as one, LocalSandbox().start(BoxSpec()) as other:
        assert one._launched.uid != other._launched.uid


def test_closing_a_box_under_a_running_command_ends_it() -> None:
    box = LocalSandbox().start(BoxSpec())
    processes, thread, fate = busy(box)
    commands = [pid for pid in processes if words(pid)[:1] == ["sleep"]]
    box.close()
    assert not any(map(alive, commands))
    thread.join(30)
    assert fate == ["None"]
    assert comes_true(lambda: not any(map(alive, processes)))
