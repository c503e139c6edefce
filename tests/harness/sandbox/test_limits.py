"""Limits hold for a whole box, and the result names the one that was hit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pae_harness.sandbox.protocol import Box, Limits, OutputLimits

Start = Callable[..., Box]

# Four processes of 60 MB each; the parent fails if a child was killed.
FOUR_HUNGRY = """
import os, sys, time
children = []
for _ in range(4):
    pid = os.fork()
    if pid == 0:
        block = bytearray(60 << 20)
        time.sleep(2)
        os._exit(0)
    children.append(pid)
sys.exit(any(os.waitpid(pid, 0)[1] for pid in children))
"""
# Forks until it is refused, and stays a while.
FORKS = """
import os, sys, time
try:
    for _ in range(500):
        if os.fork() == 0:
            time.sleep(30)
            os._exit(0)
except BlockingIOError:
    time.sleep(1)
    sys.exit(1)
"""
# Two processes that want a processor each for a second; prints CPU time by wall time.
TWO_BUSY = """
import os, time
began = time.monotonic()
for _ in range(2):
    if os.fork() == 0:
        while time.monotonic() < began + 1.5:
            pass
        os._exit(0)
os.wait(), os.wait()
times = os.times()
print((times.children_user + times.children_system) / (time.monotonic() - began))
"""


def test_memory_is_limited_for_all_processes_together(start: Start) -> None:
    box = start(limits=Limits(memory_mb=150))
    done = box.exec(["python3", "-I", "-c", FOUR_HUNGRY], timeout=60)
    assert done.exit_code != 0
    assert done.limit == "memory"


def test_memory_below_the_limit_is_no_hit(start: Start) -> None:
    box = start(limits=Limits(memory_mb=512))
    done = box.exec(["python3", "-I", "-c", FOUR_HUNGRY], timeout=60)
    assert (done.exit_code, done.limit) == (0, None)


def test_memory_of_one_process_is_limited(start: Start) -> None:
    box = start(limits=Limits(memory_mb=64))
    program = (
        "import time; blocks = [bytearray(8 << 20) for _ in range(100) if not time.sleep(.01)]"
    )
    done = box.exec(["python3", "-I", "-c", program], timeout=60)
    assert done.exit_code != 0
    assert done.limit == "memory"


def test_a_box_works_on_after_its_memory_ran_out(start: Start) -> None:
    box = start(limits=Limits(memory_mb=64))
    box.exec(["python3", "-I", "-c", "bytearray(1 << 30)"], timeout=60)
    done = box.exec(["echo", "alive"], timeout=60)
    assert (done.stdout, done.limit) == (b"alive\n", None)


def test_the_number_of_processes_is_limited(start: Start) -> None:
    box = start(limits=Limits(pids=40))
    done = box.exec(["python3", "-I", "-c", FORKS], timeout=60)
    assert done.exit_code != 0
    assert done.limit == "pids"


def test_forty_processes_fit_into_forty(start: Start) -> None:
    box = start(limits=Limits(pids=40))
    program = "for i in $(seq 38); do sleep 1 & done; wait"
    done = box.exec(["sh", "-c", program], timeout=60)
    assert (done.exit_code, done.limit, done.stderr) == (0, None, b"")


def test_a_full_box_leaves_room_to_another(start: Start) -> None:
    full, other = start(limits=Limits(pids=40)), start(limits=Limits(pids=40))
    full.exec(["python3", "-I", "-c", FORKS], timeout=60)
    done = other.exec(["sh", "-c", "for i in $(seq 20); do sleep 0.1 & done; wait"], timeout=60)
    assert (done.exit_code, done.stderr) == (0, b"")


def test_processor_time_is_limited(start: Start) -> None:
    box = start(limits=Limits(cpus=1.0))
    done = box.exec(["python3", "-I", "-c", TWO_BUSY], timeout=60)
    assert float(done.stdout) <= 1.3


def test_wall_time_is_limited(start: Start) -> None:
    done = start().exec(["sleep", "60"], timeout=0.3)
    assert (done.exit_code, done.limit) == (None, "time")


def test_ignoring_signals_gains_no_time(start: Start) -> None:
    program = "trap '' TERM INT HUP; echo begun; while :; do sleep 1; done"
    done = start().exec(["sh", "-c", program], timeout=2)
    assert (done.exit_code, done.limit, done.stdout) == (None, "time", b"begun\n")


def test_disk_is_limited_over_all_writable_folders(start: Start) -> None:
    box = start(limits=Limits(storage_mb=16), writable=("/tmp", "/app"))
    program = "head -c 10000000 /dev/zero > /tmp/a && head -c 10000000 /dev/zero > /app/b"
    done = box.exec(["sh", "-c", program], timeout=60)
    assert done.exit_code != 0
    assert done.limit == "disk"


def test_a_full_disk_is_said_to_whoever_writes(start: Start) -> None:
    box = start(limits=Limits(storage_mb=16))
    done = box.exec(["sh", "-c", "head -c 20000000 /dev/zero > /tmp/a"], timeout=60)
    assert done.exit_code != 0
    assert done.limit == "disk"
    assert b"No space left" in done.stderr


def test_files_that_fill_the_memory_are_a_hit_and_no_failure(start: Start, tmp_path: Path) -> None:
    box = start(limits=Limits(storage_mb=512, memory_mb=64))
    program = "echo kept > /tmp/memo.md; head -c 400000000 /dev/zero > /tmp/large"
    done = box.exec(["sh", "-c", program], timeout=120)
    counted = "files included" in box.enforced["memory"]
    assert (done.exit_code == 0) is not counted
    assert done.limit == ("memory" if counted else None)
    box.kill()
    assert box.get("/tmp/memo.md", tmp_path / "memo.md", OutputLimits())


def test_a_flood_of_empty_files_ends(start: Start) -> None:
    box = start(limits=Limits(storage_mb=16, memory_mb=64))
    program = "for i in range(10**7): open(f'/tmp/{i}', 'w').close()"
    done = box.exec(["python3", "-I", "-c", program], timeout=120)
    assert done.exit_code != 0
    assert done.limit in ("disk", "memory")


def test_a_failure_with_room_on_the_disk_is_no_hit(start: Start) -> None:
    box = start(limits=Limits(storage_mb=16))
    done = box.exec(["sh", "-c", "head -c 10000000 /dev/zero > /tmp/a; exit 3"], timeout=60)
    assert (done.exit_code, done.limit) == (3, None)


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_gigabyte_of_output_neither_blocks_nor_is_kept(start: Start, stream: str) -> None:
    box = start(limits=Limits(stream_bytes=5000, memory_mb=64))
    program = "head -c 1000000000 /dev/zero" + (" >&2" if stream == "stderr" else "")
    done = box.exec(["sh", "-c", program], timeout=120)
    assert done.exit_code == 0
    assert done.truncated
    assert getattr(done, stream) == bytes(5000)


def test_output_of_exactly_the_limit_is_whole(start: Start) -> None:
    box = start(limits=Limits(stream_bytes=5000))
    done = box.exec(["head", "-c", "5000", "/dev/zero"], timeout=60)
    assert (len(done.stdout), done.truncated) == (5000, False)


def test_the_beginning_of_each_stream_is_kept(start: Start) -> None:
    box = start(limits=Limits(stream_bytes=4))
    done = box.exec(["sh", "-c", "echo abcdef; echo ghijkl >&2"], timeout=60)
    assert (done.stdout, done.stderr, done.truncated) == (b"abcd", b"ghij", True)


def test_the_box_says_what_enforces_each_limit(start: Start) -> None:
    enforced = start().enforced
    assert set(enforced) == {"memory", "pids", "cpus", "storage", "time", "streams"}
    assert all(enforced.values())
