"""The filter as a program, apart from any box."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest

from pae_harness.sandbox import seccomp

HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}
ALLOW, EPERM, ENOSYS = 0x7FFF0000, 0x00050001, 0x00050026
OWN_FILES = 0x003D0B00  # a thread without CLONE_FILES


CLOSE_RANGE = 436
NOTHING = 0x00050000  # is done, and no error
NETLINK, NO_SUCH_PROTOCOL = 16, 0x0005005D


def decide(
    program: bytes, arch: int, number: int, first: int = 0, second: int = 0, third: int = 0
) -> int:
    """Run the filter on one system call, as the kernel would."""
    data = {0: number, 4: arch, 16: first, 24: second, 32: third}
    accumulator, at = 0, 0
    while True:
        code, true, false, value = struct.unpack_from("=HBBI", program, at * 8)
        at += 1
        if code == 0x20:
            accumulator = data[value]
        elif code == 0x06:
            return int(value)
        else:
            tests = {
                0x15: accumulator == value,
                0x35: accumulator >= value,
                0x45: bool(accumulator & value),
            }
            at += true if tests[code] else false


@pytest.mark.parametrize("machine", sorted(seccomp.MACHINES))
def test_every_refused_call_is_refused(machine: str) -> None:
    known = seccomp.MACHINES[machine]
    program = seccomp.program(machine)
    answers = {decide(program, known.audit, number) for number in known.refused.values()}
    assert answers == {EPERM}


@pytest.mark.parametrize("machine", sorted(seccomp.MACHINES))
def test_an_ordinary_call_is_allowed(machine: str) -> None:
    known = seccomp.MACHINES[machine]
    program = seccomp.program(machine)
    assert decide(program, known.audit, 63) == ALLOW
    assert decide(program, known.audit, known.clone, 0x003D0F00) == ALLOW  # a thread
    assert decide(program, known.audit, known.ioctl, 0, 0x5401) == ALLOW
    assert decide(program, known.audit, known.socket, 1) == ALLOW
    assert decide(program, known.audit, known.socket, NETLINK) == ALLOW


@pytest.mark.parametrize("machine", sorted(seccomp.MACHINES))
@pytest.mark.parametrize("protocol", [2, 15, 16])
def test_netlink_is_there_for_interfaces_only(machine: str, protocol: int) -> None:
    known = seccomp.MACHINES[machine]
    found = decide(seccomp.program(machine), known.audit, known.socket, NETLINK, 3, protocol)
    assert found == NO_SUCH_PROTOCOL


@pytest.mark.parametrize("machine", sorted(seccomp.MACHINES))
def test_a_larger_receive_buffer_is_granted_without_effect(machine: str) -> None:
    known = seccomp.MACHINES[machine]
    program = seccomp.program(machine)
    assert decide(program, known.audit, known.setsockopt, 3, 1, 8) == NOTHING
    assert decide(program, known.audit, known.setsockopt, 3, 1, 7) == ALLOW
    assert decide(program, known.audit, known.setsockopt, 3, 6, 8) == ALLOW


@pytest.mark.parametrize("machine", sorted(seccomp.MACHINES))
def test_the_init_is_spared_only_on_request(machine: str) -> None:
    known = seccomp.MACHINES[machine]
    free, sparing = seccomp.program(machine), seccomp.program(machine, spare_init=True)
    for number in known.steering.values():
        assert decide(free, known.audit, number, 1, 1) == ALLOW
        assert decide(sparing, known.audit, number, 1, 1) == EPERM
        assert decide(sparing, known.audit, number, 0, 0) == ALLOW


@pytest.mark.parametrize("machine", sorted(seccomp.MACHINES))
def test_another_architectures_call_is_refused(machine: str) -> None:
    assert decide(seccomp.program(machine), 0x40000003, 20) == 0x00050026


@pytest.mark.parametrize("machine", sorted(seccomp.MACHINES))
def test_affinity_is_refused_only_on_request(machine: str) -> None:
    known = seccomp.MACHINES[machine]
    number = known.sched_setaffinity
    assert decide(seccomp.program(machine), known.audit, number) == ALLOW
    assert decide(seccomp.program(machine, pin_cpus=True), known.audit, number) == EPERM


@pytest.mark.parametrize("machine", sorted(seccomp.MACHINES))
def test_memory_that_a_watcher_cannot_see_is_refused_only_on_request(machine: str) -> None:
    known = seccomp.MACHINES[machine]
    free, watched = seccomp.program(machine), seccomp.program(machine, watched=True)
    for number in known.unseen.values():
        assert decide(free, known.audit, number) == ALLOW
        assert decide(watched, known.audit, number) == ENOSYS


@pytest.mark.parametrize("machine", sorted(seccomp.MACHINES))
def test_a_thread_has_no_descriptors_of_its_own(machine: str) -> None:
    known = seccomp.MACHINES[machine]
    program = seccomp.program(machine)
    assert decide(program, known.audit, known.clone, OWN_FILES) == EPERM
    assert decide(program, known.audit, known.clone, 0x003D0F00) == ALLOW  # an ordinary thread
    assert decide(program, known.audit, known.clone, 17) == ALLOW  # a process
    assert decide(program, known.audit, CLOSE_RANGE, 3, 1 << 31, 2) == EPERM
    assert decide(program, known.audit, CLOSE_RANGE, 3, 1 << 31, 4) == ALLOW


@pytest.mark.parametrize("machine", sorted(seccomp.MACHINES))
def test_the_numbers_are_the_kernel_headers(machine: str) -> None:
    header = HEADERS[machine]
    if not header.exists():
        pytest.skip("no kernel headers here")
    known = seccomp.MACHINES[machine]
    pairs = re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", header.read_text())
    numbers = {name: int(number) for name, number in pairs}
    named = {"socket": known.socket, "clone": known.clone, "ioctl": known.ioctl}
    named |= {"setsockopt": known.setsockopt, "sched_setaffinity": known.sched_setaffinity}
    wanted = {**known.refused, **known.unseen, **known.steering, **named}
    assert {n: v for n, v in wanted.items() if numbers.get(n, v) != v} == {}
    assert len(wanted.keys() & numbers.keys()) > 40
