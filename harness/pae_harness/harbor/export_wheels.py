"""The verifier and the wheels that it needs, as a folder that an image is built from offline."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from pae_harness.errors import SandboxUnavailableError
from pae_harness.runtime import PACKAGES, source_of
from pae_harness.verifier_lock import MACHINES, PYTHONS, Target, image_file, target_of
from pae_harness.wheelhouse import wheelhouse

ALL = tuple(Target(python, machine) for python in PYTHONS for machine in MACHINES)
STOCK = tuple(target for target in ALL if target.python == (3, 12))


def parse_targets(text: str) -> tuple[Target, ...]:
    """Targets from ``3.12-x86_64,3.12-aarch64``. Raises ValueError for anything else."""
    found: dict[Target, None] = {}
    for part in text.split(","):
        version, _, machine = part.strip().partition("-")
        major, _, minor = version.partition(".")
        if not (major.isdigit() and minor.isdigit() and machine):
            raise ValueError(f"{part.strip()!r} is not of the form 3.12-x86_64")
        try:
            found[target_of((int(major), int(minor)), machine)] = None
        except SandboxUnavailableError as error:
            raise ValueError(str(error)) from error
    return tuple(found)


def write_verifier(folder: Path, targets: Sequence[Target]) -> None:
    """Fill ``folder`` with the verifier's packages, their lock and ``wheelhouse/``.

    In that, ``any/`` has the wheels that every target takes and a folder per target the rest.
    Raises SandboxUnavailableError, with the way out, where a wheel cannot be had.
    """
    folder.mkdir(parents=True)
    shutil.copyfile(image_file("requirements.txt"), folder / "requirements.txt")
    for package in PACKAGES:
        ignore = shutil.ignore_patterns("__pycache__")
        shutil.copytree(source_of(package), folder / package, ignore=ignore)
    houses = {target: wheelhouse(target.python, target.machine) for target in targets}
    common = set.intersection(*({wheel.name for wheel in h.iterdir()} for h in houses.values()))
    common = {name for name in common if name.endswith("-any.whl")}
    for target, house in houses.items():
        own = folder / "wheelhouse" / f"{target.tag}-{target.machine}"
        shared = folder / "wheelhouse" / "any"
        for place in (own, shared):
            place.mkdir(parents=True, exist_ok=True)
        for wheel in house.iterdir():
            shutil.copyfile(wheel, (shared if wheel.name in common else own) / wheel.name)
