"""The ``local`` backend: bubblewrap boxes, with neither root nor a daemon.

A trusted outer box holds the sized writable tree and a supervisor; each command runs in an inner
box of its own.
"""

from __future__ import annotations

import platform

from pae_harness.runtime import verifier_digest, verifier_runtime
from pae_harness.sandbox.bwrap import find_bwrap
from pae_harness.sandbox.launch import Launched, launch
from pae_harness.sandbox.protocol import BoxSpec
from pae_harness.sandbox.supervised import SupervisedBox


class LocalSandbox:
    """Boxes made with bubblewrap."""

    @property
    def name(self) -> str:
        return "local"

    @property
    def maker(self) -> str:
        found = find_bwrap()
        return f"bubblewrap {'.'.join(map(str, found.version))}"

    @property
    def verifier_digest(self) -> str:
        return verifier_digest()

    def start(self, spec: BoxSpec) -> LocalBox:
        """Start a box. Raises SandboxError, or SandboxUnavailableError with a way out."""
        packages = verifier_runtime() if spec.software == "verifier" else None
        return LocalBox(launch(spec, platform.machine(), packages))


class LocalBox(SupervisedBox):
    """A running outer box."""

    def __init__(self, launched: Launched) -> None:
        self._launched = launched
        super().__init__(launched)
