"""What a box's file system is made of, as bubblewrap arguments. Nothing here starts anything.

Three nested roots: a *view* of the few host folders that are needed (as host root, a bubblewrap of
its own builds it before privileges are dropped), the *outer* box, which adds the sized writable
tree, and per command an *inner* box, the only one that untrusted code sees. Where the system is a
hermetic root, all three consist of it, and what of the host's ran to make them is left behind.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from pae_harness.sandbox.bwrap import Bwrap
from pae_harness.sandbox.checks import check_spec
from pae_harness.sandbox.protocol import BoxSpec
from pae_harness.sandbox.supervisor.processes import ROOT
from pae_harness.sandbox.system import System

UID = 1000

_LINKS = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
_LINKER_CACHE = "/etc/ld.so.cache"

FILES = {
    f"{ROOT}/etc/passwd": (
        "root:x:0:0:root:/root:/usr/sbin/nologin\n"
        f"agent:x:{UID}:{UID}:agent:/tmp:/bin/sh\n"
        "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n"
    ),
    f"{ROOT}/etc/group": f"root:x:0:\nagent:x:{UID}:\nnogroup:x:65534:\n",
    f"{ROOT}/etc/hosts": "127.0.0.1 localhost box\n::1 localhost\n",
}
_EMPTY = f"{ROOT}/empty"
_SHM = f"{ROOT}/shm"
_PLACES = ("--dir", "/tmp", "--dir", ROOT)
_SYSTEM = "/pae/system"  # a root, for the second of two bubblewraps

_ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/local/sbin:/usr/bin:/usr/sbin:/bin:/sbin",
    "HOME": "/tmp",
    "USER": "agent",
    "LANG": "C.UTF-8",
    "TZ": "UTC",
}


@dataclass(frozen=True)
class Layout:
    """One box's folders: ``trees`` maps each writable folder to its place in the outer box.

    ``packages`` is a folder of importable packages for ``python3 -I``; None is the bare library.
    """

    bwrap: Bwrap
    system: System
    spec: BoxSpec
    trees: Mapping[str, str]
    packages: Path | None = None

    @property
    def sources(self) -> list[Path]:
        """Every host path that the box's user must be able to read."""
        own = [] if self.packages is None else [self.packages]
        return [*(mount.source for mount in self.spec.mounts), *own]


def plan(bwrap: Bwrap, system: System, spec: BoxSpec, packages: Path | None = None) -> Layout:
    """Check the spec. Raises SandboxError for a path or a variable that a box cannot have."""
    check_spec(spec)
    trees = {target: f"{ROOT}/tree/{i}" for i, target in enumerate(spec.writable)}
    return Layout(bwrap, system, spec, trees, packages)


def folders(layout: Layout) -> list[tuple[str, int]]:
    """The folders of the outer box's tree with their modes, parents first."""
    trees = [(tree, 0o1777 if t == "/tmp" else 0o755) for t, tree in layout.trees.items()]
    return [(_EMPTY, 0o555), (_SHM, 0o1777), (f"{ROOT}/tree", 0o755), *trees]


def view(layout: Layout) -> list[str]:
    """Read-only binds of every host folder that the outer or the inner box needs."""
    return [*_system(layout.system, ("/usr",), layout.system.base), *_parts(layout), *_PLACES]


def first_view(layout: Layout) -> list[str]:
    """What root sees while it becomes another user: this machine's programs, and what is needed
    for :func:`second_view`.
    """
    if layout.system.root is None:
        return view(layout)
    args = _tops("", "", ("/usr",))
    if Path(_LINKER_CACHE).exists():
        args += _bind("--ro-bind", _LINKER_CACHE, _LINKER_CACHE)
    # The next bubblewrap needs a /tmp to begin with.
    return [*args, *_parts(layout), "--ro-bind", layout.system.base, _SYSTEM, *_PLACES]


def second_view(layout: Layout) -> list[str]:
    """What that user makes of the first view: the same as :func:`view`."""
    if layout.system.root is None:
        return ["--ro-bind", "/", "/"]
    return [*_system(layout.system, ("/usr",), _SYSTEM), "--ro-bind", "/pae", "/pae", *_PLACES]


def _parts(layout: Layout) -> list[str]:
    """All that a box needs beside the system, in /pae but for an interpreter of its own."""
    args = ["--dir", "/pae", "--dir", "/pae/mounts"]
    for folder in layout.system.python.folders:
        args += _bind("--ro-bind", folder, folder)
    for source, name in layout.bwrap.folders:
        args += ["--ro-bind", str(source), f"/pae/{name}"]
    args += ["--ro-bind", str(layout.system.supervisor), "/pae/supervisor"]
    for i, mount in enumerate(layout.spec.mounts):
        args += ["--ro-bind", str(mount.source), f"/pae/mounts/{i}"]
    if layout.packages is not None:
        args += ["--ro-bind", str(layout.packages), "/pae/packages"]
    return args


