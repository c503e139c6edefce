"""Two boxes at once: neither finds anything of the other's."""

from __future__ import annotations

import threading

import pytest

from pae_harness.sandbox.protocol import BoxSpec, Sandbox

# Leaves a trace of every kind, and stays.
ONE = """
import ctypes, os, socket, time
libc = ctypes.CDLL(None)
unix, tcp = socket.socket(socket.AF_UNIX), socket.socket()
unix.bind("\\0neighbour"), unix.listen()
tcp.bind(("127.0.0.1", 4444)), tcp.listen()
libc.shmget(77, 4096, 0o1666), libc.msgget(77, 0o1666), libc.semget(77, 1, 0o1666)
libc.mq_open(b"/neighbour", os.O_CREAT | os.O_RDWR, 0o666, None)
for folder in ("/tmp", "/dev/shm"):
    open(folder + "/neighbour", "w").close()
time.sleep(60)
"""
LOOKS = {
    "abstract sockets": "socket.socket(socket.AF_UNIX).connect('\\0neighbour')",
    "the loopback interface": "socket.create_connection(('127.0.0.1', 4444))",
    "System V memory": "found(libc.shmget(77, 0, 0))",
    "System V messages": "found(libc.msgget(77, 0))",
    "System V semaphores": "found(libc.semget(77, 0, 0))",
    "message queues": "found(libc.mq_open(b'/neighbour', os.O_RDONLY))",
    "temporary files": "os.stat('/tmp/neighbour')",
    "shared memory": "os.stat('/dev/shm/neighbour')",
    "processes": "found(sum(map(str.isdigit, os.listdir('/proc'))) - 3)",  # init and itself
}
TWO = """
import ctypes, os, socket
libc = ctypes.CDLL(None)

def found(number):
    if number < 0:
        raise OSError

for name, look in LOOKS.items():
    try:
        exec(look)
    except OSError:
        continue
    print(name)
"""


@pytest.mark.parametrize(
    ("backend", "mode"),
    [("local", "control groups"), ("local", "watcher"), ("docker", "control groups")],
    indirect=["backend"],
)
def test_a_neighbour_leaves_no_trace(
    sandbox: Sandbox, mode: str, request: pytest.FixtureRequest
) -> None:
    if mode == "watcher":
        request.getfixturevalue("no_control_groups")
    program = f"LOOKS = {LOOKS!r}\n{TWO}"
    with sandbox.start(BoxSpec()) as one, sandbox.start(BoxSpec()) as two:
        stays = threading.Thread(target=lambda: one.exec(["python3", "-c", ONE], timeout=60))
        stays.start()
        two.exec(["sleep", "1"], timeout=20)
        done = two.exec(["python3", "-I", "-c", program], timeout=20)
        one.kill()
        stays.join()
    assert (done.exit_code, done.stdout, done.stderr) == (0, b"", b"")
