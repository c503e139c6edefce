"""The wheels that the verifier's image is made of, for one Python and processor.

They come from the package index that pip is configured for, or from the folder that
``PAE_WHEELHOUSE`` names. Whichever it was, each is one that the lock names by its hash.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from pae_harness.cache import cached_folder
from pae_harness.disk import refusal
from pae_harness.errors import SandboxUnavailableError
from pae_harness.scratch import scratch_prefix
from pae_harness.verifier_lock import Pin, Target, image_file, read_lock, target_of


def wheelhouse(python: tuple[int, int], machine: str, lock: Path | None = None) -> Path:
    """The folder of wheels for CPython ``python`` on ``machine``, filled on first use.

    ``lock`` is another lock than the verifier's own. Raises SandboxUnavailableError, with the way
    out, where a wheel cannot be had or is not the locked one.
    """
    target = target_of(python, machine)
    path = lock or image_file("requirements.txt")
    pins = read_lock(path, target.python)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()

    def fill(folder: Path) -> None:
        if chosen := os.environ.get("PAE_WHEELHOUSE"):
            _gather(folder, Path(chosen), pins, target)
        else:
            _fetch(folder, pins, target)
        for wheel in folder.iterdir():
            wheel.chmod(0o644)

    return cached_folder("wheelhouse", f"{digest[:32]}-{target.tag}-{target.machine}", fill)


def _gather(folder: Path, source: Path, pins: Sequence[Pin], target: Target) -> None:
    if not source.is_dir():
        raise SandboxUnavailableError(
            f"PAE_WHEELHOUSE: {source} is no folder; fill it with: {_command(pins, target, source)}"
        )
    wheels = sorted(source.glob("*.whl"))
    found = {pin: wheel for pin in pins if (wheel := _best(pin, wheels, target))}
    if missing := [pin for pin in pins if pin not in found]:
        raise SandboxUnavailableError(
            f"PAE_WHEELHOUSE: {source} lacks {', '.join(map(str, missing))} for {target}; "
            f"where there is a network: {_command(missing, target, source)}"
        )
    for pin, wheel in found.items():
        try:
            data = wheel.read_bytes()
        except OSError as error:
            raise SandboxUnavailableError(
                f"PAE_WHEELHOUSE: {refusal(error, wheel)}; make it readable"
            ) from error
        digest = hashlib.sha256(data).hexdigest()
        if digest not in pin.hashes:
            raise SandboxUnavailableError(
                f"{wheel} is not the {pin} that the verifier is locked to (its SHA-256 is "
                f"{digest}); delete it and fetch it anew: {_command([pin], target, source)}"
            )
        (folder / wheel.name).write_bytes(data)


def _best(pin: Pin, wheels: Sequence[Path], target: Target) -> Path | None:
    """The wheel of ``pin`` that pip would take of ``wheels``."""
    ranks = {tag: rank for rank, tag in enumerate(_tags(target))}
    fitting = []
    for wheel in wheels:
        parts = wheel.stem.split("-")
        if len(parts) not in (5, 6) or (_key(parts[0]), parts[1]) != (_key(pin.name), pin.version):
            continue
        pythons, abis, platforms = (part.split(".") for part in parts[-3:])
        tags = {(a, b, c) for a in pythons for b in abis for c in platforms}
        if known := tags & ranks.keys():
            fitting.append((min(ranks[tag] for tag in known), wheel))
    return min(fitting)[1] if fitting else None


def _tags(target: Target) -> list[tuple[str, str, str]]:
    """Tags of the wheels that fit, best first, in pip's order."""
    stable = [f"cp3{minor}" for minor in range(target.python[1], 1, -1)]
    kinds = [
        (target.tag, target.tag),
        *((tag, "abi3") for tag in stable),
        (target.tag, "none"),
        ("py3", "none"),
    ]
    bound = [(python, abi, platform) for python, abi in kinds for platform in target.platforms]
    return [*bound, (target.tag, "none", "any"), ("py3", "none", "any")]


def _key(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _fetch(folder: Path, pins: Sequence[Pin], target: Target) -> None:
    if importlib.util.find_spec("pip") is None:
        raise SandboxUnavailableError(
            f"{sys.executable} has no pip, which fetches the verifier's wheels; run "
            f"`{sys.executable} -m ensurepip`, or {_elsewhere(pins, target)}"
        )
    with tempfile.TemporaryDirectory(prefix=scratch_prefix("lock")) as place:
        lock = Path(place) / "requirements.txt"
        lock.write_text("".join(map(_line, pins)), encoding="utf-8")
        arguments = [*_options(target), "--require-hashes", "-r", str(lock), "--dest", str(folder)]
        # pip's own five retries keep one waiting half a minute where there is no network.
        quiet = ["--quiet", "--no-input", "--disable-pip-version-check", "--retries", "2"]
        done = subprocess.run(
            # -P: a folder named pip where the user stands is not pip
            [sys.executable, "-P", "-m", "pip", "download", *quiet, *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
        )
    if done.returncode != 0:
        raise SandboxUnavailableError(_why(done.stderr, pins, target))


def _line(pin: Pin) -> str:
    return (
        " ".join([str(pin), *(f"--hash=sha256:{digest}" for digest in sorted(pin.hashes))]) + "\n"
    )


def _why(stderr: str, pins: Sequence[Pin], target: Target) -> str:
    said = [line.removeprefix("ERROR: ") for line in stderr.splitlines() if "ERROR: " in line]
    wrong = re.search(r"DO NOT MATCH THE HASHES.*\n\s+([\w.-]+==\S+)", stderr)
    if wrong:
        return (
            f"the package index serves another {wrong[1]} than the verifier is locked to; "
            f"ask who runs it, or {_elsewhere(pins, target)}"
        )
    reason = said[-1] if said else (stderr.strip().splitlines() or ["it said nothing"])[-1]
    if re.search(r"Retrying|connection|timed out", stderr, re.IGNORECASE):
        reason = f"no package index answers; {reason}"
    return (
        f"pip cannot fetch the verifier's wheels ({reason}): check the network and pip's "
        f"configuration, or {_elsewhere(pins, target)}"
    )


def _elsewhere(pins: Sequence[Pin], target: Target) -> str:
    return (
        "fetch them on another machine and name their folder in PAE_WHEELHOUSE: "
        f"{_command(pins, target, Path('wheels'))}"
    )


def _command(pins: Sequence[Pin], target: Target, folder: Path) -> str:
    words = ["python3", "-m", "pip", "download", *_options(target), "--dest", str(folder)]
    return shlex.join([*words, *map(str, pins)])


def _options(target: Target) -> list[str]:
    python = ".".join(map(str, target.python))
    options = ["--no-deps", "--only-binary=:all:", "--implementation", "cp"]
    options += ["--python-version", python, "--abi", target.tag]
    return options + [word for name in target.platforms for word in ("--platform", name)]