def outer(storage_mb: int) -> list[str]:
    """The namespaces and the sized tree around the supervisor."""
    return [
        *("--unshare-all", "--unshare-user", "--die-with-parent", "--new-session"),
        *("--cap-drop", "ALL", "--clearenv", "--proc", "/proc", "--dev", "/dev"),
        *("--remount-ro", "/dev", "--size", str(storage_mb << 20), "--tmpfs", ROOT),
        *("--remount-ro", "/", "--chdir", "/"),
    ]


def inner(layout: Layout, cwd: str, env: Mapping[str, str] | None) -> list[str]:
    """The box that a command runs in."""
    args = [
        *("--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent"),
        *("--new-session", "--cap-drop", "ALL", "--uid", str(UID), "--gid", str(UID)),
        *("--hostname", "box", "--clearenv"),
    ]
    for name, value in {**_ENVIRONMENT, **layout.spec.env, **(env or {})}.items():
        args += ["--setenv", name, value]
    args += [*_system(layout.system, layout.system.usr, ""), *_local(layout.system)]
    args += ["--dir", "/tmp"]
    # A box is the owner of its own namespaces, and so of the kernel's settings for them.
    args += ["--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys"]
    args += ["--dev", "/dev", "--remount-ro", "/dev", "--bind", _SHM, "/dev/shm"]
    for path in FILES:
        args += ["--ro-bind", path, path.removeprefix(ROOT)]
    args += _own(layout) + _masks(layout)
    return [*args, "--remount-ro", "/", "--chdir", cwd]


def _system(system: System, folders: Sequence[str], source: str) -> list[str]:
    """Read-only binds of ``folders`` and of what /etc needs, from where ``source`` has them."""
    args = _tops(system.base, source, folders)
    for path in system.etc:
        if Path(system.base + path).exists():
            args += _bind("--ro-bind", source + path, path)
    return args


def _tops(base: str, source: str, folders: Sequence[str]) -> list[str]:
    """``folders`` and /bin, /lib and so on, links as they are below ``base`` on the host."""
    args: list[str] = []
    for path in (*folders, *(f"/{name}" for name in _LINKS)):
        here = Path(base + path)
        if here.is_symlink():
            args += ["--symlink", str(here.readlink()), path]
        elif here.is_dir():
            args += _bind("--ro-bind", source + path, path)
    return args


def _bind(how: str, source: str, target: str) -> list[str]:
    """A bind whose missing parents anyone may enter: bubblewrap alone would make them private."""
    parents = [str(p) for p in reversed(PurePosixPath(target).parents)][1:]
    return [*(word for parent in parents for word in ("--dir", parent)), how, source, target]


def _local(system: System) -> list[str]:
    """An own /usr/local, whose ``python3`` comes first on PATH; the host's holds anything."""
    if not system.masks_usr_local:
        return []
    args = ["--size", str(1 << 20), "--tmpfs", "/usr/local"]
    for name in ("python", "python3", f"python{system.python.version}"):
        args += ["--symlink", system.python.executable, f"/usr/local/bin/{name}"]
    return args


def _masks(layout: Layout) -> list[str]:
    python, packages = layout.system.python, layout.packages
    hidden = [m for m in python.masked if packages is None or m != python.packages]
    args = [word for path in hidden for word in _bind("--ro-bind", _EMPTY, path)]
    if packages is not None:
        args += _bind("--ro-bind", "/pae/packages", python.packages)
    return [*args, "--remount-ro", "/usr/local"] if layout.system.masks_usr_local else args


def _own(layout: Layout) -> list[str]:
    """The interpreter, the writable folders and the mounts, a folder before what lies in it."""
    binds = [(folder, "--ro-bind", folder) for folder in layout.system.python.folders]
    binds += [(target, "--bind", tree) for target, tree in layout.trees.items()]
    binds += [
        (mount.target, "--ro-bind", f"/pae/mounts/{i}")
        for i, mount in enumerate(layout.spec.mounts)
    ]
    ordered: Sequence[tuple[str, str, str]] = sorted(binds, key=lambda b: PurePosixPath(b[0]).parts)
    return [word for target, how, source in ordered for word in _bind(how, source, target)]
