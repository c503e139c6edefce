"""What ``pae export harbor`` writes is what Harbor reads: its linter and its own models say so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.harbor.tools import Harbor, harbor

from pae_harness.main import main

pytestmark = pytest.mark.slow
TASKS = Path(__file__).parents[2] / "tasks"
JUDGES = ("rules", "gpt-9@https://judge.example/v1")
LOAD = """
import json, sys
from harbor.models.task.task import Task
from harbor.models.task.verifier_mode import resolve_verifier_environment_definition
for path in sys.argv[1:]:
    task = Task(path)
    definition = resolve_verifier_environment_definition(task.config, task.paths)
    print(json.dumps({
        "name": task.name,
        "instruction": task.instruction,
        "artifacts": task.config.artifacts,
        "mode": task.config.verifier.environment_mode,
        "bundled": definition.bundled_tests,
        "memory_mb": task.config.environment.memory_mb,
        "solved_by": str(task.paths.discovered_solve_path),
        "valid": Task.is_valid_dir(path),
    }))
"""


@pytest.fixture(scope="module")
def tool() -> Harbor:
    return harbor()


@pytest.fixture(scope="module")
def exports(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The whole suite on two seeds, by either kind of judge: Harbor is slow to start."""
    out = tmp_path_factory.mktemp("exports")
    more = ("--tasks", str(TASKS), "--sandbox", "local", "-s", "1-2", "--wheels", "3.11-x86_64")
    for number, judge in enumerate(JUDGES):
        command = ["export", "harbor", str(out / str(number)), "-q", *more, "--judge", judge]
        assert main(command) == 0
    tasks = sorted(out.glob("*/*"))
    assert {task.name.rpartition("-")[2] for task in tasks} == {"1", "2"}
    assert {task.parent.name for task in tasks} == {"0", "1"}
    return tasks


def test_every_export_passes_harbors_linter(tool: Harbor, exports: list[Path]) -> None:
    done = tool.run("lint", *map(str, exports))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_every_export_loads_in_harbors_own_models(tool: Harbor, exports: list[Path]) -> None:
    done = tool.code(LOAD, *map(str, exports))
    assert done.returncode == 0, done.stderr
    for task, line in zip(exports, done.stdout.splitlines(), strict=True):
        found = json.loads(line)
        assert found.pop("memory_mb") > 0
        assert found.pop("artifacts")
        assert found == {
            "name": f"portfolio-agent-evals/{task.name}",
            "instruction": (task / "instruction.md").read_text(),
            "mode": "separate",
            "bundled": True,
            "solved_by": str(task / "solution" / "solve.sh"),
            "valid": True,
        }
