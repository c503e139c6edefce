"""One process at a time writes a run folder: its trials.jsonl is locked as long as it does."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from pae_harness.errors import UsageError


def hold(run: Path) -> int:
    """Lock ``run`` and return the file descriptor that holds it; closing that lets go of it.

    However a process ends, its lock ends with it. On a file system that has no locks nothing is
    locked. Raises UsageError where another process holds it, and OSError.
    """
    held = os.open(run / "trials.jsonl", os.O_RDWR | os.O_CLOEXEC)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(held)
        raise UsageError(
            f"another pae is writing to {run}; wait until it ends, or stop it"
        ) from None
    except OSError:
        pass
    return held


@contextmanager
def letting_go(held: int) -> Iterator[int]:
    """``held``, which is closed where the block fails."""
    with ExitStack() as stack:
        stack.callback(os.close, held)
        yield held
        stack.pop_all()
