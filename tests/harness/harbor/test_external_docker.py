"""Harbor tasks with images of their own, in containers."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.harness.backends import Backend, have
from tests.harness.harbor.conftest import edit

from pae_harness import TrialResult, run_trial
from pae_harness.main import main
from pae_harness.sandbox.docker.images import MADE
from pae_harness.sandbox.protocol import Sandbox

TASKS = Path(__file__).parents[3] / "tasks"


@pytest.fixture(scope="module", params=["docker", "podman"])
def backend(request: pytest.FixtureRequest) -> Backend:
    return have(request.param)


@pytest.fixture(scope="module")
def sandbox(backend: Backend) -> Sandbox:
    return backend.open()


def outcome(result: TrialResult) -> tuple[str, float | None, str]:
    return result.outcome, result.reward, result.reason


@pytest.mark.parametrize(("agent", "reward"), [("oracle", 1.0), ("nop", 0.0)])
def test_separate_tests_in_an_image_of_their_own(
    sandbox: Sandbox, count_words: Path, agent: str, reward: float
) -> None:
    result = run_trial(count_words, 1, agent, sandbox=sandbox)
    assert outcome(result) == ("scored", reward, "")
    assert result.metrics == {"there": reward}
    assert result.digests["agent_image"] != result.digests["verifier_image"]


@pytest.mark.parametrize(("agent", "reward"), [("oracle", 1.0), ("nop", 0.0)])
def test_shared_tests_on_the_agents_image(
    sandbox: Sandbox, greet: Path, agent: str, reward: float
) -> None:
    result = run_trial(greet, 1, agent, sandbox=sandbox)
    assert outcome(result) == ("scored", reward, "")
    assert result.digests["agent_image"] == result.digests["verifier_image"]


def test_what_the_image_has_in_the_working_folder_can_be_changed(
    sandbox: Sandbox, count_words: Path
) -> None:
    work = (
        "cd data; test -L alias.txt && test -x count && echo five >> text.txt && "
        "rm alias.txt && ./count text.txt > ../out/count.txt"
    )
    result = run_trial(count_words, 1, f"cmd:{work}", sandbox=sandbox)
    assert (result.exit_code, result.reward, result.metrics) == (0, 0.0, {"there": 1.0})


def test_an_image_by_its_name(greet: Path) -> None:
    sandbox = have("docker").open()  # Podman looks for short names in registries alone
    (greet / "environment" / "Dockerfile").unlink()
    named = f'cpus = 1\nworkdir = "/job"\ndocker_image = "{MADE}"'
    edit(greet / "task.toml", "cpus = 1", named)
    assert outcome(run_trial(greet, 1, "oracle", sandbox=sandbox)) == ("scored", 1.0, "")


def test_an_image_without_python_is_refused_in_a_sentence(
    sandbox: Sandbox, count_words: Path
) -> None:
    with (count_words / "environment" / "Dockerfile").open("a") as file:
        file.write("RUN rm -f /usr/bin/python3* /usr/local/bin/python3*\n")
    result = run_trial(count_words, 1, "oracle", sandbox=sandbox)
    assert result.outcome == "unscored"
    assert (
        "has no python3 of 3.9 or newer, which every box here needs: install it there"
        in result.reason
    )


def test_an_image_that_cannot_be_built_is_no_zero(sandbox: Sandbox, count_words: Path) -> None:
    edit(count_words / "tests" / "Dockerfile", "RUN chmod", "RUN false; false\nRUN chmod")
    result = run_trial(count_words, 1, "oracle", sandbox=sandbox)
    assert (result.outcome, result.reward) == ("unscored", None)
    assert "the image could not be built" in result.reason


@pytest.mark.slow
@pytest.mark.parametrize(("agent", "reward"), [("oracle", 1.0), ("nop", 0.0)])
def test_an_export_of_this_suite_is_a_task_again(tmp_path: Path, agent: str, reward: float) -> None:
    sandbox = have("docker").open()  # what is Podman's own about such tasks is held above
    name = "pf-judg-rebalance-memo"
    more = ("--tasks", str(TASKS), "--sandbox", "local", "-s", "3", "--base-image", MADE)
    assert main(["export", "harbor", str(tmp_path / "out"), name, "-q", *more]) == 0
    result = run_trial(tmp_path / "out" / f"{name}-seed-3", 1, agent, sandbox=sandbox)
    assert outcome(result) == ("scored", reward, "")
