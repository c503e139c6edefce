"""The parser of the whole command line: verbs, their arguments and options."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn, TypeAlias

from pae_harness import options, settings
from pae_harness.judges import PROMPTS
from pae_harness.nearest import nearest

EPILOG = (
    "exit codes: 0 done; 1 a negative verdict; 2 usage or bad input; 3 some trial is unscored; "
    "5 nothing selected; 70 a bug in this program; 130 interrupted"
)
Verbs: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


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
    _runs(verbs)
    _tasks(_verb(verbs, "check", "find what is wrong in task folders, without running anything"))
    settings.add(_verb(verbs, "list", "list the suite's tasks", "list_tasks"), (options.TASKS,))

    _verb(verbs, "demo", "show a right memo and a wrong one, what each earns and why")
    _documents(verbs)
    _judge(_verb(verbs, "judge", "put a rubric to any document"))
    _export(_verb(verbs, "export", "write tasks for another harness"))
    _machine(verbs)
    return parser


def _runs(verbs: Verbs) -> None:
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


def _documents(verbs: Verbs) -> None:
    tie = _verb(verbs, "tie", "tie every number of a document to its data")
    tie.add_argument("memo", metavar="MEMO", help="a Markdown or text file, or - for stdin")
    tie.add_argument("results", type=Path, metavar="RESULTS", help="the JSON file with the facts")
    tie.add_argument("--facts", type=Path, metavar="YAML", help="units, aliases, required groups")

    scan = _verb(verbs, "scan", "list the numbers in a text")
    scan.add_argument("file", metavar="FILE", help="a Markdown or text file, or - for stdin")


def _judge(judge: argparse.ArgumentParser) -> None:
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


def _machine(verbs: Verbs) -> None:
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


def _verb(
    verbs: Verbs,
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
