"""Documents given on the command line: a file, or - for standard input."""

from __future__ import annotations

import sys
from pathlib import Path

from pae_harness.errors import UsageError


def read_text(name: str | Path) -> str:
    """The UTF-8 text of the file ``name``, or of standard input for ``-``.

    Raises UsageError, naming the file, where there is none or it is not text.
    """
    try:
        data = sys.stdin.buffer.read() if str(name) == "-" else Path(name).read_bytes()
        return data.decode("utf-8-sig")
    except OSError as error:
        raise UsageError(f"cannot read {name}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UsageError(
            f"{name} is not UTF-8 text (byte {error.start}); convert it first"
        ) from error


def is_plain(name: str | Path) -> bool:
    """Whether a file of this name is read as plain text rather than Markdown."""
    return Path(name).suffix.lower() in (".txt", ".text", ".log", ".csv")
