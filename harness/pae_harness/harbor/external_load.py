"""From a Harbor task's folder to a HarborTask, or to the first reason why it cannot be run here."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from pae_harness.agent_phase import SYSTEM_FOLDERS
from pae_harness.errors import TaskError
from pae_harness.harbor.external_env import settle
from pae_harness.harbor.external_model import HarborTask, Healthcheck, Terms
from pae_harness.harbor.external_model import Source as Made
from pae_harness.sandbox.protocol import Limits
from pae_harness.tasks.check_record import RECEIPT
from pae_harness.tasks.digests import text_digest, tree_digest, tree_files
from pae_harness.tasks.dockerfile import installs_software, instructions
from pae_harness.tasks.model import Digests, EnvironmentLimits, Metadata, Output
from pae_harness.tasks.schema_errors import schema_errors
from pae_harness.tasks.source import Source, read_text, read_toml, read_yaml

AGENT_SECONDS, VERIFIER_SECONDS = 3600.0, 600.0
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
# What a box has of its own, and what it is shown.
_CLOSED = SYSTEM_FOLDERS | {"box", "harbor", "pae"}


def problems(folder: Path) -> list[TaskError]:
    """Why the Harbor task in ``folder`` cannot be run here; empty if it can."""
    try:
        record = read_toml(folder / "task.toml")
        found = [*schema_errors(record, "harbor"), *_files(folder, record.value)]
        if not found:
            _build(folder, record)
    except TaskError as error:
        return [error]
    return sorted(found, key=lambda error: (str(error.path), error.line or 0))


def load_external(folder: Path) -> HarborTask:
    """The task in ``folder``. Raises TaskError, the first of :func:`problems`."""
    if found := problems(folder):
        raise found[0]
    return _build(folder, read_toml(folder / "task.toml"))


def _files(folder: Path, value: Mapping[str, Any]) -> Iterator[TaskError]:
    """What is missing, special or of several containers."""
    if not _NAME.fullmatch(folder.name):
        yield TaskError("the folder's name must be letters, digits, '.', '_' and '-'", folder)
    if not (folder / "instruction.md").is_file():
        yield TaskError("is missing", folder / "instruction.md")
    if not (folder / "tests" / "test.sh").is_file() and not _bundled(folder, value):
        yield TaskError("is missing", folder / "tests" / "test.sh")
    environment = value.get("environment", {})
    if not environment.get("docker_image") and not (folder / "environment/Dockerfile").is_file():
        yield TaskError(
            "is missing, and there is no docker_image", folder / "environment/Dockerfile"
        )
    if (folder / "trajectory.json").exists():
        yield TaskError("an agent here starts without a past", folder / "trajectory.json")
    for name in ("environment", "tests", "solution"):
        if (folder / name).is_dir():
            try:
                list(tree_files(folder / name))
            except TaskError as error:
                yield error
        yield from _compose(folder / name / "docker-compose.yaml")
        dockerfile = folder / name / "Dockerfile"
        if dockerfile.is_file():
            for line, word, _ in instructions(read_text(dockerfile)):
                if word == "VOLUME":
                    why = "VOLUME makes a folder that can be written without a limit"
                    yield TaskError(f"{why}: leave it out", dockerfile, line)


def _compose(path: Path) -> Iterator[TaskError]:
    """A Compose file may say what holds for every box here, and nothing else."""
    if not path.is_file():
        return
    source = read_yaml(path)
    main = source.value.get("services", {}).get("main")
    harmless = (
        set(source.value) == {"services"}
        and set(source.value["services"]) == {"main"}
        and isinstance(main, Mapping)
        and set(main) <= {"init", "network_mode", "build"}
        and main.get("network_mode", "none") == "none"
        and isinstance(main.get("build", {}), Mapping)
        and set(main.get("build", {})) <= {"network"}
    )
    if not harmless:
        yield TaskError(
            "a task here is one container without services: only init, network_mode: none and "
            "build.network of the service main are accepted",
            path,
        )


def _bundled(folder: Path, value: Mapping[str, Any]) -> bool:
    """Whether the verifier's image brings its tests."""
    verifier = value.get("verifier", {})
    if not _separate(verifier):
        return False
    own = (folder / "tests" / "Dockerfile").is_file()
    return own or bool(verifier.get("environment", {}).get("docker_image"))


def _separate(verifier: Mapping[str, Any]) -> bool:
    mode = verifier.get("environment_mode")
    return bool(mode == "separate" or (mode is None and "environment" in verifier))


def _build(folder: Path, record: Source) -> HarborTask:
    from pae_verifiers.config import Config, Metric

    value = record.value
    task, agent = value.get("task", {}), value.get("agent", {})
    verifier, environment = value.get("verifier", {}), value.get("environment", {})
    terms = _terms(folder, record)
    instruction = read_text(folder / "instruction.md")
    return HarborTask(
        name=folder.name,
        path=folder,
        version=task.get("version", ""),
        description=task.get("description", ""),
        keywords=tuple(task.get("keywords", ())),
        metadata=_metadata(terms),
        agent_timeout_sec=float(agent.get("timeout_sec", AGENT_SECONDS)),
        verifier_timeout_sec=float(verifier.get("timeout_sec", VERIFIER_SECONDS)),
        verifier_env=dict(terms.verifier_environment),
        environment=_limits(environment),
        instruction=instruction,
        conventions="",
        verifier=Config(document="", metrics=(Metric("reward", "numbers", 1.0),)),
        oracle=folder / "solution",
        traps=(),
        digests=_digests(folder, instruction),
        installs_software=terms.agent.installs or bool(terms.verifier and terms.verifier.installs),
        harbor=terms,
    )


