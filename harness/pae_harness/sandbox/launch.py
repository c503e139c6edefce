"""Starting an outer box: which user runs it, in which control group, under which limits."""

from __future__ import annotations

import os
import resource
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from pae_harness.errors import SandboxError, SandboxUnavailableError
from pae_harness.sandbox import cgroups, seccomp, slots
from pae_harness.sandbox.bwrap import Bwrap, bundled_bwrap, failure, find_bwrap
from pae_harness.sandbox.channel import Channel
from pae_harness.sandbox.checks import locate
from pae_harness.sandbox.layout import (
    FILES,
    Layout,
    first_view,
    folders,
    inner,
    outer,
    plan,
    second_view,
    view,
)
from pae_harness.sandbox.process import BoxProcess
from pae_harness.sandbox.protocol import BoxSpec, Limits
from pae_harness.sandbox.sources import check_sources
from pae_harness.sandbox.supervisor.limits import DATA_SLACK, DESCRIPTORS
from pae_harness.sandbox.supervisor.processes import ROOT
from pae_harness.sandbox.system import System

# Joins its control groups before it becomes the box; "$1" holds their files, one a line.
_JOIN = 'IFS="\n"; for f in $1; do echo $$ >"$f" || exit 97; done; shift; exec "$@"'
_SUPERVISE = "import sys; sys.path[:0] = ['/pae']; from supervisor.main import main; main()"


@dataclass(frozen=True)
class Launched:
    """An outer box's process and what it holds on the host."""

    layout: Layout
    process: BoxProcess
    slot: slots.Slot
    group: cgroups.Group
    uid: int
    machine: str
    enforced: Mapping[str, str]

    @property
    def channel(self) -> Channel:
        return self.process.channel

    @property
    def stream_bytes(self) -> int:
        return self.layout.spec.limits.stream_bytes

    @property
    def software(self) -> str:
        return self.layout.system.software

    def locate(self, path: str) -> tuple[str, tuple[str, ...]] | None:
        return locate(self.layout.trees, path)

    def order(
        self, argv: Sequence[str], cwd: str, env: Mapping[str, str] | None
    ) -> dict[str, object]:
        args = b"".join(os.fsencode(arg) + b"\0" for arg in inner(self.layout, cwd, env))
        return {"args": args, "argv": [os.fsencode(word) for word in argv]}

    def failure(self, said: str) -> SandboxError:
        return failure(said)

    def not_started(self) -> SandboxError:
        return failure(self.process.stderr_tail())

    def admit(self, timeout: float) -> None:
        """Check who the supervisor is, then tell it the box's shape."""
        channel = self.process.channel
        kind, _ = channel.receive(timeout)
        if kind != b"H" or channel.sender != self.uid or self.uid == 0:
            raise SandboxError("the box does not run as the unprivileged user it should")
        channel.send(b"I", self._set_up())
        kind, _ = channel.receive(timeout)
        if kind != b"k":
            raise SandboxError("the box's supervisor failed to set up")

    def _set_up(self) -> dict[str, object]:
        limits = self.layout.spec.limits
        watch_memory = 0 if self.group.has("memory") else limits.memory_mb << 20
        watch_pids = 0 if self.group.has("pids") else limits.pids
        cpus = None if self.group.has("cpu") else slots.processors(self.slot.number, limits.cpus)
        return {
            "bwrap": self.layout.bwrap.inside,
            "files": {path: content.encode() for path, content in FILES.items()},
            "folders": folders(self.layout),
            "seccomp": seccomp.program(
                self.machine, pin_cpus=cpus is not None, watched=watch_memory > 0
            ),
            "ballast": 0,
            "disks": [ROOT],
            "storage": limits.storage_mb << 20,
            "watch_memory": watch_memory,
            "watch_pids": watch_pids,
            "cpus": cpus,
            "rlimits": _rlimits(watch_memory, watch_pids),
        }

    def events(self) -> tuple[int, int]:
        return self.group.events()

    def spare_memory(self) -> None:
        self.group.spare_memory()

    def destroy(self) -> None:
        """End every process and release all that the box held; safe to call twice."""
        self.process.end(timeout=5)
        self.group.remove()
        self.slot.release()


def bwrap_for(system: System) -> Bwrap:
    """The bubblewrap for boxes of ``system``: this machine's own needs libraries a root has not.

    Raises SandboxUnavailableError with the way to get one.
    """
    return find_bwrap() if system.root is None else bundled_bwrap()


