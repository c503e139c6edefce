"""Suites for the containers' tests, and ``pae`` as a process of its own on them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.harness.waiting import PATIENCE

TINY = Path(__file__).parents[1] / "data" / "tiny"
ANSWER = "echo 'The fee is $101.25.' > /app/output/note.md"


@dataclass(frozen=True)
class Suite:
    """A suite folder; tasks are copies of the tiny one under names of their own."""

    root: Path

    def add(self, name: str, dockerfile: str = "", **settings: object) -> Path:
        """A task ``name`` whose Dockerfile goes on with ``dockerfile``; its folder."""
        for half in ("tasks", "oracles"):
            shutil.copytree(TINY / half / "tiny-note", self.root / half / name)
        task = self.root / "tasks" / name
        config = (task / "task.toml").read_text().replace("tests/tiny-note", f"tests/{name}")
        for key, value in settings.items():
            lines = config.splitlines()
            found = next(i for i, line in enumerate(lines) if line.startswith(f"{key} ="))
            lines[found] = f"{key} = {value}"
            config = "\n".join(lines) + "\n"
        (task / "task.toml").write_text(config)
        with (task / "environment" / "Dockerfile").open("a") as file:
            file.write(dockerfile)
        return task

    def start(self, *arguments: str, **environment: str) -> subprocess.Popen[bytes]:
        """``pae`` in containers, as JSON; its run folder is ``out`` beside the suite."""
        argv = [sys.executable, "-m", "pae_harness", *arguments, "--tasks", f"{self.root}/tasks"]
        return subprocess.Popen(
            [*argv, "--json", "--sandbox", "docker"],
            env={**os.environ, **environment},
            cwd=self.root,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def run(self, *arguments: str, **environment: str) -> Ended:
        with self.start(*arguments, **environment) as process:
            return ended(process)


@dataclass(frozen=True)
class Ended:
    """A ``pae run`` that ended. ``reasons`` and ``outcomes`` are by task and seed."""

    code: int
    said: str
    data: dict[str, Any]

    @property
    def outcomes(self) -> dict[str, str]:
        return {_key(result): result["outcome"] for result in self.data["results"]}

    @property
    def reasons(self) -> dict[str, str]:
        return {_key(result): result["reason"] for result in self.data["results"]}

    @property
    def rewards(self) -> dict[str, float | None]:
        return {_key(result): result["reward"] for result in self.data["results"]}


def _key(result: dict[str, Any]) -> str:
    return f"{result['task']} {result['seed']}"


def ended(process: subprocess.Popen[bytes]) -> Ended:
    out, err = process.communicate(timeout=3 * PATIENCE)
    said = err.decode()
    assert "Traceback" not in said, said
    return Ended(process.returncode, said, json.loads(out) if out.strip() else {})
