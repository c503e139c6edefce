"""Harbor itself, with its own oracle and its own idle agent, on an exported task in containers."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.harbor.tools import Harbor, harbor
from tests.harness.backends import have

from pae_harness.main import main
from pae_harness.sandbox.docker.images import MADE

pytestmark = pytest.mark.slow
TASKS = Path(__file__).parents[2] / "tasks"
NAME = "pf-judg-rebalance-memo"
Rewards = dict[str, dict[str, float]]


@pytest.fixture(scope="module")
def tool() -> Harbor:
    have("docker")
    return harbor()


@pytest.fixture(scope="module")
def exports(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One task on one seed, on the image of `pae base-image`: there is no registry here."""
    out = tmp_path_factory.mktemp("exports") / "out"
    more = ("--tasks", str(TASKS), "--sandbox", "local", "-s", "1", "--base-image", MADE)
    assert main(["export", "harbor", str(out), NAME, "-q", *more]) == 0
    return out


def offline(exports: Path) -> None:
    """Add a copy whose agent and whose verifier end at once where there is a network."""
    task = shutil.copytree(exports / f"{NAME}-seed-1", exports / f"{NAME}-offline")
    config = (task / "task.toml").read_text()
    (task / "task.toml").write_text(config.replace(f"{NAME}-seed-1", task.name))
    for script in (task / "solution" / "solve.sh", task / "tests" / "test.sh"):
        first, rest = script.read_text().split("\n", 1)
        script.write_text(f'{first}\ntest "$(ls /sys/class/net)" = lo || exit 9\n{rest}')


@pytest.fixture(scope="module")
def solved(tool: Harbor, exports: Path, tmp_path_factory: pytest.TempPathFactory) -> Rewards:
    """What the oracle earns on each: in one run, as Harbor is slow to start."""
    both = shutil.copytree(exports, tmp_path_factory.mktemp("both") / "tasks")
    offline(both)
    rewards: Rewards = tool.rewards(both, "oracle", tmp_path_factory.mktemp("jobs"))
    return rewards


def test_the_oracle_earns_under_harbor_what_it_earns_here(solved: Rewards) -> None:
    earned = {"reward": 1.0, "numeric_consistency": 1.0, "judge_rubric": 1.0}
    assert solved[f"{NAME}-seed-1"] == earned


def test_an_idle_agent_earns_under_harbor_what_it_earns_here(
    tool: Harbor, exports: Path, tmp_path: Path
) -> None:
    earned = {"reward": 0.0, "numeric_consistency": 0.0, "judge_rubric": 0.0}
    assert tool.rewards(exports, "nop", tmp_path / "jobs") == {f"{NAME}-seed-1": earned}


def test_neither_container_has_a_network(solved: Rewards) -> None:
    assert solved[f"{NAME}-offline"]["reward"] == 1.0


def test_harbor_leaves_no_container_behind(tool: Harbor) -> None:
    listed = subprocess.run(
        ["docker", "ps", "-aq", "--filter", f"name={NAME}"],
        env={**os.environ, **tool.environment},
        capture_output=True,
        text=True,
    )
    assert (listed.returncode, listed.stdout) == (0, "")
