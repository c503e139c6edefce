"""Every option of the command line, declared once, and where its value came from.

A value comes from the flag, else from ``PAE_<NAME>``, else from ``pae.toml``, else it is the
default.
"""

from __future__ import annotations

import argparse
import math
import os
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pae_harness.errors import UsageError
from pae_harness.judges import CHOICES, PROMPTS
from pae_harness.judges import parse as parse_judge
from pae_harness.nearest import nearest

CONFIG_FILE = "pae.toml"
PRICES = "prices"  # its one table: what a model's tokens cost


@dataclass(frozen=True)
class Option:
    """One option. ``parse`` turns text, from wherever it came, into its value."""

    name: str
    flags: tuple[str, ...]
    help: str
    parse: Callable[[str], Any]
    default: Any = None
    metavar: str | None = None
    choices: tuple[str, ...] = ()

    @property
    def switch(self) -> bool:
        return self.parse is truth


@dataclass(frozen=True)
class Resolved:
    """The values in force, and for each the place it came from: flag, env, file or default.

    ``prices`` is the table of that name in pae.toml, as it stands there.
    """

    values: Mapping[str, Any]
    sources: Mapping[str, str]
    prices: Mapping[str, Any] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Any:
        return self.values[name]


def truth(text: str) -> bool:
    """``1/true/yes/on`` or ``0/false/no/off``."""
    if text.lower() in ("1", "true", "yes", "on"):
        return True
    if text.lower() in ("0", "false", "no", "off", ""):
        return False
    raise ValueError("use true or false")


