"""The images that boxes run on: found by the digest of what they are made from, else built."""

from __future__ import annotations

import os
import re
import threading
from collections import defaultdict
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pae_harness.cache import cached_folder
from pae_harness.errors import SandboxError, SandboxUnavailableError
from pae_harness.sandbox.docker.build import BuildError, build
from pae_harness.sandbox.docker.engine import LABEL, Engine, MissingError, asking
from pae_harness.sandbox.docker.recipe import PLAIN, Recipe, of_folder
from pae_harness.sandbox.docker.turn import turn
from pae_harness.sandbox.protocol import Build, Software
from pae_harness.verifier_context import verifier_context

STOCK = "python:3.12-slim-bookworm"
MADE = f"{LABEL}/base:latest"
VARIABLE = "PAE_BASE_IMAGE"
_PYTHON = re.compile(r"pae: python (\d+)\.(\d+)")
_BOX = Recipe("box", PLAIN, {})


@dataclass(frozen=True)
class Image:
    """An image in the engine. ``id`` names its exact content; ``env`` is what it sets.

    ``digest`` is what a registry calls it, ``NAME@sha256:…``, or empty where it came from none.
    """

    id: str
    tag: str
    env: Mapping[str, str]
    checks_health: bool = False
    digest: str = ""


class Images:
    """Of one engine; what was found once is not looked for again in this process."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._base: Image | None = None
        self._base_lock = threading.Lock()
        self._found: dict[Software, Image] = {}
        self._failed: dict[Software, BuildError] = {}
        self._locks: defaultdict[Software, threading.Lock] = defaultdict(threading.Lock)

    def base(self) -> Image:
        """The image that all others build on, by its id, so that no tag can move under a run.

        ``PAE_BASE_IMAGE``, else the one that ``pae base-image`` made, else the stock image, which
        is fetched if a registry answers. Raises SandboxUnavailableError with the way out.
        """
        with self._base_lock:
            if self._base is None:
                self._base = self._find_base()
            return self._base

    def _find_base(self) -> Image:
        asked = os.environ.get(VARIABLE)
        for name in [asked] if asked else [MADE, STOCK]:
            if (found := self._inspect(name)) is not None:
                return found
        name = asked or STOCK
        try:
            with asking(f"fetch {name}"):
                self._engine.client.pull(name)
        except SandboxError as error:
            way = f"set {VARIABLE} to an image that is there" if asked else "run `pae base-image`"
            raise SandboxUnavailableError(
                f"there is no base image for boxes: {way} ({error})"
            ) from None
        found = self._inspect(name)
        if found is None:
            raise SandboxUnavailableError(f"the engine fetched {name} and does not have it")
        return found

    def get(self, software: Software) -> Image:
        """The image for ``software``, built if it is not there.

        Raises SandboxError where it cannot be built, SandboxUnavailableError without a base. A
        build that failed is not tried again: each trial of a task would wait for it.
        """
        with self._locks[software]:
            if software in self._failed:
                raise BuildError(str(self._failed[software]))
            try:
                if software not in self._found:
                    base = self.base()
                    self._found[software] = self._ensure(self._recipe(software, base), base)
            except BuildError as error:
                self._failed[software] = error
                raise
            return self._found[software]

    def forget(self) -> None:
        """Look for every image again: one of them has gone."""
        self._base = None
        self._found.clear()

    def _recipe(self, software: Software, base: Image) -> Recipe:
        if isinstance(software, Build):
            return of_folder(
                "task", software.folder, network=software.network, timeout=software.timeout
            )
        if software == "base":
            return _BOX
        context = verifier_context(self._python(base), self._engine.machine)
        return of_folder("verifier", context)

    def _python(self, base: Image) -> tuple[int, int]:
        """The version of a base image's python3, kept in the cache: only a build can tell."""

        def look(folder: Path) -> None:
            with turn(_BOX.tag(base.id), 2 * _BOX.timeout):
                said = self._build(_BOX, base)
            found = _PYTHON.search(said)
            if found is None:
                raise SandboxError(f"the base image {base.tag} does not say which Python it has")
            (folder / "version").write_text(f"{found[1]} {found[2]}")

        folder = cached_folder("base-python", f"{self._engine.name}-{base.id[-40:]}", look)
        major, minor = (folder / "version").read_text().split()
        return int(major), int(minor)

    def _ensure(self, recipe: Recipe, base: Image) -> Image:
        tag = recipe.tag(base.id)
        found = self._inspect(tag)
        if found is None:
            with turn(tag, 2 * recipe.timeout):
                found = self._inspect(tag)  # perhaps somebody else has just built it
                if found is None:
                    self._build(recipe, base)
                    found = self._inspect(tag)
        if found is None:
            raise SandboxError(
                f"the image {tag} was removed as soon as it was built: build it again"
            )
        return found

    def _inspect(self, name: str) -> Image | None:
        try:
            with asking(f"look at the image {name}"):
                said = self._engine.client.inspect_image(name)
        except MissingError:
            return None
        config = said.get("Config") or {}
        if config.get("Volumes"):
            raise SandboxError(
                f"the image {name} declares a VOLUME, which would be writable without a limit: "
                "take it out of the Dockerfile"
            )
        env = dict(pair.split("=", 1) for pair in config.get("Env") or () if "=" in pair)
        checks_health = bool(config.get("Healthcheck"))
        digests = said.get("RepoDigests") or ()
        return Image(said["Id"], name, env, checks_health, next(iter(digests), ""))

    def _build(self, recipe: Recipe, base: Image) -> str:
        """Build and tag, and remove the image that had the tag before; what the build said."""
        tag = recipe.tag(base.id)
        if self._inspect(base.id) is None:  # the build would say so in words of its own
            raise MissingError(f"the base image {base.tag} was removed: make it again")
        before = self._inspect(tag)
        said = build(self._engine, recipe, base.id)
        if before is not None and (now := self._inspect(tag)) and now.id != before.id:
            with suppress(SandboxError), asking("remove an image"):
                self._engine.client.remove_image(before.id)
        return said
