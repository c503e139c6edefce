"""Whether a box's user can read what is to be mounted: said before the start, with a remedy."""

from __future__ import annotations

import os
import shlex
import stat
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

from pae_harness.errors import SandboxError

_LOOKED_AT = 2000  # files and folders of one mount


def check_sources(sources: Iterable[Path], uid: int) -> None:
    """Raises SandboxError for a mount that is not there or that the box's user cannot read.

    ``uid`` is the host's number of that user: this process's own, unless it is root's.
    """
    for source in sources:
        try:
            closed = _unreadable(source.resolve(strict=True), uid)
        except PermissionError as error:
            folder = Path(error.filename or source).parent
            raise SandboxError(
                f"{source} cannot be mounted: you may not enter {folder}; "
                f"{_remedy(folder, folder, uid, 'x')}"
            ) from None
        except OSError as error:
            raise SandboxError(f"{source} cannot be mounted: {error.strerror}") from None
        if closed is not None:
            who = "you" if uid == os.getuid() else f"the box's user ({uid}, not root)"
            raise SandboxError(
                f"{closed} cannot be mounted: {who} may not read it; "
                f"{_remedy(closed, source, uid, 'rX')}"
            )


def _remedy(closed: Path, source: Path, uid: int, mode: str) -> str:
    """A command that opens all of ``source``, and to nobody who need not read it."""
    own = uid == os.getuid()
    recursively = "-R " if mode == "rX" else ""
    command = f"`chmod {recursively}{'u' if own else 'a'}+{mode} {shlex.quote(str(source))}`"
    if own and (owner := closed.lstat().st_uid) != uid:
        return f"it is user {owner}'s: mount a copy of your own"
    return f"{command} lets {'you' if own else 'it'}"


def _unreadable(source: Path, uid: int) -> Path | None:
    """The first path in a mount that the box's user could not read, of those looked at."""
    if not _readable(source, uid):
        return source
    found = source.rglob("*") if source.is_dir() else iter(())
    return next((path for path in islice(found, _LOOKED_AT) if not _readable(path, uid)), None)


def _readable(path: Path, uid: int) -> bool:
    info = path.lstat()
    if stat.S_ISDIR(info.st_mode):
        needed = os.R_OK | os.X_OK
    elif stat.S_ISREG(info.st_mode):
        needed = os.R_OK
    else:
        return True
    if uid == os.getuid():
        return os.access(path, needed)
    bits = info.st_mode >> 6 if info.st_uid == uid else info.st_mode
    return bits & needed == needed
