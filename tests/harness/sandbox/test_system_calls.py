"""Which of the kernel's doors are shut to a command in a box."""

from __future__ import annotations

import errno
import platform
from collections.abc import Callable

import pytest

from pae_harness.sandbox import seccomp
from pae_harness.sandbox.protocol import Box

Python = Callable[[Box, str], str]

# Prints the errno of a raw system call, 0 if it succeeds.
CALL = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
print(0 if libc.syscall({number}, {arguments}) >= 0 else ctypes.get_errno())
"""
MACHINE = seccomp.MACHINES[platform.machine()]
NEW_USER, NEW_NET, NEW_PID = 0x10000000, 0x40000000, 0x20000000
SIGCHLD = 17


def call(python: Python, box: Box, number: int, arguments: str = "0, 0, 0, 0, 0") -> int:
    return int(python(box, CALL.format(number=number, arguments=arguments)))


@pytest.mark.parametrize("name", sorted(MACHINE.refused))
def test_a_call_that_no_box_needs_is_refused(box: Box, python: Python, name: str) -> None:
    assert call(python, box, MACHINE.refused[name]) == errno.EPERM


@pytest.mark.parametrize("flag", [NEW_USER, NEW_NET, NEW_PID])
def test_no_namespace_is_made_by_unshare(box: Box, python: Python, flag: int) -> None:
    assert call(python, box, MACHINE.refused["unshare"], str(flag)) == errno.EPERM


@pytest.mark.parametrize("flag", [NEW_USER, NEW_NET, NEW_PID])
def test_no_namespace_is_made_by_clone(box: Box, python: Python, flag: int) -> None:
    arguments = f"{flag | SIGCHLD}, 0, 0, 0, 0"
    assert call(python, box, MACHINE.clone, arguments) == errno.EPERM


def test_clone3_sends_programs_to_clone(box: Box, python: Python) -> None:
    assert call(python, box, 435) == errno.ENOSYS


@pytest.mark.parametrize(
    ("family", "name"), [(40, "vsock"), (17, "packet"), (38, "alg"), (44, "xdp")]
)
def test_a_socket_family_that_leaves_the_box_is_refused(
    box: Box, python: Python, family: int, name: str
) -> None:
    for kind in (1, 2, 3):
        found = call(python, box, MACHINE.socket, f"{family}, {kind}, 0")
        assert found == errno.EAFNOSUPPORT, name


@pytest.mark.parametrize(
    ("protocol", "name"), [(2, "usersock"), (12, "netfilter"), (15, "kobject_uevent")]
)
def test_netlink_sockets_that_hold_uncounted_memory_are_refused(
    box: Box, python: Python, protocol: int, name: str
) -> None:
    found = call(python, box, MACHINE.socket, f"16, 3, {protocol}")
    assert found == errno.EPROTONOSUPPORT, name


def test_unix_sockets_are_allowed(box: Box, python: Python) -> None:
    program = (
        "import socket; a, b = socket.socketpair(); a.send(b'hi'); print(b.recv(2));"
        "s = socket.socket(socket.AF_UNIX); s.bind('/tmp/s'); s.listen();"
        "c = socket.socket(socket.AF_UNIX); c.connect('/tmp/s'); print('connected');"
        "import os; os.remove('/tmp/s')"
    )
    assert python(box, program) == "b'hi'\nconnected"


def test_threads_and_subprocesses_work(box: Box, python: Python) -> None:
    program = (
        "import subprocess, threading; t = threading.Thread(target=print, args=('thread',));"
        "t.start(); t.join(); print(subprocess.check_output(['echo', 'child']))"
    )
    assert python(box, program) == "thread\nb'child\\n'"


def test_shared_memory_works(box: Box, python: Python) -> None:
    program = "import multiprocessing as m; m.Lock(); m.Value('i'); print('made')"
    assert python(box, program) == "made"


def test_typing_into_a_terminal_is_refused(box: Box, python: Python) -> None:
    assert call(python, box, MACHINE.ioctl, "0, 0x5412, 0") == errno.EPERM


@pytest.mark.skipif(platform.machine() != "x86_64", reason="32-bit calls are x86's")
def test_calls_of_another_convention_are_refused(box: Box, python: Python) -> None:
    # mov eax, 20 (getpid); int 0x80; movsxd rax, eax; ret
    program = (
        "import ctypes, mmap\n"
        "m = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)\n"
        "m.write(bytes.fromhex('b814000000cd804863c0c3'))\n"
        "address = ctypes.addressof(ctypes.c_char.from_buffer(m))\n"
        "print(ctypes.CFUNCTYPE(ctypes.c_long)(address)())"
    )
    assert python(box, program) == str(-errno.ENOSYS)


@pytest.mark.skipif(platform.machine() != "x86_64", reason="x32 calls are x86's")
def test_calls_of_the_x32_convention_are_refused(box: Box, python: Python) -> None:
    assert call(python, box, 0x40000000 + 39) == errno.ENOSYS


def test_affinity_may_be_set_unless_it_is_the_limit(box: Box, python: Python) -> None:
    program = (
        "import os\ntry: os.sched_setaffinity(0, os.sched_getaffinity(0)); print('allowed')\n"
        "except PermissionError: print('refused')"
    )
    by_affinity = "affinity" in box.enforced["cpus"]
    assert python(box, program) == ("refused" if by_affinity else "allowed")
