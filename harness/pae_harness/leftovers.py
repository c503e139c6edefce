"""What earlier runs left on this machine, and removing it: ``pae doctor --clean``."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass

from pae_harness.cache import cache_root
from pae_harness.errors import SandboxError
from pae_harness.sandbox import cgroups
from pae_harness.sandbox.docker.engine import connect
from pae_harness.sandbox.docker.reap import Removed, clean
from pae_harness.scratch import sweep


@dataclass(frozen=True)
class Kept:
    """An image that stays, and why."""

    name: str
    why: str


@dataclass(frozen=True)
class Cleaning:
    """What was done. ``problem`` says why the engine could not be looked at, if it was not."""

    removed: list[Removed]
    kept: list[Kept]
    problem: str = ""


def clean_up() -> Cleaning:
    """Remove scratch folders, control groups, containers and half images of dead processes.

    On the engine that ``pae`` uses also the finished images: they are built again when needed.
    """
    removed = [Removed("folder", str(path)) for path in sweep(cache_root())]
    if groups := cgroups.reap(cgroups.own_parents()):
        removed.append(Removed("control groups", f"of {groups} boxes"))
    return _on_the_engine(removed)


def _on_the_engine(removed: list[Removed]) -> Cleaning:
    try:
        engine = connect()
        with closing(engine.client):
            done = clean(engine)
    except SandboxError as error:
        return Cleaning(removed, [], str(error))
    return Cleaning([*removed, *done.removed], [Kept(name, why) for name, why in done.kept.items()])