def _terms(folder: Path, record: Source) -> Terms:
    value = record.value
    environment = value.get("environment", {})
    verifier = value.get("verifier", {})
    own = verifier.get("environment", environment)
    bundled = _bundled(folder, value)
    health = environment.get("healthcheck")
    return Terms(
        agent=_made(folder / "environment", environment),
        agent_limits=_box_limits(environment),
        verifier=_made(folder / "tests", own, bundled=True) if bundled else None,
        verifier_limits=_box_limits(own),
        shared=not _separate(verifier),
        bundled=bundled,
        artifacts=_artifacts(record),
        environment=_settled(record, "environment"),
        verifier_environment={
            **(_settled(record, "verifier", "environment") if "environment" in verifier else {}),
            **_settled(record, "verifier"),
        },
        solution_environment=_settled(record, "solution"),
        healthcheck=None if health is None else _healthcheck(health),
    )


def _made(folder: Path, environment: Mapping[str, Any], *, bundled: bool = False) -> Made:
    """The image of ``folder``'s Dockerfile. An image by name counts where there is none, but for an
    agent's, where it comes first."""
    dockerfile = folder / "Dockerfile"
    image = environment.get("docker_image", "")
    timeout = float(environment.get("build_timeout_sec", 600.0))
    wanted = environment.get("workdir")
    if wanted is not None:
        wanted = str(PurePosixPath(wanted))
    if image and not (bundled and dockerfile.is_file()):
        return Made(None, image, wanted, timeout)
    text = read_text(dockerfile)
    installs = installs_software(text)
    workdir = wanted if installs or wanted else _workdir(text)
    return Made(folder, "", workdir, timeout, installs)


def _workdir(text: str) -> str:
    """Where a Dockerfile that installs nothing ends up."""
    place = PurePosixPath("/")
    for _, word, rest in instructions(text):
        if word == "WORKDIR":
            place /= rest.strip("\"'")
    return str(place)


def _artifacts(record: Source) -> tuple[str, ...]:
    found = []
    for index, entry in enumerate(record.value.get("artifacts", ())):
        path = PurePosixPath(entry if isinstance(entry, str) else entry["source"])
        if path.is_absolute() and (len(path.parts) < 3 or path.parts[1] in _CLOSED):
            raise record.error(
                f"the artifact {path} lies where no box here can be written; use a folder such as "
                "/app",
                "artifacts",
                index,
            )
        found.append(str(path))
    return tuple(found)


def writable(workdir: str, artifacts: tuple[str, ...]) -> tuple[str, ...]:
    """The top folders that a box must be able to write, besides those that every box has.

    Raises TaskError for a working folder that no box can write.
    """
    tops = {PurePosixPath("/app").parts[1]}
    for path in (workdir, *(str(PurePosixPath(workdir) / artifact) for artifact in artifacts)):
        parts = PurePosixPath(path).parts
        if len(parts) < 2 or parts[1] in _CLOSED:
            raise TaskError(
                f"the task works in {path}, which no box here can write: set [environment] workdir "
                "to a folder such as /app"
            )
        if parts[1] not in ("logs", "tmp"):
            tops.add(parts[1])
    return tuple(f"/{top}" for top in sorted(tops))


def _settled(record: Source, *table: str) -> dict[str, str]:
    value: Any = record.value
    for key in table:
        value = value.get(key, {})
    try:
        return settle(value.get("env", {}), os.environ)
    except ValueError as error:
        raise record.error(f"[{'.'.join(table)}.env]: {error}", *table, "env") from error


def _healthcheck(value: Mapping[str, Any]) -> Healthcheck:
    names = ("interval", "timeout", "start_period", "start_interval")
    times = {name: float(value[f"{name}_sec"]) for name in names if f"{name}_sec" in value}
    return Healthcheck(value["command"], value.get("retries", 3), **times)


def _limits(value: Mapping[str, Any]) -> EnvironmentLimits:
    limits = _box_limits(value)
    timeout = float(value.get("build_timeout_sec", 600.0))
    return EnvironmentLimits(limits.cpus, limits.memory_mb, limits.storage_mb, timeout, True)


def _box_limits(value: Mapping[str, Any]) -> Limits:
    return Limits(
        cpus=float(value.get("cpus") or 1),
        memory_mb=value.get("memory_mb") or _megabytes(value.get("memory"), 2048),
        storage_mb=value.get("storage_mb") or _megabytes(value.get("storage"), 1024),
    )


def _megabytes(size: str | None, default: int) -> int:
    """``2G`` as 2048, as Harbor's older files have it."""
    if size is None:
        return default
    factor = {"G": 1024.0, "M": 1.0, "K": 1 / 1024}[size[-1].upper()]
    return max(1, int(float(size[:-1]) * factor))


def _metadata(terms: Terms) -> Metadata:
    outputs = tuple(Output(path, "artifact") for path in terms.artifacts)
    return Metadata("Harbor", 1, "harbor", "draft", (), (), outputs)


def _digests(folder: Path, instruction: str) -> Digests:
    return Digests(
        environment=tree_digest(folder / "environment"),
        tests=tree_digest(folder / "tests"),
        task=tree_digest(folder, without=frozenset({"solution"})),
        oracle=tree_digest(folder / "solution", without=frozenset({RECEIPT})),
        instruction=text_digest(instruction),
    )
