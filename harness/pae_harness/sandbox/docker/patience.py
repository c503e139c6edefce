"""Waiting for an engine that went away: a restart takes seconds, and trials must not."""

from __future__ import annotations

import threading
import time
from contextlib import suppress

from pae_harness.errors import SandboxError
from pae_harness.sandbox.docker.engine import Engine, asking

_RESTART_SECONDS = 30.0
_LOOK_SECONDS = 0.2


class Patience:
    """Of all trials together: what one has waited for in vain, the others do not wait for again."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._turn = threading.Lock()
        self._given_up = False

    def outlast(self) -> bool:
        """Wait until the engine answers again; whether it does."""
        with self._turn:
            end = time.monotonic() + (0 if self._given_up else _RESTART_SECONDS)
            while not self._answers():
                if time.monotonic() > end:
                    self._given_up = True
                    return False
                time.sleep(_LOOK_SECONDS)
            self._given_up = False
            return True

    def _answers(self) -> bool:
        with suppress(SandboxError), asking("say that it is there"):
            return bool(self._engine.client.ping())
        return False
