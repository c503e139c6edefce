"""What a box can be asked for at all, whatever makes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from pae_harness.errors import SandboxError
from pae_harness.sandbox.protocol import BoxSpec

_RESERVED = ("/proc", "/dev", "/usr", "/etc", "/pae", "/box")


def check_spec(spec: BoxSpec) -> None:
    """Raises SandboxError for a path or a variable that a box cannot have."""
    check_words(["true"], spec.env)
    targets = [*spec.writable, *(mount.target for mount in spec.mounts)]
    for target in targets:
        _check_target(target)
    doubled = sorted({t for t in targets if targets.count(t) > 1})
    if doubled:
        raise SandboxError(f"{doubled[0]} is asked for twice in one box")


def check_words(argv: Sequence[str], env: Mapping[str, str] | None) -> None:
    """Raises SandboxError for a command or an environment that no process can be given."""
    pairs = (env or {}).items()
    if not argv:
        raise SandboxError("a command needs at least a name")
    if any("\0" in word for word in (*argv, *(v for pair in pairs for v in pair))):
        raise SandboxError("a command or its environment contains a NUL")
    for name, _ in pairs:
        if not name or "=" in name:
            raise SandboxError(f"an environment variable cannot be called {name!r}")


def _check_target(target: str) -> None:
    pure = PurePosixPath(target)
    if not pure.is_absolute() or str(pure) != target or ".." in pure.parts or target == "/":
        raise SandboxError(f"a box's folder must be a plain absolute path, not {target!r}")
    for reserved in _RESERVED:
        if pure.is_relative_to(reserved):
            raise SandboxError(f"a box has its own {reserved}: {target} cannot be placed there")


def locate(trees: Mapping[str, str], path: str) -> tuple[str, tuple[str, ...]] | None:
    """The tree that a path of the box lies in and the names below it; None if in none.

    ``trees`` maps each writable folder to where the supervisor has it. Raises SandboxError for a
    path with ``..``, which would lead out of a tree.
    """
    whole = PurePosixPath(path)
    if ".." in whole.parts:
        raise SandboxError(f"a path in a box must be a plain one, not {path}")
    for target in sorted(trees, key=len, reverse=True):
        if whole.is_relative_to(target):
            return trees[target], whole.relative_to(target).parts
    return None
