"""The command ``pae``: parse, dispatch, and turn every failure into a sentence and an exit code.

Exit codes: 0 done; 1 a negative verdict; 2 usage or bad input; 3 some trial is unscored; 5 nothing
selected; 70 a bug in this program; 130 interrupted.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from types import FrameType

from pae_harness import config
from pae_harness.console import discard_stdout
from pae_harness.errors import EXIT_INTERRUPTED, PaeError
from pae_harness.parser import parse

EXIT_BUG = 70
UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EBADF)


def run() -> None:
    """The console script."""
    closed = open_standard_streams()
    if 1 in closed:
        sys.stderr.write("pae: standard output is closed; give it a file, or /dev/null\n")
        sys.exit(PaeError.exit_code)
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _interrupt)
    sys.exit(main(sys.argv[1:]))


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def open_standard_streams() -> list[int]:
    """Open those of 0, 1 and 2 that are closed on /dev/null, and name them.

    Otherwise the next file that is opened would be taken for standard output.
    """
    closed = []
    for fd in (0, 1, 2):
        try:
            os.fstat(fd)
        except OSError:
            closed.append(fd)
            os.open(os.devnull, os.O_RDWR)
    sys.stdout = sys.stdout or open(1, "w", closefd=False)  # noqa: SIM115 - for good
    sys.stderr = sys.stderr or open(2, "w", closefd=False)  # noqa: SIM115 - for good
    return closed


def main(argv: Sequence[str]) -> int:
    """Run ``pae`` with the arguments ``argv`` and return its exit code."""
    args = parse(argv)
    try:
        config.check_environment(os.environ)
        code: int = import_module(f"pae_harness.commands.{args.module}").main(args)
        sys.stdout.flush()
        return code
    except PaeError as error:
        sys.stderr.write(f"pae: {error}\n")
        return error.exit_code
    except KeyboardInterrupt:
        sys.stderr.write("pae: interrupted\n")
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        discard_stdout()
        return 0
    except OSError as error:
        if error.filename is None and error.errno in UNWRITABLE:
            discard_stdout()
            sys.stderr.write(f"pae: cannot write to standard output: {error.strerror}\n")
            return PaeError.exit_code
        return _bug(error)
    except Exception as error:  # noqa: BLE001 - Python's own exit code here would be a verdict
        return _bug(error)


def _bug(error: Exception) -> int:
    import traceback

    traceback.print_exception(error)
    sys.stderr.write(f"pae: this is a bug, please report it with the lines above: {error}\n")
    return EXIT_BUG
