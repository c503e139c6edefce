"""What run.json holds: what a run was asked to do, resolved, and what it was made with."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pae_harness.agents.model import AgentModel
from pae_harness.errors import UsageError
from pae_harness.fixtures import SALT
from pae_harness.runs.plan import PlannedTrial
from pae_harness.runs.tables import NO_JUDGE
from pae_harness.sandbox.protocol import Sandbox
from pae_harness.solutions import MINI, folder_digest
from pae_harness.tasks.digests import text_digest

if TYPE_CHECKING:
    from pae_harness.runs.session import Session


def describe(session: Session, sandbox: Sandbox, label: str, verb: str = "run") -> dict[str, Any]:
    """What run.json holds: the resolved configuration, versions and digests."""
    settings = session.settings
    # A regrade carries what the old run says: the class need not be on this machine.
    agent = {} if verb == "regrade" else describe_agent(session.trials, session.agents)
    salt = os.environ.get(SALT, "")
    return {
        "label": label,
        "made_by": f"pae {verb}",
        "config": {key: _plain(value) for key, value in settings.values.items()},
        "config_sources": dict(settings.sources),
        "sandbox": sandbox.name,
        "boxes_by": sandbox.maker,
        "judge": describe_judge(session),
        "agent": agent,
        "salted": bool(salt),
        **({"salt": text_digest(salt)} if salt else {}),
        "versions": {"portfolio-agent-evals": version("portfolio-agent-evals")},
        "digests": {
            "verifier": sandbox.verifier_digest,
            "tasks": {task.name: task.digests.task for task in session.tasks},
        },
        "folders": {task.name: str(task.path) for task in session.tasks},
        "trials": [trial.path for trial in session.trials],
    }


def describe_judge(session: Session) -> dict[str, Any]:
    """The judge: its name, whether it is a stand-in, and for a model which, where and its price."""
    if session.judge == NO_JUDGE:
        return {"name": NO_JUDGE, "stand_in": False}
    return session.judging.describe()


def describe_agent(trials: Sequence[PlannedTrial], agents: AgentModel) -> dict[str, Any]:
    """What ran: the command or the class, digests of both and its model; nothing for an oracle."""
    told: dict[str, Any] = {}
    solution = trials[0].solution  # a run has one agent
    if solution.name == "cmd":
        told = {"command": solution.spec.removeprefix("cmd:")}
    elif solution.hosted is not None:
        told = {"class": solution.hosted, **solution.describe_class()}
    if solution.agent_dir is not None:
        told["folder"] = folder_digest(solution.agent_dir)
    return {**told, **({"model": agents.describe()} if agents.model else {})}


def check_agent(trials: Sequence[PlannedTrial], agents: AgentModel) -> None:
    """Raises UsageError for an agent whose class cannot be loaded, or that lacks its model."""
    solution = trials[0].solution
    if solution.spec == MINI and agents.model is None:
        raise UsageError(f"agent {MINI!r} needs a model: give one with --model NAME@PROVIDER")
    solution.describe_class()


def _plain(value: Any) -> Any:
    return str(value.absolute()) if isinstance(value, Path) else value
