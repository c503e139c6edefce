"""Waiting for something to come about, with a limit that only a failure reaches."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 120.0


def comes_true(condition: Callable[[], bool], seconds: float = PATIENCE) -> bool:
    """Whether ``condition`` is true within so many seconds; asked fifty times a second."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() >= end:
            return False
        time.sleep(0.02)
    return True


def wait_until(condition: Callable[[], bool], what: str, seconds: float = PATIENCE) -> None:
    """Fails, and says ``what`` was waited for, where it does not come about."""
    assert comes_true(condition, seconds), f"it never came to that: {what}"
