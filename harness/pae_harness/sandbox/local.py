"""The ``local`` backend: bubblewrap boxes, with neither root nor a daemon.

A trusted outer box holds the sized writable tree and a supervisor; each command runs in an inner
box of its own. Boxes consist of the root that ``pae base-image`` made, where there is one, else of
this machine's own system.
"""

from __future__ import annotations

import os
import platform
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from pae_harness.cache import cache_root
from pae_harness.errors import PaeError, SandboxUnavailableError, UsageError
from pae_harness.runtime import image_verifier_digest, verifier_digest, verifier_runtime
from pae_harness.sandbox import silent
from pae_harness.sandbox.launch import Launched, bwrap_for, launch
from pae_harness.sandbox.protocol import BoxSpec
from pae_harness.sandbox.root_system import hermetic
from pae_harness.sandbox.roots import OFF, VARIABLE, find_root
from pae_harness.sandbox.supervised import SupervisedBox
from pae_harness.sandbox.system import System, own_system


@dataclass(frozen=True)
class Choice:
    """What all boxes of a run consist of. ``passed_over`` says why it is not the root, if it is so.

    ``runtime`` is the verifier's, for a root.
    """

    system: System
    runtime: Path | None = None
    passed_over: str = ""


class LocalSandbox:
    """Boxes made with bubblewrap. ``say`` is told, once, of a root that cannot be used.

    ``root`` is what to use instead of PAE_ROOT's value. Which system boxes consist of is decided
    when it is first asked for, and then stays.
    """

    def __init__(self, say: Callable[[str], None] = silent, root: str | None = None) -> None:
        self._say, self._root = say, root
        self._deciding = threading.Lock()
        self._choice: Choice | None = None

    @property
    def name(self) -> str:
        return "local"

    @property
    def maker(self) -> str:
        system = self._chosen().system
        version = ".".join(map(str, bwrap_for(system).version))
        root = f", root {system.root.digest[:12]}" if system.root else ""
        return f"bubblewrap {version}{root}"

    @property
    def verifier_digest(self) -> str:
        return image_verifier_digest() if self._chosen().system.root else verifier_digest()

    def start(self, spec: BoxSpec) -> LocalBox:
        """Start a box. Raises SandboxError, or SandboxUnavailableError with a way out."""
        chosen = self._chosen()
        packages = None
        if spec.software == "verifier":
            packages = chosen.runtime or verifier_runtime()
        return LocalBox(launch(spec, platform.machine(), chosen.system, packages))

    def _chosen(self) -> Choice:
        with self._deciding:
            if self._choice is None:
                self._choice = choice(self._root)
                if self._choice.passed_over:
                    self._say(self._choice.passed_over)
            return self._choice


class LocalBox(SupervisedBox):
    """A running outer box."""

    def __init__(self, launched: Launched) -> None:
        self._launched = launched
        super().__init__(launched)


def choice(root: str | None = None) -> Choice:
    """What boxes consist of here and now: :func:`choose` with this process's environment."""
    wanted = os.environ.get(VARIABLE, "") if root is None else root
    wheels = os.environ.get("PAE_WHEELHOUSE", "")
    return choose(cache_root(), wanted, wheels)


@lru_cache
def choose(cache: Path, wanted: str, wheels: str) -> Choice:
    """The system for boxes; ``wanted`` is PAE_ROOT's value, ``wheels`` PAE_WHEELHOUSE's.

    A root that nobody asked for by name is passed over where it is not fit, or the verifier's
    packages for its Python cannot be had. Raises UsageError for a value of no use, and
    SandboxUnavailableError for a root that was asked for and cannot be used.
    """
    machine = platform.machine()
    try:
        root = find_root(cache, wanted, machine)
        if root is not None:
            return Choice(*hermetic(root, machine))
    except UsageError:
        raise
    except PaeError as error:
        if wanted:
            raise SandboxUnavailableError(f"{VARIABLE}={wanted}: {error}") from error
        why = f"boxes show this machine's own programs, as its root cannot be used: {error}"
        return Choice(own_system(), passed_over=f"{why} ({VARIABLE}={OFF} does without)")
    return Choice(own_system())
