"""Removing what processes left that were killed: only what this project made, and only theirs."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from pae_harness import owner
from pae_harness.errors import SandboxError
from pae_harness.sandbox.docker.engine import OWNER, Engine, asking


@dataclass(frozen=True)
class Reaped:
    """How many containers and images were removed."""

    containers: int
    images: int


def reap(engine: Engine) -> Reaped:
    """Remove the containers of dead processes, and the images that they did not finish.

    What a live process holds stays, and so does what this process cannot see the owner of.
    """
    containers = sum(_remove(engine, found) for found in _dead(_containers(engine)))
    images = sum(_drop(engine, found) for found in _dead(_unfinished(engine)))
    return Reaped(containers, images)


def _dead(found: list[Mapping[str, Any]]) -> list[str]:
    mine = owner.me()
    ids = []
    for one in found:
        made_by = owner.parse((one.get("Labels") or {}).get(OWNER, ""))
        if made_by is not None and made_by.dead(mine):
            ids.append(str(one["Id"]))
    return ids


def _containers(engine: Engine) -> list[Mapping[str, Any]]:
    with asking("list its containers"):
        return list(engine.client.containers(all=True, filters={"label": OWNER}))


def _unfinished(engine: Engine) -> list[Mapping[str, Any]]:
    """Images without a name: a build names its image last."""
    with asking("list its images"):
        return list(engine.client.images(filters={"label": OWNER, "dangling": True}))


def _remove(engine: Engine, container: str) -> bool:
    with suppress(SandboxError), asking("remove a container"):
        engine.client.remove_container(container, force=True, v=True)
        return True
    return False


def _drop(engine: Engine, image: str) -> bool:
    with suppress(SandboxError), asking("remove an image"):
        engine.client.remove_image(image, force=True)
        return True
    return False
