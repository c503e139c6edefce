"""What to say where a disk refuses: which file, why, and what helps."""

from __future__ import annotations

import errno
import re
import shutil
from pathlib import Path

_FULL = (errno.ENOSPC, errno.EDQUOT)


def refusal(error: OSError, path: Path) -> str:
    """``FILE: why`` of ``error``, or with ``path`` where the error names no file."""
    if isinstance(error, shutil.Error) and error.args and isinstance(error.args[0], list):
        _, target, why = error.args[0][0]
        return f"{target}: {_bare(str(why))}"
    return f"{error.filename or path}: {error.strerror or error}"


def _bare(why: str) -> str:
    """``No space left`` of ``[Errno 28] No space left: '/from/a' -> '/to/a'``."""
    return re.sub(r"^\[Errno \d+\] ", "", why).split(": '", 1)[0]


def remedy(error: OSError, elsewhere: str) -> str:
    """What the user can do about ``error``: free some space if that helps, or ``elsewhere``."""
    full = error.errno in _FULL or "No space left" in str(error)
    return f"free some space, or {elsewhere}" if full else elsewhere
