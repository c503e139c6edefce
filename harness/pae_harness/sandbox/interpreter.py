"""The interpreter of a box, the harness's own or a root's: without any package of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from pae_harness.baseimage.root import Root
from pae_harness.errors import SandboxUnavailableError

_SHOWN = ("lib", "lib64", "libexec", "share")  # of /usr, where a distribution may keep one
_ASK = "import site; print(*site.getsitepackages(), sep=chr(10))"


@dataclass(frozen=True)
class Interpreter:
    """Paths are those in the box; of the harness's own interpreter they are the host's real ones.

    ``folders`` are bound beyond /usr; ``masked`` are existing folders of third-party packages;
    ``packages`` is where the interpreter looks for packages even with ``-I``.
    """

    executable: str
    version: str
    prefix: str
    folders: tuple[str, ...]
    masked: tuple[str, ...]
    packages: str

    @property
    def owns_usr_local(self) -> bool:
        """True for an interpreter installed in /usr/local itself, as in Docker's images."""
        return self.prefix == "/usr/local"


@lru_cache(maxsize=1)
def base_interpreter() -> Interpreter:
    """The interpreter below the running one's virtual environment.

    Raises SandboxUnavailableError where it has no packages folder.
    """
    executable = os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable)
    prefix = os.path.realpath(sys.base_prefix)
    system = prefix == "/usr" or any(_below(prefix, f"/usr/{name}") for name in _SHOWN)
    folders = () if system or prefix == "/usr/local" else _software(prefix)
    asked = _site_packages(executable)
    masked = _existing_packages(prefix, asked)
    return Interpreter(
        executable=executable,
        version="{}.{}".format(*sys.version_info[:2]),
        prefix=prefix,
        folders=folders,
        masked=masked,
        packages=_packages(asked, masked, prefix),
    )


def root_interpreter(root: Root) -> Interpreter:
    """The Python of a root, which is Debian's: it has no packages, and one empty place for them."""
    version = ".".join(root.python_version.split(".")[:2])
    return Interpreter(
        executable=f"/usr/bin/python{version}",
        version=version,
        prefix="/usr",
        folders=(),
        masked=(),
        packages=f"/usr/local/lib/python{version}/dist-packages",
    )


def _below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _software(prefix: str) -> tuple[str, ...]:
    """Only these: a prefix like ~/.local also holds what is nobody else's business."""
    found = (str(Path(prefix, name)) for name in ("bin", "lib", "lib64"))
    return tuple(path for path in found if Path(path).is_dir() and not Path(path).is_symlink())


def _site_packages(executable: str) -> tuple[str, ...]:
    done = subprocess.run(
        [executable, "-I", "-S", "-c", _ASK], env={}, capture_output=True, timeout=20, check=False
    )
    return tuple(os.fsdecode(done.stdout).split("\n")[:-1])


def _existing_packages(prefix: str, asked: tuple[str, ...]) -> tuple[str, ...]:
    found = [Path(path) for path in asked]
    for root in (prefix, "/usr"):
        for lib in ("lib", "lib64"):
            found += Path(root, lib).glob("python3*/site-packages")
            found += Path(root, lib).glob("python3*/dist-packages")
    real = {os.path.realpath(path) for path in found if path.is_dir()}
    hidden = () if prefix == "/usr/local" else ("/usr/local",)
    kept = (p for p in real if _below(p, prefix) or not any(_below(p, h) for h in hidden))
    return tuple(sorted(kept))


def _packages(asked: tuple[str, ...], masked: tuple[str, ...], prefix: str) -> str:
    """A folder on ``sys.path`` that exists, or that can be made in the box's own /usr/local."""
    for path in asked:
        real = os.path.realpath(path)
        if real in masked:
            return real
        if _below(real, "/usr/local") and not _below(prefix, "/usr/local"):
            return real
    raise SandboxUnavailableError(
        f"the Python at {prefix} has no site-packages folder: install pae with another Python"
    )
