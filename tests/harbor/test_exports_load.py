"""What ``pae export harbor`` writes is what Harbor reads: its linter and its own models say so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.harbor.tools import Harbor, harbor

from pae_harness.main import main

pytestmark = pytest.mark.slow
TASKS = Path(__file__).parents[2] / "tasks"
LOAD = """
import json, sys
from harbor.models.task.task import Task
from harbor.models.task.verifier_mode import resolve_verifier_environment_definition
task = Task(sys.argv[1])
definition = resolve_verifier_environment_definition(task.config, task.paths)
print(json.dumps({
    "name": task.name,
    "instruction": task.instruction,
    "artifacts": task.config.artifacts,
    "mode": task.config.verifier.environment_mode,
    "bundled": definition.bundled_tests,
    "memory_mb": task.config.environment.memory_mb,
    "solved_by": str(task.paths.discovered_solve_path),
    "valid": Task.is_valid_dir(sys.argv[1]),
}))
"""


@pytest.fixture(scope="module")
def tool() -> Harbor:
    return harbor()


@pytest.fixture(scope="module", params=["rules", "gpt-9@https://judge.example/v1"])
def exports(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole suite on two seeds, by either kind of judge."""
    out = tmp_path_factory.mktemp("exports") / "out"
    more = ("--tasks", str(TASKS), "--sandbox", "local", "-s", "1-2", "--judge", request.param)
    assert main(["export", "harbor", str(out), "-q", *more, "--wheels", "3.11-x86_64"]) == 0
    return out


def test_every_export_passes_harbors_linter(tool: Harbor, exports: Path) -> None:
    done = tool.run("lint", *map(str, sorted(exports.iterdir())))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_every_export_loads_in_harbors_own_models(tool: Harbor, exports: Path) -> None:
    for task in sorted(exports.iterdir()):
        done = tool.code(LOAD, str(task))
        assert done.returncode == 0, done.stderr
        found = json.loads(done.stdout)
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