def launch(spec: BoxSpec, machine: str, system: System, packages: Path | None) -> Launched:
    """Start the outer box; its supervisor has not been heard of yet."""
    if sys.platform != "linux":
        raise SandboxUnavailableError("the local sandbox needs Linux's namespaces")
    if machine not in seccomp.MACHINES:
        raise SandboxUnavailableError(
            f"the local sandbox knows no {machine} processors: use Linux on x86_64 or aarch64"
        )
    layout = plan(bwrap_for(system), system, spec, packages)
    _check_root(system)
    parents = _reaped_parents()
    slot = slots.take()
    group = cgroups.Group(1, {})
    try:
        root = os.getuid() == 0
        uid = slots.box_uid(slot) if root else os.getuid()
        check_sources(layout.sources, uid)
        group = cgroups.create(parents, slot.number, spec.limits)
        process = BoxProcess(_join(group, _command(layout, uid if root else None)))
    except OSError as error:
        group.remove()
        slot.release()
        raise SandboxError(f"the local sandbox failed to start a box: {error}") from None
    except BaseException:
        group.remove()
        slot.release()
        raise
    return Launched(layout, process, slot, group, uid, machine, _enforced(group, spec.limits))


def _check_root(system: System) -> None:
    """Raises SandboxUnavailableError for a root that is no longer there."""
    if system.root is not None and not (system.root.path / "usr").is_dir():
        raise SandboxUnavailableError(
            f"the root {system.root.digest[:12]} is gone from {system.root.path.parent}: "
            "run `pae base-image`, or set PAE_ROOT=off"
        )


@lru_cache(maxsize=1)
def _reaped_parents() -> cgroups.Parents:
    """Where groups go, after the groups of dead runs were removed, once a process."""
    parents = cgroups.own_parents()
    cgroups.reap(parents)
    return parents


def _command(layout: Layout, drop_to: int | None) -> list[str]:
    """The outer box's command line; root first becomes ``drop_to`` within a view of its own."""
    supervisor = ["--", layout.system.python.executable, "-I", "-S", "-c", _SUPERVISE]
    box = outer(layout.spec.limits.storage_mb)
    if drop_to is None:
        return [str(layout.bwrap.path), *view(layout), *box, *supervisor]
    setpriv = shutil.which("setpriv", path="/usr/bin:/bin:/usr/sbin:/sbin")
    if setpriv is None:
        raise SandboxUnavailableError(
            "as root the local sandbox needs setpriv: install util-linux, or run pae as an "
            "ordinary user"
        )
    return [
        *(str(layout.bwrap.path), "--die-with-parent", *first_view(layout)),
        *("--bind", "/proc", "/proc", "--dev", "/dev", "--remount-ro", "/", "--chdir", "/", "--"),
        *(setpriv, f"--reuid={drop_to}", f"--regid={drop_to}", "--clear-groups"),
        *("--inh-caps=-all", "--bounding-set=-all", "--no-new-privs"),
        *(layout.bwrap.inside, *second_view(layout), *box, *supervisor),
    ]


def _join(group: cgroups.Group, command: list[str]) -> list[str]:
    entrances = group.entrances()
    return ["/bin/sh", "-c", _JOIN, "sh", "\n".join(entrances), *command] if entrances else command


def _rlimits(watch_memory: int, watch_pids: int) -> list[tuple[int, int]]:
    limits = [(resource.RLIMIT_CORE, 0)]
    if watch_memory:
        limits.append((resource.RLIMIT_DATA, watch_memory + DATA_SLACK))
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        few = min(DESCRIPTORS, most) if most != resource.RLIM_INFINITY else DESCRIPTORS
        limits.append((resource.RLIMIT_NOFILE, few))
    if watch_pids and _counts_per_namespace():
        limits.append((resource.RLIMIT_NPROC, watch_pids + cgroups.OVERHEAD_PIDS))
    return limits


def _counts_per_namespace() -> bool:
    """RLIMIT_NPROC counts within a user namespace since Linux 5.14, before that the whole host."""
    numbers = os.uname().release.split("-")[0].split(".")[:2]
    return tuple(int(n) for n in numbers if n.isdigit()) >= (5, 14)


def _enforced(group: cgroups.Group, limits: Limits) -> dict[str, str]:
    by_group = f"cgroup v{group.version}"
    processes = "watcher and rlimit" if _counts_per_namespace() else "watcher"
    return {
        "memory": f"{by_group}, the box's files included"
        if group.has("memory")
        else "watcher and rlimit",
        "pids": by_group if group.has("pids") else processes,
        "cpus": by_group if group.has("cpu") else "affinity, whole processors",
        "storage": f"tmpfs of {limits.storage_mb} MiB",
        "time": "kill",
        "streams": "bounded pipes",
    }
