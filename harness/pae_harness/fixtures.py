"""Seeded fixtures: a task's generator, run once per seed in a box of its own, and cached."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from pathlib import Path

from pae_harness.cache import cached_folder
from pae_harness.errors import TaskError
from pae_harness.sandbox.protocol import BoxSpec, ExecResult, Limits, Mount, OutputLimits, Sandbox
from pae_harness.scratch import scratch_prefix
from pae_harness.tasks import Task
from pae_harness.tasks.digests import text_digest, tree_digest

SALT = "PAE_SEED_SALT"
GENERATOR_SECONDS = 120.0
GENERATOR_LIMITS = Limits(cpus=1, memory_mb=1024, pids=64, storage_mb=512)


def fixtures(environment: Path, seed: int, sandbox: Sandbox) -> Path:
    """The fixture tree of ``(environment, seed)``, rooted at the folder returned.

    It holds the static files of ``environment/fixtures`` and what ``generate.py`` adds. Cached by
    the environment's content, the seed and the secret salt. Raises TaskError where the generator
    fails and SandboxError where the box does.
    """
    salt = os.environ.get(SALT, "")
    key = text_digest(f"{tree_digest(environment)}\0{seed}\0{salt}")[:40]
    return cached_folder(
        "fixtures", key, lambda folder: generate(environment, seed, sandbox, folder)
    )


def require_inputs(task: Task, tree: Path, seed: int) -> None:
    """Raises TaskError where ``tree`` lacks an input that the task declares, or has broken JSON.

    Found before an agent starts: it could only fail, for a reason that is not its own.
    """
    generator = task.path / "environment" / "generate.py"
    for declared in task.metadata.inputs:
        path = tree / declared.path.lstrip("/")
        if not path.exists():
            raise TaskError(f"did not write the input {declared.path} for seed {seed}", generator)
        if path.suffix == ".json":
            try:
                json.loads(path.read_bytes())
            except (ValueError, RecursionError) as error:
                raise TaskError(
                    f"wrote an input {declared.path} for seed {seed} that is not JSON: {error}",
                    generator,
                ) from error


def generate(environment: Path, seed: int, sandbox: Sandbox, folder: Path) -> None:
    """Write the fixture tree of ``(environment, seed)`` into the empty ``folder``, uncached."""
    static = environment / "fixtures"
    if static.is_dir():
        shutil.copytree(static, folder, dirs_exist_ok=True)
    if (environment / "generate.py").is_file():
        with tempfile.TemporaryDirectory(prefix=scratch_prefix("generate")) as scratch:
            made = Path(scratch) / "tree"
            _run_generator(environment, seed, sandbox, made)
            shutil.copytree(made, folder, dirs_exist_ok=True)
    for path in folder.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)


def _run_generator(environment: Path, seed: int, sandbox: Sandbox, into: Path) -> None:
    spec = BoxSpec(
        limits=GENERATOR_LIMITS,
        writable=("/out", "/tmp"),
        mounts=(Mount(environment, "/gen"),),
        env={SALT: os.environ[SALT]} if os.environ.get(SALT) else {},
    )
    command = ["python3", "-I", "/gen/generate.py", "--seed", str(seed), "--out", "/out"]
    with sandbox.start(spec) as box:
        result = box.exec(command, timeout=GENERATOR_SECONDS)
        box.kill()
        if result.exit_code != 0:
            raise TaskError(_why(result, seed), environment / "generate.py")
        if not box.get("/out", into, OutputLimits()):
            raise TaskError(f"wrote nothing for seed {seed}", environment / "generate.py")


def _why(result: ExecResult, seed: int) -> str:
    if result.limit:
        return f"hit its {result.limit} limit on seed {seed}"
    last = result.stderr.decode(errors="replace").strip().splitlines()[-1:]
    return f"failed on seed {seed} with exit code {result.exit_code}: {''.join(last)}"
