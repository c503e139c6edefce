"""Removing what processes left that were killed: only what this project made, and only theirs."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from pae_harness import owner
from pae_harness.errors import SandboxError
from pae_harness.sandbox.docker.engine import BUILDER, LABEL, OWNER, Engine, asking

_SETTLED_SECONDS, _LOOK_SECONDS = 20.0, 0.2
_STALLED_LOOKS = 10  # of what cannot be removed, as something else still uses it
_KINDS = ("box", "task", "verifier")  # of images; a base image is the user's own


@dataclass(frozen=True)
class Removed:
    """A thing that was removed; ``kind`` says what it was. A container or an image without a name
    is called by its short id."""

    kind: str
    name: str


@dataclass(frozen=True)
class Cleaned:
    """What ``clean`` removed, and the images that it did not, each with the reason."""

    removed: list[Removed]
    kept: dict[str, str]


def reap(engine: Engine) -> list[Removed]:
    """Remove the containers of dead processes, and the images that they did not finish.

    What a live process holds stays, and so does what this process cannot see the owner of. Where
    something is found it looks again: a build goes on for a moment after whoever wanted it died.
    Raises SandboxError where the engine does not answer.
    """
    removed: list[Removed] = []
    end = time.monotonic() + _SETTLED_SECONDS
    stalled = 0
    while stalled < _STALLED_LOOKS and time.monotonic() < end:
        found = remove_containers(engine, filter(_is_dead, containers_with(engine, OWNER)))
        found += remove_unfinished(engine, OWNER)
        removed += found
        stalled = 0 if found else stalled + 1
        if not found and not _left_by_dead(engine):
            break
        time.sleep(_LOOK_SECONDS)
    return removed


def clean(engine: Engine) -> Cleaned:
    """``reap``, and the finished images: whatever runs next builds those that it needs.

    An image stays where a container uses it, or where a live process built it.
    """
    removed, kept = reap(engine), {}
    for image in _images(engine, f"{LABEL}.kind"):
        for tag in _own_tags(image):
            builder = owner.parse(_label(image, BUILDER))
            if builder is not None and not builder.dead(owner.me()):
                kept[tag] = "a process that may still run built it"
            elif why := _refused(engine, tag):
                kept[tag] = why
            else:
                removed.append(Removed("image", tag))
    remove_unfinished(engine, OWNER)  # what the finished ones were built on
    return Cleaned(removed, kept)


def remove_containers(engine: Engine, found: Iterable[Mapping[str, Any]]) -> list[Removed]:
    """Kill and remove containers; those that went."""
    removed = []
    for container in found:
        with suppress(SandboxError), asking("remove a container"):
            engine.client.remove_container(container["Id"], force=True, v=True)
            removed.append(Removed("container", str(container["Id"])[:12]))
    return removed


def remove_unfinished(engine: Engine, label: str, whose: str = "dead") -> list[Removed]:
    """Remove the nameless images with ``label`` that dead processes, or ``anybody``, left.

    One layer after the other: the engine itself would go on to what lies below, which may be a
    nameless image of somebody else.
    """
    removed: list[Removed] = []
    while True:
        found = _images(engine, label, dangling=True)
        goes = [image for image in found if whose == "anybody" or _abandoned(engine, image)]
        went = [image["Id"] for image in goes if _drop(engine, image["Id"])]
        if not went:
            return removed
        removed += [
            Removed("unfinished image", str(id).removeprefix("sha256:")[:12]) for id in went
        ]


def _left_by_dead(engine: Engine) -> bool:
    nameless = _images(engine, OWNER, dangling=True)
    return any(map(_is_dead, containers_with(engine, OWNER))) or any(
        _abandoned(engine, image) for image in nameless
    )


def _abandoned(engine: Engine, image: Mapping[str, Any]) -> bool:
    """Whether a dead process did not finish it, or died before it could give it its name."""
    if _is_dead(image):
        return True
    builder = owner.parse(_label(image, BUILDER))
    if builder is None or not builder.dead(owner.me()):
        return False
    # What somebody made from a finished image has its labels, and a last step of its own.
    with suppress(SandboxError), asking("look at an image"):
        last = engine.client.history(image["Id"])[0]
        return BUILDER in str(last.get("CreatedBy"))
    return False


def _is_dead(found: Mapping[str, Any]) -> bool:
    made_by = owner.parse(_label(found, OWNER))
    return made_by is not None and made_by.dead(owner.me())


def _label(found: Mapping[str, Any], name: str) -> str:
    return str((found.get("Labels") or {}).get(name, ""))


def _own_tags(image: Mapping[str, Any]) -> list[str]:
    """The names that this project gave it; one that somebody built on it has none."""
    kind = _label(image, f"{LABEL}.kind")
    start = f"{LABEL}/{kind}:"
    tags = [str(tag).removeprefix("localhost/") for tag in image.get("RepoTags") or ()]
    return [tag for tag in tags if kind in _KINDS and tag.startswith(start)]


def containers_with(engine: Engine, label: str) -> list[Mapping[str, Any]]:
    """All containers, running or not, with this label."""
    with asking("list its containers"):
        return list(engine.client.containers(all=True, filters={"label": label}))


def _images(engine: Engine, label: str, *, dangling: bool = False) -> list[Mapping[str, Any]]:
    """Those without a name are what builds did not finish: a build names its image last."""
    filters: dict[str, Any] = {"label": label, **({"dangling": True} if dangling else {})}
    with asking("list its images"):
        return list(engine.client.images(filters=filters))


def _drop(engine: Engine, image: str) -> bool:
    with suppress(SandboxError), asking("remove an image"):
        engine.client.remove_image(image, force=True, noprune=True)
        return True
    return False


def _refused(engine: Engine, tag: str) -> str:
    """Remove a finished image; why it stays, if it does."""
    try:
        with asking("remove an image"):
            engine.client.remove_image(tag, noprune=True)
    except SandboxError as error:
        return str(error)
    return ""
