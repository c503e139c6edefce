"""What the verifier's image is built on: exact versions, hashes, and the Pythons they are for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pae_harness.errors import SandboxUnavailableError, VerifierError

PYTHONS = ((3, 11), (3, 12), (3, 13))
MACHINES = ("x86_64", "aarch64")
_DOCKER_NAMES = {"amd64": "x86_64", "arm64": "aarch64"}
_MANYLINUX = ("manylinux2014", "manylinux_2_17", "manylinux_2_28")
_PIN = re.compile(
    r"(?P<name>[\w.-]+)==(?P<version>[^\s;]+)(\s*;\s*(?P<marker>[^#]+?))?"
    r"(?P<hashes>(\s+--hash=sha256:[0-9a-f]{64})+)"
)
_CLAUSE = re.compile(r"python_(full_)?version (?P<sign><|>=) '3\.(?P<minor>\d+)'")
_PLATFORM = re.compile(r"sys_platform (?P<sign>==|!=) '(?P<name>\w+)'")


@dataclass(frozen=True)
class Target:
    """A CPython that the verifier's image may have, and the processor it runs on."""

    python: tuple[int, int]
    machine: str

    @property
    def tag(self) -> str:
        return f"cp{self.python[0]}{self.python[1]}"

    @property
    def platforms(self) -> tuple[str, ...]:
        return tuple(f"{name}_{self.machine}" for name in _MANYLINUX)

    def __str__(self) -> str:
        return f"Python {self.python[0]}.{self.python[1]} on {self.machine}"


@dataclass(frozen=True)
class Pin:
    """One locked package. ``hashes`` are the SHA-256 of all files of that version, in hex."""

    name: str
    version: str
    hashes: frozenset[str]

    def __str__(self) -> str:
        return f"{self.name}=={self.version}"


def target_of(python: tuple[int, int], machine: str) -> Target:
    """The target; ``machine`` also as Docker writes it, ``amd64`` or ``arm64``.

    Raises SandboxUnavailableError for one that the lock does not cover.
    """
    target = Target(python, _DOCKER_NAMES.get(machine, machine))
    if target.python not in PYTHONS or target.machine not in MACHINES:
        known = ", ".join(f"{major}.{minor}" for major, minor in PYTHONS)
        raise SandboxUnavailableError(
            f"there is no verifier for {target}; use a base image with Python {known} "
            f"on {' or '.join(MACHINES)}"
        )
    return target


def image_file(name: str) -> Path:
    """``verifiers/NAME`` of a checkout, or its copy in an installed package.

    Raises VerifierError where there is neither.
    """
    here = Path(__file__).parent
    for folder in (here / "verifier_image", here.parents[1] / "verifiers"):
        if (folder / name).is_file():
            return folder / name
    raise VerifierError(f"the verifier's {name} is not installed; reinstall the project")


def read_lock(path: Path, python: tuple[int, int]) -> tuple[Pin, ...]:
    """The pins of a ``requirements.txt`` that are for ``python``.

    Raises VerifierError, with the line, for what is no pin with hashes or has a marker of another
    kind than a Python's version or Linux: pip would take markers for those of its own Python.
    """
    pins = []
    for number, line in _requirements(path.read_text(encoding="utf-8")):
        match = _PIN.fullmatch(line)
        if match is None:
            raise VerifierError(f"{path}:{number}: not NAME==VERSION with hashes; run `make lock`")
        try:
            wanted = _holds(match["marker"], python)
        except ValueError as error:
            raise VerifierError(
                f"{path}:{number}: the marker {error} is not known here; "
                "only versions of Python and sys_platform are"
            ) from error
        if wanted:
            hashes = re.findall(r"sha256:(\w+)", match["hashes"])
            pins.append(Pin(match["name"], match["version"], frozenset(hashes)))
    return tuple(pins)


def _requirements(text: str) -> Iterator[tuple[int, str]]:
    start, pending = 0, ""
    for number, line in enumerate(text.splitlines(), start=1):
        if not pending and (not line.strip() or line.startswith(("#", "--"))):
            continue
        start = start if pending else number
        pending += line.strip().removesuffix("\\")
        if not line.endswith("\\"):
            yield start, pending.strip()
            pending = ""


def _holds(marker: str | None, python: tuple[int, int]) -> bool:
    for clause in re.split(r" and ", marker) if marker else ():
        if platform := _PLATFORM.fullmatch(clause):
            if (platform["name"] == "linux") != (platform["sign"] == "=="):
                return False
            continue
        match = _CLAUSE.fullmatch(clause)
        if match is None:
            raise ValueError(marker)
        if (python < (3, int(match["minor"]))) != (match["sign"] == "<"):
            return False
    return True
