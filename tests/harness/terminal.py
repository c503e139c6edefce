"""A real terminal of a given width, on which ``pae`` runs, and what it then shows."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from itertools import groupby

PATIENCE = 60.0
_SGR = re.compile(r"\x1b\[([\d;]*)m")


def on_terminal(*argv: str, columns: int = 80, **env: str) -> tuple[int, str]:
    """The exit code of ``pae`` with these arguments, and all that the terminal was sent."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    unset = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "TTY_COMPATIBLE", "TTY_INTERACTIVE")
    kept = {name: value for name, value in os.environ.items() if name not in unset}
    with subprocess.Popen(
        [sys.executable, "-m", "pae_harness", *argv],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.STDOUT,
        env={**kept, "TERM": "xterm-256color", "COLORTERM": "", **env},
    ) as process:
        os.close(theirs)
        data = b""
        try:
            while more := os.read(ours, 65536):
                data += more
        except OSError:  # the other end is closed
            pass
        os.close(ours)
        process.wait(PATIENCE)
    return process.returncode, data.decode().replace("\r\n", "\n")


def plain(shown: str) -> str:
    """What stands on the terminal, without its colours."""
    return _SGR.sub("", shown)


def styled(shown: str) -> list[tuple[str, str]]:
    """Runs of one style as (its codes, the text), those without a style left out."""
    style, cells, at = "", [], 0
    for found in _SGR.finditer(shown):
        cells += [(style, character) for character in shown[at : found.start()]]
        style, at = found[1].removeprefix("0"), found.end()
    runs = groupby(cells, key=lambda cell: cell[0])
    return [(style, "".join(c for _, c in run)) for style, run in runs if style]
