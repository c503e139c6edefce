"""Which root the local sandbox's boxes consist of: what PAE_ROOT asks for, if it is fit."""

from __future__ import annotations

import os
import re
from pathlib import Path

from pae_harness.baseimage.root import KIND, MANIFEST, Root, current_root, named_root
from pae_harness.errors import SandboxUnavailableError, UsageError

VARIABLE = "PAE_ROOT"
OFF, CURRENT = "off", "current"
_MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}
_SHORTEST = 12  # digits of a digest, as in an image's tag


def find_root(cache: Path, wanted: str, machine: str) -> Root | None:
    """The root of ``cache`` that ``wanted``, the value of PAE_ROOT, stands for.

    None for ``off``, and for no wish at all where no root was ever made. Raises UsageError for a
    value of no use, and SandboxUnavailableError for a root that is not there or is not fit.
    """
    if wanted == OFF:
        return None
    if wanted not in ("", CURRENT):
        root = named_root(cache, _whole_digest(cache, wanted))
    elif wanted or (cache / KIND / CURRENT).is_file():
        root = current_root(cache)
    else:
        return None
    if root is None:
        raise SandboxUnavailableError(
            f"there is no whole root in {cache / KIND}: run `pae base-image`"
        )
    _require_fit(root, machine)
    return root


def _whole_digest(cache: Path, wanted: str) -> str:
    if not re.fullmatch(rf"[0-9a-f]{{{_SHORTEST},64}}", wanted):
        raise UsageError(
            f"{VARIABLE}: {wanted!r} is of no use; use {OFF}, {CURRENT} or a root's digest, "
            f"at least its first {_SHORTEST} digits"
        )
    found = sorted(path.name for path in (cache / KIND).glob(f"{wanted}*"))
    return found[0] if found else wanted


def _require_fit(root: Root, machine: str) -> None:
    """Raises SandboxUnavailableError for a root of another processor or one that was damaged."""
    name = f"the root {root.digest[:12]}"
    if _MACHINES.get(root.architecture, root.architecture) != machine:
        raise SandboxUnavailableError(
            f"{name} is for {root.architecture} and this machine is {machine}: "
            "run `pae base-image` here"
        )
    try:
        changed = _changed(root)
    except OSError as error:
        raise SandboxUnavailableError(
            f"{name} cannot be read ({error.filename}: {error.strerror}): "
            "run `pae base-image` as this user"
        ) from error
    if changed is not None:
        raise SandboxUnavailableError(
            f"{name} is no longer what was made, something was added or removed in {changed}: "
            f"delete {root.path.parent} and run `pae base-image`"
        )


def _changed(root: Root) -> str | None:
    """A folder of the root in which names came or went after its manifest was written.

    A box that lacks a program would fail its agent, not itself. Raises OSError.
    """
    made = (root.path.parent / MANIFEST).stat().st_mtime_ns
    pending = [os.fspath(root.path)]
    while pending:
        folder = pending.pop()
        if os.stat(folder).st_mtime_ns > made:  # noqa: PTH116 - Path costs 10 ms here
            return folder
        with os.scandir(folder) as entries:
            pending += [e.path for e in entries if e.is_dir(follow_symlinks=False)]
    return None
