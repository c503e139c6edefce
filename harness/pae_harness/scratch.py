"""Scratch folders, named by the process that works in them; and removing those of dead ones."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from pae_harness import owner
from pae_harness.owner import Owner

DRAFT = ".draft-"
_KINDS = ("trial", "generate", "again", "lock", "base-image", "runtime", "broker")


def draft_prefix() -> str:
    """How the name of this process's drafts in the cache begins."""
    return DRAFT + owner.me().prefix


def scratch_prefix(kind: str) -> str:
    """How the name of this process's folders of one of ``_KINDS`` in ``$TMPDIR`` begins."""
    return f"pae-{kind}-{owner.me().prefix}"


def sweep(cache: Path, temporary: Path | None = None) -> list[Path]:
    """Remove the scratch folders of dead processes in both places; what was removed.

    A folder counts only if its name says whose it was and it is that user's: anybody may write to
    a temporary folder.
    """
    place = Path(tempfile.gettempdir()) if temporary is None else temporary
    found = [(path, path.name.removeprefix(DRAFT)) for path in cache.glob(f"*/{DRAFT}*")]
    found += [
        (path, path.name.removeprefix(f"pae-{kind}-"))
        for kind in _KINDS
        for path in place.glob(f"pae-{kind}-*")
    ]
    return sorted(path for path, name in found if _is_dead(path, owner.in_name(name)) and _go(path))


def _is_dead(path: Path, whose: Owner | None) -> bool:
    if whose is None or not whose.dead(owner.me()) or path.is_symlink():
        return False
    return path.is_dir() and path.stat().st_uid == whose.uid


def _go(path: Path) -> bool:
    shutil.rmtree(path, ignore_errors=True)
    return not path.exists()
