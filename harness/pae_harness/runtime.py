"""The verifier's runtime: its packages and their dependencies, in one byte-compiled folder.

For the harness's own interpreter it is copied from the environment that the harness runs in, so
that it needs no network and verifies with exactly the versions that were installed. For a root's
interpreter it is made of what a container's verifier is made of. A box shows it read-only as the
site-packages of its interpreter.
"""

from __future__ import annotations

import compileall
import importlib.metadata
import importlib.util
import py_compile
import re
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

from pae_harness.cache import cached_folder
from pae_harness.errors import VerifierError
from pae_harness.scratch import scratch_prefix
from pae_harness.tasks.digests import text_digest, tree_digest
from pae_harness.verifier_lock import image_file, target_of
from pae_harness.wheelhouse import wheelhouse

PACKAGES = ("pae_verifiers", "pae_schemas")
REQUIREMENTS = ("pint", "PyYAML", "jsonschema", "markdown-it-py", "httpx2", "tenacity")
# As verifiers/Dockerfile has it: what wheels hold and nobody imports.
_UNUSED = ("pint/testsuite", "jsonschema/tests", "jsonschema/benchmarks")

# Copies the first folder into the second, which is empty, with byte code for some interpreter.
Compile = Callable[[Path, Path], None]


@cache
def verifier_digest() -> str:
    """What the verifier is, in hex: its sources and the versions of what it is built on.

    Looked at once: all trials of a process are verified by the same runtime.
    """
    sources = [tree_digest(source_of(package)) for package in PACKAGES]
    versions = [f"{d.metadata['Name']}=={d.version}" for d in distributions()]
    return text_digest("\n".join(sources + versions))


@cache
def image_verifier_digest() -> str:
    """What the verifier of a container or a root is: its sources and the lock of what it needs.

    Raises VerifierError where the lock is not installed.
    """
    sources = [tree_digest(source_of(package)) for package in PACKAGES]
    lock = image_file("requirements.txt").read_text(encoding="utf-8")
    return text_digest("\n".join([*sources, lock]))


def verifier_runtime() -> Path:
    """The folder of the runtime for this interpreter, built on first use (about two seconds)."""
    key = f"{sys.implementation.cache_tag}-{verifier_digest()[:32]}"
    return cached_folder("runtime", key, _build)


def locked_runtime(python: tuple[int, int], machine: str, compiled: Compile) -> Path:
    """The folder of the runtime for another interpreter, built on first use.

    It is built as verifiers/Dockerfile does it. Raises SandboxUnavailableError, with the way out,
    where the locked wheels cannot be had or there are none.
    """
    target = target_of(python, machine)

    def build(folder: Path) -> None:
        wheels = wheelhouse(target.python, target.machine)
        with tempfile.TemporaryDirectory(prefix=scratch_prefix("runtime")) as scratch:
            for wheel in sorted(wheels.glob("*.whl")):
                zipfile.ZipFile(wheel).extractall(scratch)
            for unused in _UNUSED:
                shutil.rmtree(Path(scratch, unused), ignore_errors=True)
            _copy_packages(Path(scratch))
            compiled(Path(scratch), folder)

    key = f"{target.tag}-{target.machine}-{image_verifier_digest()[:32]}"
    return cached_folder("runtime", key, build)


def _build(folder: Path) -> None:
    _copy_packages(folder)
    for distribution in distributions():
        _copy_distribution(distribution, folder)
    compileall.compile_dir(
        folder,
        quiet=2,
        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
        stripdir=str(folder),
        prependdir="/runtime",
    )
    for path in folder.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)


def _copy_packages(folder: Path) -> None:
    for package in PACKAGES:
        ignore = shutil.ignore_patterns("__pycache__")
        shutil.copytree(source_of(package), folder / package, ignore=ignore)


def _copy_distribution(distribution: importlib.metadata.Distribution, folder: Path) -> None:
    for entry in distribution.files or ():
        if ".." in entry.parts or entry.suffix == ".pyc":
            continue  # scripts outside site-packages, and byte code of another path
        if entry.as_posix().startswith(tuple(f"{unused}/" for unused in _UNUSED)):
            continue
        target = folder / entry
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(str(entry.locate()), target)


def source_of(package: str) -> Path:
    """The folder of one of PACKAGES. Raises VerifierError where it is not installed."""
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise VerifierError(f"the package {package} is not installed; reinstall the project")
    return Path(spec.origin).parent


def distributions() -> list[importlib.metadata.Distribution]:
    """The installed closure of REQUIREMENTS, by name; extras are left out."""
    found: dict[str, importlib.metadata.Distribution] = {}
    waiting = list(REQUIREMENTS)
    while waiting:
        name = waiting.pop()
        key = re.sub(r"[-_.]+", "-", name).lower()
        if key in found:
            continue
        try:
            distribution = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError as error:
            if name in REQUIREMENTS:
                raise VerifierError(
                    f"the package {name}, which the verifier needs, is not installed; "
                    "reinstall the project"
                ) from error
            continue  # a requirement for another platform or Python
        found[key] = distribution
        for requirement in distribution.requires or ():
            if not re.search(r"\bextra\s*==", requirement):
                waiting.append(re.split(r"[^A-Za-z0-9._-]", requirement, maxsplit=1)[0])
    return [found[key] for key in sorted(found)]
