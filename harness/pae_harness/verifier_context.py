"""The build context of the verifier's image: all that ``docker build`` needs, with no network."""

from __future__ import annotations

import shutil
from pathlib import Path

from pae_harness.cache import cached_folder
from pae_harness.runtime import PACKAGES, image_verifier_digest, source_of
from pae_harness.tasks.digests import text_digest
from pae_harness.verifier_lock import image_file, target_of
from pae_harness.wheelhouse import wheelhouse

_FILES = ("Dockerfile", "requirements.txt")


def verifier_context(python: tuple[int, int], machine: str) -> Path:
    """The context for a base image with CPython ``python`` on ``machine``, made on first use.

    It holds the Dockerfile, the lock, ``wheelhouse/`` and the verifier's packages. Raises
    SandboxUnavailableError where the wheels cannot be had.
    """
    target = target_of(python, machine)
    dockerfile = image_file("Dockerfile").read_text(encoding="utf-8")
    digest = text_digest(f"{image_verifier_digest()}\n{dockerfile}")

    def fill(folder: Path) -> None:
        for name in _FILES:
            shutil.copyfile(image_file(name), folder / name)
        wheels = wheelhouse(target.python, target.machine)
        shutil.copytree(wheels, folder / "wheelhouse")
        for package in PACKAGES:
            ignore = shutil.ignore_patterns("__pycache__")
            shutil.copytree(source_of(package), folder / package, ignore=ignore)
        for path in folder.rglob("*"):
            path.chmod(0o755 if path.is_dir() else 0o644)

    return cached_folder("verifier-context", f"{digest[:32]}-{target.tag}-{target.machine}", fill)
