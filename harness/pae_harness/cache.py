"""The cache: folders named by what they are made from, each put in place by one rename."""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

from pae_harness.errors import RunFolderError

_locks: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)


def cache_root() -> Path:
    """``$PAE_CACHE``, else ``portfolio-agent-evals`` in the user's cache folder."""
    if chosen := os.environ.get("PAE_CACHE"):
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "portfolio-agent-evals"


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
            draft = Path(tempfile.mkdtemp(prefix=".draft-", dir=final.parent))
        except OSError as error:
            raise RunFolderError(
                f"cannot write the cache at {final.parent}: {error.strerror}; "
                "set PAE_CACHE to a folder that can be written"
            ) from error
        try:
            build(draft)
            draft.chmod(0o755)
            _put_in_place(draft, final)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    return final


def _put_in_place(draft: Path, final: Path) -> None:
    try:
        draft.rename(final)
    except OSError:
        if not final.is_dir():  # otherwise another process was faster, with the same content
            raise
