"""Memory that no process's figures show, or no control group counts: what an agent may try."""

from __future__ import annotations

import platform
from collections.abc import Callable

import pytest

from pae_harness.sandbox import seccomp
from pae_harness.sandbox.protocol import Box, Limits

WatchedBox = Callable[[Limits], Box]

CLONE = seccomp.MACHINES[platform.machine()].clone
LIMITS = Limits(memory_mb=128, pids=64, storage_mb=32)
COMMON = """
import ctypes, mmap, os, socket, threading, time
libc = ctypes.CDLL(None, use_errno=True)
MB = 1 << 20


def refused(answer):
    if answer < 0:
        raise OSError(ctypes.get_errno(), "refused")


def hold(count=400):
    blocks = []
    for _ in range(count):
        blocks.append(bytearray(MB))
        time.sleep(0.004)
    time.sleep(2)

"""
SEEN = {
    "a first thread that has ended": """
def work():
    time.sleep(0.3)
    hold(180)
    os._exit(0)
threading.Thread(target=work).start()
libc.pthread_exit(None)
""",
    "processes that may not be traced": """
libc.prctl(4, 0, 0, 0, 0)
for _ in range(3):
    if os.fork() == 0:
        hold(60)
        os._exit(0)
for _ in range(3):
    os.wait()
""",
    "shared pages that no page table shows": """
shared = mmap.mmap(-1, 400 * MB)
for at in range(0, 400 * MB, MB):
    shared[at : at + MB] = bytes(MB)
    shared.madvise(mmap.MADV_DONTNEED, at, MB)
    time.sleep(0.004)
time.sleep(2)
""",
    "the same by way of /dev/zero": """
shared = mmap.mmap(os.open("/dev/zero", os.O_RDWR), 400 * MB)
for at in range(0, 400 * MB, MB):
    shared[at : at + MB] = bytes(MB)
    shared.madvise(mmap.MADV_DONTNEED, at, MB)
    time.sleep(0.004)
time.sleep(2)
""",
    "page tables that point to nothing": """
spread = mmap.mmap(-1, 1 << 38, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ)
for at in range(0, 1 << 38, 2 * MB):
    spread[at]
    if at % (1 << 32) == 0:
        time.sleep(0.01)
time.sleep(2)
""",
    "descriptors without end": """
for _ in range(8):
    if os.fork() == 0:
        try:
            while True:
                os.dup(0)
        except OSError:
            time.sleep(5)
            os._exit(0)
time.sleep(3)
""",
}
REFUSED = {
    "memory files": "os.write(os.memfd_create('x'), bytes(MB))",
    "System V shared memory": "refused(libc.shmget(0, MB, 0o1600))",
    "System V semaphores": "refused(libc.semget(0, 32000, 0o1600))",
    "System V messages": "refused(libc.msgget(0, 0o1600))",
    "a thread with descriptors of its own": f"refused(libc.syscall({CLONE}, 0x10900, 0, 0, 0, 0))",
    "sockets beyond a thousand": "a = [socket.socketpair() for _ in range(600)]",
}
HONEST = {
    "children that borrow their parent's memory": """
import subprocess
block = bytearray(80 * MB)
until = time.monotonic() + 2
while time.monotonic() < until:
    subprocess.run(["true"])
""",
    "the same from threads": """
import subprocess
block = bytearray(80 * MB)
until = time.monotonic() + 2
def work():
    while time.monotonic() < until:
        subprocess.run(["true"])
threads = [threading.Thread(target=work) for _ in range(3)]
for thread in threads: thread.start()
for thread in threads: thread.join()
""",
    "forks that share pages": """
block = bytearray(80 * MB)
for _ in range(5):
    if os.fork() == 0:
        time.sleep(1)
        os._exit(0)
time.sleep(1)
""",
    "address space that is only reserved": """
reserved = mmap.mmap(-1, 1 << 36, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ)
time.sleep(0.5)
""",
    "shared memory within the limit": """
shared = mmap.mmap(-1, 40 * MB)
shared[:] = bytes(40 * MB)
time.sleep(0.5)
""",
}


@pytest.mark.parametrize("program", SEEN.values(), ids=SEEN)
def test_hidden_memory_is_found(watched_box: WatchedBox, program: str) -> None:
    done = watched_box(LIMITS).exec(["python3", "-I", "-c", COMMON + program], timeout=60)
    assert done.limit == "memory", done.stderr.decode()


@pytest.mark.parametrize("program", REFUSED.values(), ids=REFUSED)
def test_memory_that_could_not_be_found_is_refused(watched_box: WatchedBox, program: str) -> None:
    done = watched_box(LIMITS).exec(["python3", "-I", "-c", COMMON + program], timeout=60)
    assert (done.exit_code, done.limit) == (1, None)
    assert b"OSError" in done.stderr or b"PermissionError" in done.stderr


@pytest.mark.parametrize("program", HONEST.values(), ids=HONEST)
def test_an_honest_program_is_left_alone(watched_box: WatchedBox, program: str) -> None:
    done = watched_box(LIMITS).exec(["python3", "-I", "-c", COMMON + program], timeout=60)
    assert (done.exit_code, done.limit, done.stderr) == (0, None, b"")


# Each of these holds memory of the kernel's that a control group may not count.
CROWD = """
import os, socket, time
for _ in range(6):
    if os.fork() == 0:
        kept = [socket.socketpair() for _ in range(490)]
        time.sleep(20)
        os._exit(0)
time.sleep(20)
"""


def test_a_crowd_of_sockets_ends_with_its_box(box: Box) -> None:
    done = box.exec(["python3", "-I", "-c", CROWD], timeout=60)
    assert (done.exit_code, done.limit) == (None, "memory")


def test_no_process_has_more_than_a_thousand_descriptors(box: Box) -> None:
    program = "import resource; print(*resource.getrlimit(resource.RLIMIT_NOFILE))"
    done = box.exec(["python3", "-I", "-c", program], timeout=60)
    assert max(map(int, done.stdout.split())) <= 1024


def test_a_sockets_queue_grows_no_longer_on_request(box: Box) -> None:
    program = """
import socket
for family in (socket.AF_INET, socket.AF_NETLINK):
    one = socket.socket(family, socket.SOCK_DGRAM)
    before = one.getsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF)
    one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 30)
    print(one.getsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF) == before)
"""
    done = box.exec(["python3", "-I", "-c", program], timeout=60)
    assert (done.stdout, done.stderr) == (b"True\nTrue\n", b"")
