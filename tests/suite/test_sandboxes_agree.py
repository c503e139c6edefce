"""A trial is the same in every sandbox: its reward, its documents, the verdict on each number."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.harness.backends import have

from pae_harness import run_trial
from pae_harness.tasks import Task, load

ROOT = Path(__file__).parents[2]
SOLUTIONS = ("oracle", "trap:wrong_fact")


@pytest.fixture(scope="module")
def task() -> Task:
    return load(ROOT / "tasks" / "pf-judg-rebalance-memo")


def left_behind(folder: Path) -> dict[str, bytes]:
    """What a trial writes and keeps, by its path."""
    kept = [*(folder / "output").rglob("*"), *(folder / "verifier").rglob("*")]
    return {str(path.relative_to(folder)): path.read_bytes() for path in kept if path.is_file()}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("title", "seed", "solution"),
    [
        *(("docker", seed, solution) for seed in range(1, 6) for solution in SOLUTIONS),
        # Podman is three times as slow, and the harness treats it as any engine.
        *(("podman", seed, solution) for seed, solution in zip((1, 5), SOLUTIONS, strict=True)),
    ],
)
def test_a_container_gives_what_the_local_sandbox_gives(
    task: Task, tmp_path: Path, title: str, seed: int, solution: str
) -> None:
    engine = have(title).open()
    local = have("local").open()
    there = run_trial(task, seed, solution, sandbox=engine, folder=tmp_path / title)
    here = run_trial(task, seed, solution, sandbox=local, folder=tmp_path / "local")
    assert (there.sandbox, here.sandbox) == ("docker", "local")
    assert there.reason == here.reason == ""
    assert (there.outcome, there.reward, there.metrics) == (here.outcome, here.reward, here.metrics)
    assert there.digests["output"] == here.digests["output"]
    assert there.digests["fixtures"] == here.digests["fixtures"]
    found = left_behind(tmp_path / title)
    assert found == left_behind(tmp_path / "local")
    assert set(found) == {
        "output/app/output/memo.md",
        "verifier/details.json",
        "verifier/log",
        "verifier/reward.json",
    }


def test_a_containers_trial_names_the_images_it_ran_on(task: Task) -> None:
    result = run_trial(task, 1, "nop", sandbox=have("docker").open())
    assert result.outcome == "agent_failed"
    assert len(result.digests["agent_image"]) == 64
    assert "verifier_image" not in result.digests
