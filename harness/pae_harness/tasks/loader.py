"""From a task folder to a Task, or to the first thing that is wrong with it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pae_harness.errors import TaskError
from pae_harness.tasks.check_record import RECEIPT
from pae_harness.tasks.checking import check_draft
from pae_harness.tasks.digests import text_digest, tree_digest
from pae_harness.tasks.dockerfile import installs_software
from pae_harness.tasks.draft import Draft, read_draft
from pae_harness.tasks.external import is_external
from pae_harness.tasks.model import (
    Digests,
    EnvironmentLimits,
    Expect,
    Input,
    Metadata,
    Output,
    Task,
    Trap,
)
from pae_harness.tasks.source import read_text
from pae_verifiers.errors import VerifierInputError

if TYPE_CHECKING:
    from pae_verifiers.config import Config


def load(folder: Path, *, oracles: Path | None = None) -> Task:
    """The task in ``folder``; its oracle lies in ``oracles/<name>`` or in its own ``solution/``.

    ``oracles`` defaults to the folder of that name beside the task's parent. A folder that is
    Harbor's is an external task. Raises TaskError, the first that ``check`` finds.
    """
    if is_external(folder):
        from pae_harness.harbor.external_load import load_external

        return load_external(folder.absolute())
    draft = read_draft(folder.absolute(), oracles)
    problems = check_draft(draft)
    if problems:
        raise problems[0]
    return _build(draft)


def _build(draft: Draft) -> Task:
    assert draft.task is not None
    value = draft.task.value
    conventions = draft.folder.parent / "CONVENTIONS.md"
    task = Task(
        name=draft.folder.name,
        path=draft.folder,
        version=value["task"]["version"],
        description=value["task"]["description"],
        keywords=tuple(value["task"].get("keywords", ())),
        metadata=_metadata(value["metadata"]),
        agent_timeout_sec=float(value["agent"]["timeout_sec"]),
        verifier_timeout_sec=float(value["verifier"]["timeout_sec"]),
        verifier_env=dict(value["verifier"].get("env", {})),
        environment=_limits(value.get("environment", {})),
        instruction=read_text(draft.folder / "instruction.md"),
        conventions=read_text(conventions) if conventions.is_file() else "",
        verifier=_verifier(draft),
        oracle=draft.oracle,
        traps=_traps(draft),
        digests=Digests("", "", "", "", ""),
        installs_software=installs_software(read_text(draft.environment / "Dockerfile")),
        rubric_kind=draft.rubric_kind,
    )
    return replace(task, digests=_digests(draft, task.instruction_for_agent))


def _metadata(value: dict[str, Any]) -> Metadata:
    return Metadata(
        theme=value["theme"],
        tier=value["tier"],
        reward_type=value["reward_type"],
        status=value["status"],
        traps=tuple(value["traps"]),
        inputs=tuple(Input(**entry) for entry in value["inputs"]),
        outputs=tuple(Output(**entry) for entry in value["outputs"]),
    )


def _limits(value: dict[str, Any]) -> EnvironmentLimits:
    kinds = {"cpus": float, "memory_mb": int, "storage_mb": int, "build_timeout_sec": float}
    given: dict[str, Any] = {key: kind(value[key]) for key, kind in kinds.items() if key in value}
    return EnvironmentLimits(**given, build_network=value.get("build_network_mode") == "public")


def _verifier(draft: Draft) -> Config:
    from pae_verifiers import config

    path = draft.tests / "verifier.yaml"
    try:
        return config.load(read_text(path), path.name)
    except VerifierInputError as error:
        raise TaskError(str(error), path) from error


def _traps(draft: Draft) -> tuple[Trap, ...]:
    if draft.task is None or draft.traps is None:
        return ()
    return tuple(_trap(draft, name) for name in draft.task.value["metadata"]["traps"])


def _trap(draft: Draft, name: str) -> Trap:
    assert draft.traps is not None
    value = draft.traps.value[name]
    return Trap(
        name=name,
        description=value["description"],
        metric=value["metric"],
        min_loss=float(value["min_loss"]),
        expect=Expect(**value["expect"]),
    )


def _digests(draft: Draft, instruction: str) -> Digests:
    return Digests(
        environment=tree_digest(draft.environment),
        tests=tree_digest(draft.tests),
        task=tree_digest(draft.folder, without=frozenset({"solution"})),
        oracle=tree_digest(draft.oracle, without=frozenset({RECEIPT})),
        instruction=text_digest(instruction),
    )
