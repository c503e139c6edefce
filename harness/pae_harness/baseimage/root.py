"""The roots in the cache: ``root/<digest>/fs``, with its manifest, and which one is current."""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

KIND = "root"
FOLDER = "fs"
MANIFEST = "manifest.json"
_CURRENT = "current"


@dataclass(frozen=True)
class Root:
    """A root file system: ``path`` is the folder ``fs``, ``architecture`` is Debian's name."""

    path: Path
    digest: str
    python_version: str
    architecture: str


@dataclass(frozen=True)
class Manifest:
    """What a root is made of; ``packages`` are names and versions."""

    digest: str
    suite: str
    architecture: str
    packages: dict[str, str]
    python: str

    def to_json(self) -> dict[str, Any]:
        return {
            "digest": self.digest,
            "suite": self.suite,
            "architecture": self.architecture,
            "packages": dict(sorted(self.packages.items())),
            "python": self.python,
        }


def current_root(cache: Path) -> Root | None:
    """The newest root that ``pae base-image`` made in ``cache``, or None. It never builds."""
    try:
        digest = (cache / KIND / _CURRENT).read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return None
    return named_root(cache, digest)


def named_root(cache: Path, digest: str) -> Root | None:
    """The root of ``cache`` with this digest, or None where it is not there or not whole."""
    try:
        home = cache / KIND / digest
        manifest = json.loads((home / MANIFEST).read_text(encoding="utf-8"))
        if manifest["digest"] != digest or not is_whole(home):
            return None
        return Root(home / FOLDER, digest, manifest["python"], manifest["architecture"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def is_whole(home: Path) -> bool:
    """Whether a root's folder has its file system and its manifest."""
    return (home / FOLDER).is_dir() and (home / MANIFEST).is_file()


def mark_current(cache: Path, digest: str) -> None:
    """Make ``digest`` the current root of ``cache``, by one rename. Raises OSError."""
    fd, name = tempfile.mkstemp(prefix=".current-", dir=cache / KIND)
    try:
        with os.fdopen(fd, "w", encoding="ascii") as file:
            file.write(f"{digest}\n")
            os.fchmod(fd, 0o644)
        Path(name).rename(cache / KIND / _CURRENT)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
