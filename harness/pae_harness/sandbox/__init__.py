"""Boxes that untrusted code runs in: one protocol, one module per backend."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, cast

from pae_harness.errors import UsageError
from pae_harness.nearest import nearest

if TYPE_CHECKING:
    from collections.abc import Callable

    from pae_harness.sandbox.protocol import Sandbox

# Imported when first used: a backend's libraries cost start-up time.
BACKENDS = {"local": "pae_harness.sandbox.local:LocalSandbox"}
NAMES = ("auto", *BACKENDS)


def open_sandbox(name: str = "auto") -> Sandbox:
    """The backend called ``name``; ``auto`` takes the first that this machine can run.

    Raises UsageError for an unknown name, with the nearest known one.
    """
    if name == "auto":
        name = next(iter(BACKENDS))
    if name not in BACKENDS:
        near = nearest(name, NAMES)
        hint = f"did you mean {near!r}?" if near else f"known are {', '.join(NAMES)}"
        raise UsageError(f"there is no sandbox {name!r}; {hint}")
    module, _, attribute = BACKENDS[name].partition(":")
    backend = cast("Callable[[], Sandbox]", getattr(import_module(module), attribute))
    return backend()
