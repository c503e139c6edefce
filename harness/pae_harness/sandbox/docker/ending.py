"""Why a container ended on its own: whether the kernel took its init when the memory was full.

Nothing in a box can end its supervisor in another way. The engine must not have removed the
container yet.
"""

from __future__ import annotations

import time

from pae_harness.sandbox.docker.engine import Engine, asking

# How long an engine takes to note that a container has ended, and then to hear why.
_ENDED_SECONDS, _REASON_SECONDS = 20, 2.0
_SIGKILLED = 137


def memory_ran_out(engine: Engine, container: str, started: float) -> bool:
    """Whether it did, of a container whose streams are closed; ``started`` is in Unix seconds.

    Raises SandboxError, MissingError for one that somebody removed.
    """
    with asking("look at a container"):
        engine.client.wait(container, timeout=_ENDED_SECONDS)
    if engine.name == "podman":  # which may not hear of it, as its monitor writes it elsewhere
        return _exit(engine, container)[0] == _SIGKILLED and not _stopped(
            engine, container, started
        )
    deadline = time.monotonic() + _REASON_SECONDS
    while True:
        code, full = _exit(engine, container)
        if full or code != _SIGKILLED or time.monotonic() > deadline:
            return full
        time.sleep(0.05)


def _exit(engine: Engine, container: str) -> tuple[int, bool]:
    with asking("look at a container"):
        state = engine.client.inspect_container(container)["State"]
    return int(state.get("ExitCode") or 0), bool(state.get("OOMKilled"))


def _stopped(engine: Engine, container: str, started: float) -> bool:
    """Whether somebody asked the engine to end it."""
    with asking("look at a container"):
        events = engine.client.events(
            since=int(started) - 1,
            until=int(time.time()) + 1,
            filters={"container": container},
            decode=True,
        )
        return any(event.get("Action") in ("kill", "stop", "restart") for event in events)
