"""The system calls that a box may not make, as a BPF program.

A namespace hides nothing from AF_VSOCK, new namespaces would widen the kernel's surface, and a
box has no use for mounting, tracing or loading. Unix sockets stay allowed: the broker uses one.
"""

from __future__ import annotations

import errno
import struct
from dataclasses import dataclass

# linux/bpf_common.h, linux/seccomp.h
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_NUMBER, _ARCH, _ARG0, _ARG1, _ARG2 = 0, 4, 16, 24, 32

# linux/sched.h: NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET
_NEW_NAMESPACES = 0x7E020000
_FAMILIES = (1, 2, 10)  # unix, inet, inet6
# Programs list their interfaces through it. Between users' own sockets of other netlink protocols
# a queue of a megabyte costs nothing: no control group counts it, and no other limit bounds it.
_NETLINK, _ROUTE = 16, 0
_TERMINAL_INPUT = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX
_SOCKET_LEVEL, _RECEIVE_BUFFER = 1, 8  # SOL_SOCKET, SO_RCVBUF

# asm-generic numbers, the same on every machine since Linux 5.1
_NEW = {
    "io_uring_setup": 425,
    "io_uring_enter": 426,
    "io_uring_register": 427,
    "open_tree": 428,
    "move_mount": 429,
    "fsopen": 430,
    "fsconfig": 431,
    "fsmount": 432,
    "fspick": 433,
    "pidfd_getfd": 438,
    "process_madvise": 440,
    "mount_setattr": 442,
    "quotactl_fd": 443,
    "memfd_secret": 447,
    "statmount": 457,
    "listmount": 458,
    "open_tree_attr": 467,
}
_CLONE3 = 435
_CLOSE_RANGE, _UNSHARE = 436, 2
_SHARED_THREAD, _SHARED_FILES = 0x10000, 0x400  # CLONE_THREAD, CLONE_FILES

_X86_64 = {
    "ptrace": 101,
    "syslog": 103,
    "vhangup": 153,
    "pivot_root": 155,
    "adjtimex": 159,
    "chroot": 161,
    "acct": 163,
    "settimeofday": 164,
    "mount": 165,
    "umount2": 166,
    "swapon": 167,
    "swapoff": 168,
    "reboot": 169,
    "iopl": 172,
    "ioperm": 173,
    "init_module": 175,
    "delete_module": 176,
    "quotactl": 179,
    "lookup_dcookie": 212,
    "clock_settime": 227,
    "kexec_load": 246,
    "add_key": 248,
    "request_key": 249,
    "keyctl": 250,
    "unshare": 272,
    "perf_event_open": 298,
    "fanotify_init": 300,
    "name_to_handle_at": 303,
    "open_by_handle_at": 304,
    "clock_adjtime": 305,
    "setns": 308,
    "process_vm_readv": 310,
    "process_vm_writev": 311,
    "kcmp": 312,
    "finit_module": 313,
    "kexec_file_load": 320,
    "bpf": 321,
    "userfaultfd": 323,
}
_AARCH64 = {
    "lookup_dcookie": 18,
    "umount2": 39,
    "mount": 40,
    "pivot_root": 41,
    "chroot": 51,
    "vhangup": 58,
    "quotactl": 60,
    "acct": 89,
    "unshare": 97,
    "kexec_load": 104,
    "init_module": 105,
    "delete_module": 106,
    "clock_settime": 112,
    "syslog": 116,
    "ptrace": 117,
    "reboot": 142,
    "settimeofday": 170,
    "adjtimex": 171,
    "add_key": 217,
    "request_key": 218,
    "keyctl": 219,
    "swapon": 224,
    "swapoff": 225,
    "perf_event_open": 241,
    "fanotify_init": 262,
    "name_to_handle_at": 264,
    "open_by_handle_at": 265,
    "clock_adjtime": 266,
    "setns": 268,
    "process_vm_readv": 270,
    "process_vm_writev": 271,
    "kcmp": 272,
    "finit_module": 273,
    "bpf": 280,
    "userfaultfd": 282,
    "kexec_file_load": 294,
}

_UNSEEN_X86_64 = {"shmget": 29, "semget": 64, "msgget": 68, "memfd_create": 319}
_UNSEEN_AARCH64 = {"msgget": 186, "semget": 190, "shmget": 194, "memfd_create": 279}

# Calls that change another process of the same user, and where their numbers are among the
# arguments: (which kind of number, the number).
_STEERING_X86_64 = {
    "prlimit64": 302,
    "sched_setparam": 142,
    "sched_setscheduler": 144,
    "sched_setattr": 314,
    "sched_setaffinity": 203,
    "setpriority": 141,
    "ioprio_set": 251,
}
_STEERING_AARCH64 = {
    "prlimit64": 261,
    "sched_setparam": 118,
    "sched_setscheduler": 119,
    "sched_setattr": 274,
    "sched_setaffinity": 122,
    "setpriority": 140,
    "ioprio_set": 30,
}
_OF_A_USER = {"setpriority": 2, "ioprio_set": 3}  # PRIO_USER, IOPRIO_WHO_USER
_INIT = 1


