"""Boxes that untrusted code runs in: one protocol, one module per backend."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, cast

from pae_harness.errors import SandboxUnavailableError, UsageError
from pae_harness.nearest import nearest

if TYPE_CHECKING:
    from pae_harness.sandbox.protocol import Sandbox

# Imported when first used: a backend's libraries cost start-up time.
BACKENDS = {
    "docker": "pae_harness.sandbox.docker.backend:DockerSandbox",
    "local": "pae_harness.sandbox.local:LocalSandbox",
}
NAMES = ("auto", *BACKENDS)


def silent(sentence: str) -> None:
    """Nobody wants to know."""


def open_sandbox(name: str = "auto", say: Callable[[str], None] = silent) -> Sandbox:
    """The backend called ``name``.

    ``auto`` is docker where an engine answers and has a base image, else local; ``say`` is told if
    an engine, or a root for local boxes, is there that cannot be used. Raises UsageError for an
    unknown name, with the nearest known one, and SandboxUnavailableError with a way out.
    """
    if name == "auto":
        return _automatic(say)
    if name not in BACKENDS:
        near = nearest(name, NAMES)
        hint = f"did you mean {near!r}?" if near else f"known are {', '.join(NAMES)}"
        raise UsageError(f"there is no sandbox {name!r}; {hint}")
    return _backend(name, say)


def _backend(name: str, say: Callable[[str], None]) -> Sandbox:
    module, _, attribute = BACKENDS[name].partition(":")
    made = cast("Callable[..., Sandbox]", getattr(import_module(module), attribute))
    return made(say=say) if name == "local" else made()


def _automatic(say: Callable[[str], None]) -> Sandbox:
    from pae_harness.sandbox.docker.engine import NoEngineError, connect

    try:
        engine = connect()
        from pae_harness.sandbox.docker.backend import DockerSandbox

        return DockerSandbox(engine)
    except NoEngineError:
        return _backend("local", say)
    except SandboxUnavailableError as error:
        say(f"boxes are made by the local sandbox, as containers cannot be: {error}")
        return _backend("local", say)
