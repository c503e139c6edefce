"""Standard output for people: tables, and readers that leave early."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

FILE_WIDTH = 160  # of a table that goes to a file or a pipe, where nothing wraps


def stdout_console(*, soft_wrap: bool = False) -> Console:
    """Standard output, as wide as a table needs where it is no terminal.

    Raises BrokenPipeError, as a plain write does, where rich itself would end the program with an
    exit code that is a verdict here.
    """
    from rich.console import Console

    class Plain(Console):
        def on_broken_pipe(self) -> None:
            raise  # the BrokenPipeError that rich calls this for

    width = None if sys.stdout.isatty() else FILE_WIDTH
    return Plain(highlight=False, emoji=False, width=width, soft_wrap=soft_wrap)


@contextmanager
def reader_may_leave() -> Iterator[None]:
    """Write all of standard output within; a reader such as ``head`` that leaves is no failure."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        discard_stdout()


def discard_stdout() -> None:
    """Let what is still unwritten, now and at exit, go nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
