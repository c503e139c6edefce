"""Which sandboxes the tests find on this machine.

An engine that does not answer skips its tests, except where ``PAE_REQUIRE_DOCKER=1`` says that
there must be one: then they fail.
"""

from __future__ import annotations

import os
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from pae_harness.baseimage import current_root
from pae_harness.cache import cache_root
from pae_harness.errors import SandboxError
from pae_harness.sandbox.docker.backend import DockerSandbox
from pae_harness.sandbox.docker.engine import connect
from pae_harness.sandbox.docker.images import Images
from pae_harness.sandbox.local import LocalSandbox
from pae_harness.sandbox.protocol import Sandbox

# Like util-linux's setsid, which a small image need not have.
SETSID = "python3 -Ic 'import os, sys; os.setsid(); os.execvp(sys.argv[1], sys.argv[1:])'"
# Boxes that show this machine's own system, and boxes on the root of `pae base-image`.
ROOTS = {"local": "off", "local-root": "current"}
SOCKETS = {
    "docker": Path("/var/run/docker.sock"),
    "podman": Path(os.environ.get("PAE_TEST_PODMAN", "/run/podman/podman.sock")),
}


@dataclass(frozen=True)
class Backend:
    """A way to make boxes: ``title`` tells engines apart, which ``--sandbox`` does not."""

    title: str

    @property
    def name(self) -> str:
        """As ``--sandbox`` has it."""
        return "local" if self.title in ROOTS else "docker"

    @property
    def environment(self) -> dict[str, str]:
        """What makes another process use the same engine, or the same root."""
        if self.title in ROOTS:
            return {"PAE_ROOT": ROOTS[self.title]}
        socket = SOCKETS.get(self.title)
        return {"DOCKER_HOST": f"unix://{socket}"} if socket else {}

    def open(self) -> Sandbox:
        if self.title in ROOTS:
            return LocalSandbox(root=ROOTS[self.title])
        return DockerSandbox(connect(self.environment))


@cache
def _missing(title: str) -> str:
    """Why this machine does not have it, or nothing."""
    if title == "local":
        return ""
    if title == "local-root":
        return "" if current_root(cache_root()) else "run `pae base-image`"
    try:
        engine = connect(Backend(title).environment)
        with closing(engine.client):
            Images(engine).base()
    except SandboxError as error:
        return str(error)
    return ""


def have(title: str) -> Backend:
    """The backend called ``title``: docker, podman, local or local-root.

    Skips, or fails, without it.
    """
    why = _missing(title)
    if why and os.environ.get("PAE_REQUIRE_DOCKER") == "1":
        pytest.fail(f"no {title} here: {why}")
    if why:
        pytest.skip(f"no {title} here: {why}")
    return Backend(title)
