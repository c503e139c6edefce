"""In a container the supervisor is the agent's own user: what an agent may try on it."""

from __future__ import annotations

import errno
import platform
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.harness.attacks.lab import together

from pae_harness import TrialResult
from pae_harness.sandbox import seccomp
from pae_harness.sandbox.protocol import Box, OutputLimits

Attack = Callable[..., TrialResult]

STEERING = seccomp.MACHINES[platform.machine()].steering
# Arguments that would change process 1; the kernel looks at them only after the filter.
ARGUMENTS = {
    "prlimit64": "1, 7, few, 0",
    "sched_setparam": "1, few",
    "sched_setscheduler": "1, 5, few",
    "sched_setattr": "1, few, 0",
    "sched_setaffinity": "1, 8, few",
    "setpriority": "0, 1, 19",
    "ioprio_set": "1, 1, 3 << 13",
}
CALL = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
few = (ctypes.c_ulong * 8)(1, 1)
print(0 if libc.syscall({number}, {arguments}) >= 0 else ctypes.get_errno())
"""

ON_THE_SUPERVISOR = {
    "every signal, in every way": """
import ctypes, fcntl, os, signal, socket
libc = ctypes.CDLL(None)
for number in range(1, 65):
    libc.kill(1, number), libc.kill(-1, 0)
    try:
        signal.pidfd_send_signal(os.pidfd_open(1), number)
    except OSError:
        pass
    a, b = socket.socketpair()
    fcntl.fcntl(a, fcntl.F_SETOWN, 1), fcntl.fcntl(a, 10, number)  # F_SETSIG
    fcntl.fcntl(a, fcntl.F_SETFL, os.O_ASYNC)
    b.send(b"x")
""",
    "a flood of the signal that it listens to": """
import os, time
for _ in range(3):
    if os.fork() == 0:
        while True:
            os.kill(1, 17)
time.sleep(1)
""",
    "orphans without end": """
import os, time
until = time.monotonic() + 2
while time.monotonic() < until:
    if os.fork() == 0:
        for _ in range(20):
            if os.fork() == 0:
                os._exit(3)
        os._exit(0)
    os.wait()
""",
    "brothers of the command": """
import ctypes, os
libc = ctypes.CDLL(None)
for _ in range(200):  # CLONE_PARENT
    if libc.syscall(CLONE, 0x8000 | 17, 0, 0, 0, 0) == 0:
        os._exit(9)
""".replace("CLONE,", f"{seccomp.MACHINES[platform.machine()].clone},"),
    "everything in its folder": """
import os
for folder, _, files in os.walk("/proc/1"):
    for name in files:
        for value in (b"1000", b"5", b"0x0"):
            try:
                fd = os.open(folder + "/" + name, os.O_WRONLY | os.O_NONBLOCK)
                os.write(fd, value)
                if os.lstat(folder + "/" + name).st_uid == os.getuid():
                    raise SystemExit(name)
            except OSError:
                pass
""",
    "stopping, then ending, all that may be": """
import os, signal
if os.fork():
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
    os.wait()
else:
    for number in (signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU):
        os.kill(1, number), os.kill(-1, 0)
