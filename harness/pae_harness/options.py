"""Every option of the command line, declared once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pae_harness.agents.naming import parse as parse_model
from pae_harness.errors import UsageError
from pae_harness.judges import CHOICES, PROMPTS
from pae_harness.judges import parse as parse_judge
from pae_harness.settings import Option, count, positive, positive_float, truth, unit_interval


def _judge(text: str) -> str:
    return _checked(parse_judge, text)


def _model(text: str) -> str:
    return _checked(parse_model, text)


def _checked(parse: Callable[[str], object], text: str) -> str:
    try:
        parse(text)
    except UsageError as error:
        raise ValueError(str(error)) from error
    return text


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
        "jobs", ("-j", "--jobs"), "trials side by side (default: one a core)", positive, None, "N"
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
        "judge_calls", ("--judge-calls",), "calls to a judge's model per trial", positive, 100, "N"
    ),
    Option(
        "judge_tokens",
        ("--judge-tokens",),
        "tokens, of prompts and replies, that a trial may use of it (default: any number)",
        positive,
        None,
        "N",
    ),
    Option(
        "judge_usd",
        ("--judge-usd",),
        "US dollars that a trial may spend on it, by the prices in pae.toml (default: any sum)",
        positive_float,
        None,
        "X",
    ),
    Option(
        "judge_seconds",
        ("--judge-seconds",),
        "seconds that a trial may wait for it (default: the verifier's time limit)",
        positive_float,
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
    Option("attempts", ("--attempts",), "times that each trial is run", positive, 1, "N"),
    Option(
        "retries",
        ("--retries",),
        "further tries of a trial that the sandbox, or a model out of reach, failed",
        count,
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
        positive_float,
        1.0,
        "X",
    ),
    Option("keep", ("--keep",), "keep all that a solution left in /app", truth, False),
    Option("dry_run", ("--dry-run",), "list the trials and run none", truth, False),
)
AGENT = Option(
    "agent",
    ("-a", "--agent"),
    "what to run: oracle, nop, trap:NAME, cmd:COMMAND in the box, or beside it MODULE:CLASS or "
    "mini-swe-agent",
    str,
    None,
    "AGENT",
)
AGENT_DIR = Option(
    "agent_dir", ("--agent-dir",), "a folder shown read-only at /agent", Path, None, "DIR"
)
MODEL = Option(
    "model",
    ("-m", "--model"),
    "the model that the agent may ask, from its offline box: NAME@PROVIDER or NAME@BASE_URL",
    _model,
    None,
    "MODEL",
)
AGENT_BUDGET = (
    Option(
        "agent_calls",
        ("--agent-calls",),
        "calls that an agent may make to its model per trial",
        positive,
        1000,
        "N",
    ),
    Option(
        "agent_tokens",
        ("--agent-tokens",),
        "tokens, of prompts and replies, that it may use per trial (default: any number)",
        positive,
        None,
        "N",
    ),
    Option(
        "agent_usd",
        ("--agent-usd",),
        "US dollars that it may spend per trial, by the prices in pae.toml (default: any sum)",
        positive_float,
        None,
        "X",
    ),
)
STRICT_FAMILY = Option(
    "strict_family",
    ("--strict-family",),
    "refuse a judge of the same family as the agent's model, instead of warning",
    truth,
    False,
)
MIN_REWARD = Option(
    "min_reward",
    ("--min-reward",),
    "exit 1 if the mean reward, unscored counted as 0, is below X",
    unit_interval,
    None,
    "X",
)
PASS_AT = Option(
    "pass_at",
    ("--pass-at",),
    "the reward from which on a trial has passed, for the shares of passed trials",
    unit_interval,
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
AGENT_OPTIONS = (AGENT, AGENT_DIR, MODEL, *AGENT_BUDGET, STRICT_FAMILY)
ALL = (TASKS, *RUN_OPTIONS, *AGENT_OPTIONS, MIN_REWARD, PASS_AT, ALLOW_CHANGED)
OTHER_VARIABLES = (
    *("CACHE", "SEED_SALT", "JUDGE", "WHEELHOUSE", "BASE_IMAGE", "ROOT"),
    *("REQUIRE_DOCKER", "TEST_PODMAN"),  # the tests'
)
EXPORT_OPTIONS = tuple(option for option in ALL if option.name in ("tasks", "seeds", "sandbox"))
