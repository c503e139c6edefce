"""The command ``pae``: parse, dispatch, and turn every failure into a sentence and an exit code.

Exit codes: 0 done; 1 a negative verdict; 2 usage or bad input; 3 some trial is unscored; 5 nothing
selected; 70 a bug in this program; 130 interrupted.
"""

from __future__ import annotations

import argparse
import errno
import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import NoReturn

from pae_harness import config, options, settings
from pae_harness.console import discard_stdout
from pae_harness.errors import EXIT_INTERRUPTED, PaeError
from pae_harness.judges import PROMPTS
from pae_harness.nearest import nearest

EXIT_BUG = 70
UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EBADF)
EPILOG = (
    "exit codes: 0 done; 1 a negative verdict; 2 usage or bad input; 3 some trial is unscored; "
    "5 nothing selected; 70 a bug in this program; 130 interrupted"
)


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


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """The parsed ``argv``; for an unknown flag the parser ends the program, naming the nearest."""
    parser = build_parser()
    args, unknown = parser.parse_known_args(argv)
    if not unknown:
        return args
    return _refuse(args.parser, unknown[0].split("=", 1)[0])


def _refuse(verb: argparse.ArgumentParser, word: str) -> NoReturn:
    if not word.startswith("-"):
        verb.error(f"{word!r} is one argument too many")
    flags = [name for action in verb._actions for name in action.option_strings]
    near = nearest(word, [flag for flag in flags if flag.startswith("--")])
    hint = f"; did you mean {near}?" if near and word.startswith("--") else ""
    verb.error(f"there is no option {word}{hint}")


def build_parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    parser = argparse.ArgumentParser(
        prog="pae",
        description="Portfolio-management writing and judgement tasks, and the harness for them.",
        epilog=EPILOG,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")

    validate = _verb(verbs, "validate", "show that oracles score 1.0, traps lose and nop earns 0")
    _tasks(validate)
    settings.add(validate, options.RUN_OPTIONS)

    run = _verb(verbs, "run", "run an agent on tasks")
    _tasks(run)
    settings.add(
        run,
        (
            *options.AGENT_OPTIONS,
            options.MIN_REWARD,
            options.PASS_AT,
            *options.RUN_OPTIONS,
        ),
    )

    resume = _verb(verbs, "resume", "run what is missing of a run that ended early")
    resume.add_argument("run", type=Path, metavar="RUN", help="a run folder, e.g. runs/latest")
    settings.add(resume, (options.TASKS, options.ALLOW_CHANGED, *options.RESUME_OPTIONS))

    regrade = _verb(verbs, "regrade", "judge the kept outputs of a run again, without the agent")
    regrade.add_argument("run", type=Path, metavar="RUN", help="a run folder, e.g. runs/latest")
    settings.add(regrade, (options.TASKS, options.ALLOW_CHANGED, *options.REGRADE_OPTIONS))

    _tasks(_verb(verbs, "check", "find what is wrong in task folders, without running anything"))
    settings.add(_verb(verbs, "list", "list the suite's tasks", "list_tasks"), (options.TASKS,))

    _verb(verbs, "demo", "show a right memo and a wrong one, what each earns and why")

    tie = _verb(verbs, "tie", "tie every number of a document to its data")
    tie.add_argument("memo", metavar="MEMO", help="a Markdown or text file, or - for stdin")
    tie.add_argument("results", type=Path, metavar="RESULTS", help="the JSON file with the facts")
    tie.add_argument("--facts", type=Path, metavar="YAML", help="units, aliases, required groups")

    scan = _verb(verbs, "scan", "list the numbers in a text")
    scan.add_argument("file", metavar="FILE", help="a Markdown or text file, or - for stdin")

    judge = _verb(verbs, "judge", "put a rubric to any document")
    judge.add_argument("rubric", metavar="RUBRIC", help="a file, or the name of a rubric of pae's")
    judge.add_argument("file", metavar="FILE", help="a Markdown or text file, or - for stdin")
    settings.add(judge, (options.JUDGE,))
    judge.add_argument(
        "--second",
        metavar="JUDGE",
        help="another judge, for a rubric of the kind points: each is reported, and their mean",
    )
    for name, what in (
        ("context", "what the writer was given: text, or data in JSON or YAML"),
        ("reference", "a reference answer: text, or data in JSON or YAML"),
        ("results", "the JSON file with the facts"),
        ("system", "a text in place of the prompt's system message"),
    ):
        judge.add_argument(f"--{name}", type=Path, metavar="FILE", help=what)
    judge.add_argument(
        "--prompt",
        choices=PROMPTS,
        default="hardened",
        help="how a model is asked: hardened (the default), guided, with the reply's schema for "
        "local servers, or seed, byte for byte as research answers were judged",
    )
    judge.add_argument(
        "--native", action="store_true", help="print the output of the rubric's own kind alone"
    )
    _export(_verb(verbs, "export", "write tasks for another harness"))

    base_image = _verb(
        verbs, "base-image", "make a root and an image from Debian's packages", "base_image"
    )
    base_image.add_argument(
        "--suite", metavar="NAME", help="Debian's suite (default: this machine's, or bookworm)"
    )
    base_image.add_argument(
        "--mirror",
        action="append",
        default=[],
        metavar="MIRROR",
        help="a URL, a 'deb …' line or an apt source file; may be repeated "
        "(default: this machine's own sources)",
    )

    doctor = _verb(verbs, "doctor", "say what works on this machine, and how to get the rest")
    doctor.add_argument(
        "--clean",
        action="store_true",
        help="instead, remove what runs that were killed left here (containers, half-built "
        "images, scratch folders) and the images that pae built, which the next run builds again; "
        "nothing that a live pae or a container uses, no base image, nothing of other programs",
    )
    return parser


def _verb(
    verbs: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    summary: str,
    module: str | None = None,
) -> argparse.ArgumentParser:
    parser = verbs.add_parser(
        name, help=summary, description=f"{summary}.", epilog=EPILOG, allow_abbrev=False
    )
    parser.set_defaults(module=module or name, parser=parser)
    parser.add_argument("--json", action="store_true", help="data on stdout, talk on stderr")
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress")
    return parser


def _tasks(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "task", nargs="*", metavar="TASK", help="names or folders of tasks (default: all)"
    )
    settings.add(parser, (options.TASKS,))


def _export(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("format", metavar="FORMAT", help="harbor: task folders that Harbor runs")
    parser.add_argument("folder", type=Path, metavar="DIR", help="a new or empty folder for them")
    parser.add_argument(
        "task", nargs="*", metavar="TASK", help="names or folders of tasks (default: all)"
    )
    settings.add(parser, options.EXPORT_OPTIONS)
    parser.add_argument(
        "--judge",
        default="rules",
        metavar="JUDGE",
        help="rules (default), or MODEL@PROVIDER or MODEL@BASE_URL, which alone gives the "
        "verifier a network",
    )
    parser.add_argument(
        "--base-image",
        metavar="IMAGE",
        help="what the images are built on (default: python:3.12-slim-bookworm)",
    )
    parser.add_argument(
        "--wheels",
        metavar="TARGETS",
        help="the Pythons that the verifier's packages are for, e.g. 3.12-x86_64 (default: "
        "the stock image's; with --base-image all that there are)",
    )


class _Version(argparse.Action):
    """Look the version up only when asked: metadata costs start-up time."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object, **__: object) -> None:
        from importlib.metadata import version

        sys.stdout.write(f"pae {version('portfolio-agent-evals')}\n")
        parser.exit()