def _positive(text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        value = 0
    if value < 1:
        raise ValueError("must be a whole number of at least 1")
    return value


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise ValueError("must be a whole number of at least 0")
    return int(text)


def _positive_float(text: str) -> float:
    value = _float(text)
    if not 0 < value < math.inf:
        raise ValueError("must be a finite number above 0")
    return value


def _unit_interval(text: str) -> float:
    value = _float(text)
    if not 0 <= value <= 1:
        raise ValueError("must be a number from 0 to 1")
    return value


def _judge(text: str) -> str:
    try:
        parse_judge(text)
    except UsageError as error:
        raise ValueError(str(error)) from error
    return text


def _float(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


JUDGE = Option(  # of `pae judge`
    "judge",
    ("--judge",),
    "who judges: rules (a rules.py beside the rubric), NAME@PROVIDER, NAME@BASE_URL, "
    "litellm:MODEL, replay:DIR, or model, which the JUDGE_ variables name",
    str,
    None,
    "JUDGE",
)
TASKS = Option("tasks", ("--tasks",), "the folder that holds the task folders", Path, metavar="DIR")
RUN_OPTIONS = (
    Option("seeds", ("-s", "--seeds"), "seeds, e.g. 1-5 or 1,3,7001-7012", str, "1-5", "SEEDS"),
    Option(
        "match",
        ("-k", "--match"),
        "only trials whose TASK/seed-N/SOLUTION matches",
        str,
        None,
        "GLOB",
    ),
    Option(
        "jobs", ("-j", "--jobs"), "trials side by side (default: one a core)", _positive, None, "N"
    ),
    Option(
        "sandbox",
        ("--sandbox",),
        "where boxes run: auto, docker (or Podman) or local",
        str,
        "auto",
        "NAME",
    ),
    Option(
        "judge",
        ("--judge",),
        f"who decides the rubric: {CHOICES} (rules, an embedded stand-in)",
        _judge,
        "rules",
        "JUDGE",
    ),
    Option(
        "judge_prompt",
        ("--judge-prompt",),
        "how a model is asked: hardened, guided (with the reply's schema, for local servers) or "
        "seed (research answers, to the byte)",
        str,
        "hardened",
        "NAME",
        choices=PROMPTS,
    ),
    Option(
        "judge_calls", ("--judge-calls",), "calls to a judge's model per trial", _positive, 100, "N"
    ),
    Option(
        "judge_tokens",
        ("--judge-tokens",),
        "tokens, of prompts and replies, that a trial may use of it (default: any number)",
        _positive,
        None,
        "N",
    ),
    Option(
        "judge_usd",
        ("--judge-usd",),
        "US dollars that a trial may spend on it, by the prices in pae.toml (default: any sum)",
        _positive_float,
        None,
        "X",
    ),
    Option(
        "judge_seconds",
        ("--judge-seconds",),
        "seconds that a trial may wait for it (default: the verifier's time limit)",
        _positive_float,
        None,
        "S",
    ),
    Option(
        "judge_cache",
        ("--judge-cache",),
        "use a model's replies that a verifier accepted before: always, never or auto, which is "
        "only in `pae regrade`",
        str,
        "auto",
        "WHEN",
        choices=("auto", "always", "never"),
    ),
    Option(
        "out", ("-o", "--out"), "the run folder (default: runs/<utc>-<agent>)", Path, None, "DIR"
    ),
    Option("attempts", ("--attempts",), "times that each trial is run", _positive, 1, "N"),
    Option(
        "retries",
        ("--retries",),
        "further tries of a trial that the sandbox, or a model out of reach, failed",
        _count,
        1,
        "N",
    ),
    Option(
        "fail_fast", ("-x", "--fail-fast"), "start no more trials after a failure", truth, False
    ),
    Option(
        "timeout_scale",
        ("--timeout-scale",),
        "multiply every time limit, for slow machines",
        _positive_float,
        1.0,
        "X",
    ),
    Option("keep", ("--keep",), "keep all that a solution left in /app", truth, False),
    Option("dry_run", ("--dry-run",), "list the trials and run none", truth, False),
)
AGENT = Option(
    "agent",
    ("-a", "--agent"),
    "what to run: oracle, nop, trap:NAME or cmd:COMMAND",
    str,
    None,
    "AGENT",
)
AGENT_DIR = Option(
    "agent_dir", ("--agent-dir",), "a folder shown read-only at /agent", Path, None, "DIR"
)
MIN_REWARD = Option(
    "min_reward",
    ("--min-reward",),
    "exit 1 if the mean reward, unscored counted as 0, is below X",
    _unit_interval,
    None,
    "X",
)
PASS_AT = Option(
    "pass_at",
    ("--pass-at",),
    "the reward from which on a trial has passed, for the shares of passed trials",
    _unit_interval,
    1.0,
    "X",
)
ALLOW_CHANGED = Option(
    "allow_changed",
    ("--allow-changed",),
    "go on, or judge outputs, though a task or fixtures have changed since",
    truth,
    False,
)
_OF_REGRADE = ("jobs", "sandbox", "out", "retries", "fail_fast", "timeout_scale", "dry_run")
_BUDGETS = ("judge_calls", "judge_tokens", "judge_usd", "judge_seconds")
REGRADE_OPTIONS = tuple(
    option
    for option in RUN_OPTIONS
    if option.name in _OF_REGRADE or option.name.startswith("judge")
)
# What `pae resume` may have otherwise than the run had: nothing of it changes a trial's result.
RESUME_OPTIONS = tuple(
    option for option in RUN_OPTIONS if option.name in ("jobs", "retries", "dry_run", *_BUDGETS)
)
ALL = (TASKS, *RUN_OPTIONS, AGENT, AGENT_DIR, MIN_REWARD, PASS_AT, ALLOW_CHANGED)
OTHER_VARIABLES = (
    *("CACHE", "SEED_SALT", "JUDGE", "WHEELHOUSE", "BASE_IMAGE", "ROOT"),
    *("REQUIRE_DOCKER", "TEST_PODMAN"),  # the tests'
)
EXPORT_OPTIONS = tuple(option for option in ALL if option.name in ("tasks", "seeds", "sandbox"))


def check_environment(environ: Mapping[str, str]) -> None:
    """Raises UsageError for a variable PAE_X that is nearly, but not quite, one that is known."""
    known = [option.name.upper() for option in ALL] + list(OTHER_VARIABLES)
    for variable in sorted(environ):
        name = variable.removeprefix("PAE_")
        if name == variable or name in known:
            continue
        if (near := nearest(name, known)) is not None:
            raise UsageError(f"{variable} is not known; did you mean PAE_{near}?")


def add(parser: argparse.ArgumentParser, options: Sequence[Option]) -> None:
    """Declare ``options`` on ``parser``; values stay text until :func:`resolve`."""
    for option in options:
        if option.switch:
            parser.add_argument(
                *option.flags,
                dest=option.name,
                action="store_const",
                const="true",
                help=option.help,
            )
        else:
            parser.add_argument(
                *option.flags, dest=option.name, metavar=option.metavar, help=option.help
            )


def resolve(
    options: Sequence[Option],
    args: argparse.Namespace,
    environ: Mapping[str, str] = os.environ,
    config: Mapping[str, Any] | None = None,
) -> Resolved:
    """The values of ``options``. Raises UsageError, naming the place, for a value of no use."""
    values: dict[str, Any] = {}
    sources: dict[str, str] = {}
    for option in options:
        text, place, source = _find(option, args, environ, config or {})
        sources[option.name] = source
        values[option.name] = option.default if text is None else _parse(option, text, place)
    return Resolved(values, sources, (config or {}).get(PRICES, {}))


def _find(
    option: Option, args: argparse.Namespace, environ: Mapping[str, str], config: Mapping[str, Any]
) -> tuple[str | None, str, str]:
    variable = f"PAE_{option.name.upper()}"
    if (flag := getattr(args, option.name, None)) is not None:
        return str(flag), option.flags[-1], "flag"
    if variable in environ:
        return environ[variable], variable, "env"
    if option.name in config:
        return str(config[option.name]), f"{CONFIG_FILE}: {option.name}", "file"
    return None, "", "default"


def _parse(option: Option, text: str, place: str) -> Any:
    if option.choices and text not in option.choices:
        near = nearest(text, option.choices)
        hint = f"did you mean {near!r}?" if near else f"use {' or '.join(option.choices)}"
        raise UsageError(f"{place}: {text!r} is not known here; {hint}")
    try:
        return option.parse(text)
    except ValueError as error:
        raise UsageError(f"{place}: {text!r} is of no use: {error}") from error


def read_config(start: Path) -> dict[str, Any]:
    """What the nearest ``pae.toml`` at or above ``start`` says, or nothing.

    Raises UsageError for a file that is not TOML or has a key that no option has.
    """
    for folder in (start, *start.parents):
        path = folder / CONFIG_FILE
        if path.is_file():
            return _read_config_file(path)
    return {}


def _read_config_file(path: Path) -> dict[str, Any]:
    try:
        config = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: not TOML: {error}") from error
    names = [*(option.name for option in ALL), PRICES]
    for key in config:
        if key == PRICES and not isinstance(config[key], dict):
            raise UsageError(f"{path}: [{PRICES}] is a table of models")
        if key not in names:
            near = nearest(key, names)
            hint = f"; did you mean {near!r}?" if near else f"; known: {', '.join(names)}"
            raise UsageError(f"{path}: unknown key {key!r}{hint}")
    for key in ("tasks", "agent_dir", "out"):
        if key in config:
            config[key] = str(path.parent / str(config[key]))
    return config