""",
}
SHUT = ("mem", "environ", "maps", "fd", "root", "cwd", "exe", "stack", "syscall", "io", "map_files")
NOTE = "\nopen('/app/output/note.md', 'w').write('The fee is $101.25.')\n"


# Elsewhere the supervisor is in no box of an agent's.
on_containers = pytest.mark.parametrize("backend", ["docker"], indirect=True)


@on_containers
def test_no_call_changes_the_supervisor(box: Box) -> None:
    calls = {STEERING[name]: arguments for name, arguments in ARGUMENTS.items()}
    programs = [CALL.format(number=n, arguments=arguments) for n, arguments in calls.items()]
    done = box.exec(["python3", "-I", "-c", "\n".join(programs)], timeout=20)
    assert list(map(int, done.stdout.split())) == [errno.EPERM] * len(STEERING)


@on_containers
def test_the_supervisor_cannot_be_looked_into(box: Box) -> None:
    program = (
        f"import os\nfor path in [f'/proc/1/{{name}}' for name in {SHUT}]:\n"
        "  try: print(os.listdir(path) if os.path.isdir(path) else open(path, 'rb').read())\n"
        "  except OSError as error: print(error.errno)"
    )
    done = box.exec(["python3", "-I", "-c", program], timeout=20)
    said = list(map(int, done.stdout.split()))
    assert len(said) == len(SHUT)
    assert set(said) <= {errno.EACCES, errno.EPERM}


@on_containers
def test_the_supervisor_goes_on(attack: Attack) -> None:
    attacks = dict(ON_THE_SUPERVISOR)
    first = attacks.pop("brothers of the command")  # and not of a child of its
    result = attack(program=f"import os, sys\n{NOTE}{first}{together(attacks)}")
    assert (result.outcome, result.reward, result.exit_code) == ("scored", 1.0, 0), result.reason


# The memory of a segment counts for no process, and so the largest one is the supervisor.
SEGMENT = """
import ctypes, os, time
open("/proc/self/oom_score_adj", "w").write("0")
libc = ctypes.CDLL(None)
libc.shmat.restype = ctypes.c_void_p
segment = libc.shmget(0, 1 << 30, 0o1600)
def fill(at, size):
    if os.fork() == 0:
        ctypes.memset(libc.shmat(segment, 0, 0) + at, 1, size)
        os._exit(0)
    return os.wait()[1]
"""
ENDS_WITH_IT = {
    "before it has": """
for at in range(0, 1 << 30, 1 << 22):
    fill(at, 1 << 22)
time.sleep(10)
""",
    "and ends well": """
GROUP = "/sys/fs/cgroup/"
names = ("memory/memory.usage_in_bytes", "memory/memory.limit_in_bytes")
names = names if os.path.exists(GROUP + names[0]) else ("memory.current", "memory.max")
at = 0
while True:
    used, most = (int(open(GROUP + name).read()) for name in names)
    if most - used < 1 << 20:
        break
    size = 1 << 22 if most - used > 12 << 20 else 1 << 18
    fill(at, size)
    at += size
os._exit(0)
""",
}


# Each engine says in its own way, or does not, that memory ran out.
@pytest.mark.parametrize("backend", ["docker", "podman"], indirect=True)
@pytest.mark.parametrize("program", ENDS_WITH_IT.values(), ids=ENDS_WITH_IT)
def test_memory_that_is_nobodys_makes_no_zero_unscored(attack: Attack, program: str) -> None:
    result = attack(program=SEGMENT + program)
    assert (result.outcome, result.reward) == ("agent_failed", 0.0)


# Empty files are the kernel's memory; their names would have to fit into what is left.
NAMES = """
import os
os.mkdir("/app/output/note.md")
os.chdir("/app/output/note.md")
for i in range(170_000):
    os.close(os.open("%0240d" % i, os.O_CREAT | os.O_WRONLY))
"""


def test_more_names_than_fit_into_memory(attack: Attack) -> None:
    result = attack(program=NAMES)
    assert (result.outcome, result.reward, result.exit_code) == ("agent_failed", 0.0, 0)
    assert "more than 1000 files" in result.reason


def test_the_time_limit_holds_among_busy_processes(box: Box, tmp_path: Path) -> None:
    program = (
        "import os\nopen('/app/note', 'w').close()\n"
        "try:\n  while True: os.fork() or exec('while True: pass')\nexcept OSError:\n"
        "  while True: pass"
    )
    done = box.exec(["python3", "-I", "-c", program], timeout=2)
    box.kill()
    assert (done.exit_code, done.limit) == (None, "time")
    assert box.get("/app/note", tmp_path / "note", OutputLimits())