@dataclass(frozen=True)
class Machine:
    """What the filter must know of a processor: ``audit`` is its AUDIT_ARCH number."""

    audit: int
    socket: int
    clone: int
    ioctl: int
    setsockopt: int
    sched_setaffinity: int
    refused: dict[str, int]
    unseen: dict[str, int]  # make memory that no process's own figures show
    steering: dict[str, int]
    foreign: int | None = None  # numbers from here on belong to another calling convention


MACHINES = {
    "x86_64": Machine(
        *(0xC000003E, 41, 56, 16, 54, 203),
        *(_X86_64 | _NEW, _UNSEEN_X86_64, _STEERING_X86_64),
        foreign=0x40000000,
    ),
    "aarch64": Machine(
        *(0xC00000B7, 198, 220, 29, 208, 122),
        *(_AARCH64 | _NEW, _UNSEEN_AARCH64, _STEERING_AARCH64),
    ),
}


def program(
    machine: str, *, pin_cpus: bool = False, watched: bool = False, spare_init: bool = False
) -> bytes:
    """The filter for ``machine`` (as ``platform.machine()`` names it); KeyError if unknown.

    ``pin_cpus`` also refuses sched_setaffinity, where affinity is what limits the processors.
    ``watched`` refuses what would hide memory from a watcher. ``spare_init`` refuses
    to change the limits, priority or processors of process 1, for a box whose init is of its own
    user.
    """
    m = MACHINES[machine]
    refused = [*m.refused.values(), *([m.sched_setaffinity] if pin_cpus else [])]
    out = [_op(_LOAD, _ARCH), *_unless(_EQUAL, m.audit, errno.ENOSYS), _op(_LOAD, _NUMBER)]
    if m.foreign is not None:
        out += _when(_AT_LEAST, m.foreign, errno.ENOSYS)
    for number in refused:
        out += _when(_EQUAL, number, errno.EPERM)
    out += _when(_EQUAL, _CLONE3, errno.ENOSYS)
    if watched:
        out += [i for n in m.unseen.values() for i in _when(_EQUAL, n, errno.ENOSYS)]
    clone = _when(_ANY_BIT, _NEW_NAMESPACES, errno.EPERM)
    out += _argument(m.clone, _ARG0, [*clone, *_shared_files()])
    out += _argument(_CLOSE_RANGE, _ARG2, _when(_ANY_BIT, _UNSHARE, errno.EPERM))
    out += _argument(
        m.ioctl, _ARG1, [i for n in _TERMINAL_INPUT for i in _when(_EQUAL, n, errno.EPERM)]
    )
    out += _argument(m.setsockopt, _ARG1, _larger_queues())
    if spare_init:
        out += [i for name, number in m.steering.items() for i in _spare_init(name, number)]
    out += _argument(m.socket, _ARG0, _families())
    out.append(_op(_RETURN, _ALLOW))
    return b"".join(out)


def _op(code: int, value: int, true: int = 0, false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, true, false, value)


def _when(test: int, value: int, error: int) -> list[bytes]:
    return [_op(test, value, 0, 1), _op(_RETURN, _ERRNO | error)]


def _unless(test: int, value: int, error: int) -> list[bytes]:
    return [_op(test, value, 1, 0), _op(_RETURN, _ERRNO | error)]


def _argument(number: int, argument: int, checks: list[bytes]) -> list[bytes]:
    """For one call only: look at (the low half of) an argument, and allow what passes."""
    inner = [_op(_LOAD, argument), *checks, _op(_RETURN, _ALLOW)]
    return [_op(_EQUAL, number, 0, len(inner)), *inner]


def _spare_init(name: str, number: int) -> list[bytes]:
    if name not in _OF_A_USER:
        return _argument(number, _ARG0, _when(_EQUAL, _INIT, errno.EPERM))
    all_of_a_user = _when(_EQUAL, _OF_A_USER[name], errno.EPERM)
    one = [_op(_LOAD, _ARG1), *_when(_EQUAL, _INIT, errno.EPERM)]
    return _argument(number, _ARG0, [*all_of_a_user, *one])


def _shared_files() -> list[bytes]:
    """A thread has its process's descriptors, and no others: they are counted by process."""
    return [
        _op(_ANY_BIT, _SHARED_THREAD, 0, 2),
        _op(_ANY_BIT, _SHARED_FILES, 1, 0),
        _op(_RETURN, _ERRNO | errno.EPERM),
    ]


def _larger_queues() -> list[bytes]:
    """Asked for more room than sockets have anyway, the kernel may give less, and here gives none.

    No control group counts what waits in a netlink socket: 150 of them held over half a gigabyte.
    """
    option = [_op(_LOAD, _ARG2), _op(_EQUAL, _RECEIVE_BUFFER, 0, 1), _op(_RETURN, _ERRNO)]
    return [_op(_EQUAL, _SOCKET_LEVEL, 0, len(option)), *option]


def _families() -> list[bytes]:
    allowed = [i for family in _FAMILIES for i in (_op(_EQUAL, family, 0, 1), _op(_RETURN, _ALLOW))]
    netlink = [_op(_LOAD, _ARG2), *_unless(_EQUAL, _ROUTE, errno.EPROTONOSUPPORT)]
    return [*allowed, *_unless(_EQUAL, _NETLINK, errno.EAFNOSUPPORT), *netlink]
