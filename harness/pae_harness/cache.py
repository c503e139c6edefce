"""The cache: folders named by what they are made from, each put in place by one rename."""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

from pae_harness.disk import refusal, remedy
from pae_harness.errors import RunFolderError, UsageError
from pae_harness.scratch import draft_prefix

_HINT = "set PAE_CACHE to a folder that can be written"
_drafts: set[Path] = set()
_locks: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)


def cache_root() -> Path:
    """``$PAE_CACHE``, else ``portfolio-agent-evals`` in the user's cache folder.

    Raises UsageError where there is no such folder: no HOME, and no entry for this user.
    """
    if chosen := os.environ.get("PAE_CACHE"):
        return Path(chosen).absolute()  # boxes mount from it, and start elsewhere
    try:
        base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    except RuntimeError as error:
        raise UsageError(f"this user has no home folder for the cache; {_HINT}") from error
    return Path(base) / "portfolio-agent-evals"


def require_cache() -> None:
    """Raises UsageError where the cache cannot be written, before a trial finds out."""
    root = cache_root()
    try:
        root.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=root).close()
    except OSError as error:
        raise UsageError(f"cannot write the cache: {refusal(error, root)}; {_HINT}") from error


def discard_drafts() -> None:
    """Remove what is being built, for a process that ends at once."""
    for draft in tuple(_drafts):
        shutil.rmtree(draft, ignore_errors=True)


def cached_folder(kind: str, key: str, build: Callable[[Path], None]) -> Path:
    """The folder ``kind/key`` of the cache, built once by ``build(empty_folder)``.

    A build that is interrupted leaves nothing under the final name; of two processes that build
    the same key, one result stands. Raises RunFolderError where the cache cannot be written.
    """
    final = cache_root() / kind / key
    with _locks[f"{kind}/{key}"]:
        if final.is_dir():
            return final
        try:
            final.parent.mkdir(parents=True, exist_ok=True)
            draft = Path(tempfile.mkdtemp(prefix=draft_prefix(), dir=final.parent))
        except OSError as error:
            raise _refused(error, final.parent) from error
        _drafts.add(draft)
        try:
            build(draft)
            draft.chmod(0o755)
            _put_in_place(draft, final)
        except OSError as error:
            raise _refused(error, final.parent) from error
        finally:
            shutil.rmtree(draft, ignore_errors=True)
            _drafts.discard(draft)
    return final


def _refused(error: OSError, folder: Path) -> RunFolderError:
    return RunFolderError(
        f"cannot write the cache: {refusal(error, folder)}; {remedy(error, _HINT)}"
    )


def _put_in_place(draft: Path, final: Path) -> None:
    try:
        draft.rename(final)
    except OSError:
        if not final.is_dir():  # otherwise another process was faster, with the same content
            raise
