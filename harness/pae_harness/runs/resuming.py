"""A run that ended early, from its folder: the same session again, and what is finished of it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pae_schemas
from pae_harness.errors import UsageError
from pae_harness.fixtures import SALT
from pae_harness.result import TrialResult
from pae_harness.runs.describe import describe_agent
from pae_harness.runs.folder import RunFolder, write_described
from pae_harness.runs.plan import parse_seeds, plan
from pae_harness.runs.read import missing, read_described, read_kept, read_log
from pae_harness.runs.session import Session, judging_for, model_for, select_tasks
from pae_harness.sandbox.protocol import Sandbox
from pae_harness.settings import Option, Resolved
from pae_harness.solutions import Solution, parse
from pae_harness.tasks import Task
from pae_harness.tasks.digests import text_digest

_ANYWAY = "--allow-changed goes on all the same, and run.json will say so"


def read_run(path: Path) -> dict[str, Any]:
    """run.json of the run folder ``path``. Raises UsageError where it lacks what a run needs."""
    from jsonschema import Draft202012Validator

    described = read_described(path)
    validator = Draft202012Validator(pae_schemas.load("run"))
    if (problem := next(validator.iter_errors(described), None)) is not None:
        raise UsageError(f"{path}/run.json cannot be gone on with: {problem.message}")
    return described


def saved_settings(
    described: Mapping[str, Any], options: Sequence[Option], flags: Resolved
) -> Resolved:
    """The settings that run.json holds of ``options``, and before them what ``flags`` say.

    Raises UsageError for a saved value of no use.
    """
    saved, values = described.get("config", {}), {}
    for option in options:
        text = saved.get(option.name, option.default)
        try:
            values[option.name] = None if text is None else option.parse(str(text))
        except ValueError as error:
            raise UsageError(f"run.json: {option.name}: {text!r} is of no use: {error}") from error
    given = {name: value for name, value in flags.values.items() if flags.sources[name] == "flag"}
    models = (described.get("judge", {}), described.get("agent", {}).get("model", {}))
    prices = {told["model"]: told["price"] for told in models if "price" in told}
    return Resolved({**values, **given}, {**dict.fromkeys(values, "file"), **flags.sources}, prices)


def session_of(described: Mapping[str, Any], settings: Resolved, tasks: Path | None) -> Session:
    """The run's session again; its tasks lie where they did, or in the folder ``tasks``.

    Raises UsageError where run.json is not of a run of an agent, or its trials are others.
    """
    solution = _solution(described, settings)
    names, folders = described.get("digests", {}).get("tasks", {}), described.get("folders", {})
    found = select_tasks([name if tasks else folders.get(name, name) for name in names], tasks)
    trials = plan(
        found,
        parse_seeds(settings["seeds"]),
        lambda task: [solution],
        attempts=settings["attempts"],
        match=settings["match"],
    )
    if [trial.path for trial in trials] != described.get("trials"):
        raise UsageError("run.json: its trials are not those that its own settings come to")
    return Session(found, trials, settings, judging_for(found, settings), model_for(settings))


def _solution(described: Mapping[str, Any], settings: Resolved) -> Solution:
    made_by = described.get("made_by", "pae run")
    if made_by != "pae run" or not settings["agent"]:
        raise UsageError(
            f"`pae resume` goes on with what `pae run` began; this was {made_by}: run it again"
        )
    return parse(settings["agent"], settings["agent_dir"])


def require_the_same(described: Mapping[str, Any], session: Session) -> None:
    """Raises UsageError for a task, an agent's folder or a salt other than the run began with."""
    changed = _changed_tasks(described, session.tasks)
    if changed:
        raise UsageError(f"the task {changed[0]} has changed since the run began; {_ANYWAY}")
    if describe_agent(session.trials, session.agents) != described.get("agent", {}):
        raise UsageError(f"the agent has changed since the run began; {_ANYWAY}")
    salt = os.environ.get(SALT, "")
    if (text_digest(salt) if salt else None) != described.get("salt"):
        raise UsageError(f"{SALT} is not what it was when the run began; {_ANYWAY}")


def require_the_same_verifier(described: Mapping[str, Any], sandbox: Sandbox) -> None:
    """Raises UsageError for a verifier other than the run began with."""
    if sandbox.verifier_digest != described["digests"].get("verifier"):
        raise UsageError(f"the verifier is another than the run began with; {_ANYWAY}")


def recover(folder: RunFolder, session: Session) -> dict[str, TrialResult]:
    """The run's finished trials by their paths.

    One that is in its place but not in trials.jsonl, where a crash came in between, is put there.
    """
    done = dict(read_log(folder.path).results)
    for path in missing([trial.path for trial in session.trials], done):
        kept = read_kept(folder.path / path)
        if kept is not None and kept.outcome != "unscored" and kept.key.path == path:
            folder.record(kept)
            done[path] = kept
    return done


def note(
    folder: RunFolder,
    described: Mapping[str, Any],
    session: Session,
    sandbox: Sandbox,
    flags: Resolved,
) -> None:
    """Write into run.json that the run goes on now, and with what that is not as it began."""
    changes: dict[str, Any] = {
        name: value for name, value in flags.values.items() if flags.sources[name] == "flag"
    }
    agent = describe_agent(session.trials, session.agents)
    found = {
        "options": {k: str(v) if isinstance(v, Path) else v for k, v in changes.items()},
        "tasks": {
            task.name: task.digests.task
            for task in session.tasks
            if task.name in _changed_tasks(described, session.tasks)
        },
        "verifier": sandbox.verifier_digest
        if sandbox.verifier_digest != described["digests"].get("verifier")
        else "",
        "agent": agent if agent != described.get("agent", {}) else {},
    }
    now = {"at": datetime.now(UTC).isoformat(timespec="seconds")}
    entry = {**now, **{name: value for name, value in found.items() if value}}
    resumed = [*described.get("resumed", []), entry]
    try:
        write_described(folder.path, {**described, "resumed": resumed})
    except OSError as error:
        why = error.strerror or error
        raise UsageError(
            f"cannot write {folder.path}/run.json: {why}; free some space, or make it one that "
            "can be written"
        ) from error


def _changed_tasks(described: Mapping[str, Any], tasks: Sequence[Task]) -> list[str]:
    had = described.get("digests", {}).get("tasks", {})
    return [task.name for task in tasks if had.get(task.name) != task.digests.task]
