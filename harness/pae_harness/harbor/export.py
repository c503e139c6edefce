"""One task on one seed as a self-contained task folder of Harbor's, the same bytes every time."""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pae_harness.errors import UsageError
from pae_harness.harbor import export_images
from pae_harness.harbor.export_manifest import exported_name, manifest
from pae_harness.harbor.export_wheels import write_verifier
from pae_harness.tasks import Task
from pae_harness.tasks.check_record import RECEIPT
from pae_harness.tasks.digests import tree_files
from pae_harness.verifier_lock import Target, image_file

if TYPE_CHECKING:
    from pae_verifiers.judge.models import Model

_NOT_THE_SOLUTION = frozenset({"traps", "traps.toml", RECEIPT})


@dataclass(frozen=True)
class Terms:
    """What holds for every task of an export; ``model`` None is the rules judge."""

    base_image: str
    targets: Sequence[Target]
    model: Model | None = None


def claim(folder: Path) -> None:
    """Make ``folder``, for an export alone. Raises UsageError where it holds something."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} already holds something; give a new or an empty folder")
    folder.mkdir(parents=True, exist_ok=True)


def export_task(task: Task, seed: int, tree: Path, into: Path, terms: Terms) -> Path:
    """Write ``task`` with the fixtures ``tree`` of ``seed`` below ``into``; its folder.

    It appears by one rename. Raises SandboxUnavailableError where the verifier's wheels cannot be
    had, and OSError where the disk refuses.
    """
    final = into / exported_name(task.name, seed)
    draft = into / f".{final.name}"
    try:
        draft.mkdir()
        _record(task, seed, draft, terms)
        _environment(task, tree, draft / "environment", terms)
        _copy(task.oracle, draft / "solution", without=_NOT_THE_SOLUTION)
        _tests(task, tree, draft / "tests", terms)
        for path in draft.rglob("*"):
            path.chmod(0o755 if path.is_dir() or path.suffix == ".sh" else 0o644)
        draft.chmod(0o755)
        draft.rename(final)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return final


def _record(task: Task, seed: int, folder: Path, terms: Terms) -> None:
    import tomli_w

    original = tomllib.loads((task.path / "task.toml").read_text(encoding="utf-8"))
    text = tomli_w.dumps(manifest(original, seed, terms.model))
    (folder / "task.toml").write_text(text, encoding="utf-8")
    (folder / "instruction.md").write_text(task.instruction_for_agent, encoding="utf-8")


def _environment(task: Task, tree: Path, folder: Path, terms: Terms) -> None:
    """The agent's image: the task's own, with the seeded fixtures and the instruction."""
    source = task.path / "environment"
    generated = (source / "generate.py").is_file()
    for path in tree_files(source, without=frozenset({"fixtures", "Dockerfile", ".dockerignore"})):
        name = path.relative_to(source)
        if not (generated and len(name.parts) == 1 and name.suffix == ".py"):
            _copy_file(path, folder / name)
    shutil.copytree(tree, folder / "fixtures")
    app = folder / "fixtures" / "app"
    app.mkdir(exist_ok=True)
    (app / "instruction.md").write_text(task.instruction_for_agent, encoding="utf-8")
    text = (source / "Dockerfile").read_text(encoding="utf-8")
    text = export_images.agent_dockerfile(text, terms.base_image, task.outputs)
    (folder / "Dockerfile").write_text(text, encoding="utf-8")
    overlay = export_images.compose(network=False, build_network=task.environment.build_network)
    (folder / "docker-compose.yaml").write_text(overlay, encoding="utf-8")


def _tests(task: Task, tree: Path, folder: Path, terms: Terms) -> None:
    """The verifier's image: the verifier, the task's tests, and fixtures that no agent touched."""
    source = task.path / "tests"
    _copy(source, folder / "task", without=frozenset({"test.sh"}))
    _copy_file(source / "test.sh", folder / "test.sh")
    shutil.copytree(tree, folder / "fixtures")
    write_verifier(folder / "verifier", terms.targets)
    script = folder / "verifier" / export_images.CHOOSE
    script.write_text(export_images.CHOOSE_SCRIPT, encoding="utf-8")
    text = image_file("Dockerfile").read_text(encoding="utf-8")
    text = export_images.verifier_dockerfile(text, terms.base_image, task.outputs)
    (folder / "Dockerfile").write_text(text, encoding="utf-8")
    overlay = export_images.compose(network=terms.model is not None, build_network=False)
    (folder / "docker-compose.yaml").write_text(overlay, encoding="utf-8")


def _copy(source: Path, target: Path, *, without: frozenset[str]) -> None:
    target.mkdir(parents=True)
    for path in tree_files(source):
        name = path.relative_to(source)
        if name.parts[0] not in without:
            _copy_file(path, target / name)


def _copy_file(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
