"""mini-swe-agent itself, from PyPI, with its shell in the box and its model behind the broker.

It is fetched once, without what only its other models need, where PAE_REQUIRE_DOCKER=1 says that
nothing may be skipped; elsewhere its tests are skipped until it is there.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.fake_model import Answer, FakeModel, Seen, fake_model, refused, said
from tests.harness.agents.conftest import KEY, NOTE, steps
from tests.harness.backends import Backend, have

from pae_harness.cache import cache_root, cached_folder

LIBRARY = "mini-swe-agent==2.4.6"
NEEDED = ("jinja2", "pydantic", "python-dotenv", "platformdirs")  # beside what pae has
PLACE = ("test-mini-swe-agent", f"2.4.6-{sys.implementation.cache_tag}")

pytestmark = pytest.mark.slow


def _install(folder: Path) -> None:
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(folder)]
    subprocess.run([*pip, *NEEDED], check=True, timeout=300)
    subprocess.run([*pip, "--no-deps", LIBRARY], check=True, timeout=300)


@pytest.fixture(scope="module")
def library() -> Path:
    """The folder that has it."""
    if os.environ.get("PAE_REQUIRE_DOCKER") != "1" and not cache_root().joinpath(*PLACE).is_dir():
        pytest.skip("PAE_REQUIRE_DOCKER=1 would fetch mini-swe-agent")
    return cached_folder(*PLACE, _install)


@pytest.fixture(scope="module")
def local_boxes() -> Backend:
    return have("local")


def bash(command: str, number: int) -> Answer:
    """The model asks for a command."""
    function = {"name": "bash", "arguments": json.dumps({"command": command})}
    call = {"id": f"call-{number}", "type": "function", "function": function}
    return said("I do this.", finish_reason="tool_calls", tool_calls=[call])


SCRIPT = (
    bash("cat /app/data/results.json; echo to-stderr >&2", 1),
    said("I forgot the tool."),
    bash("sleep 1; echo 'The fee is $101.25.' > " + NOTE, 2),
    bash("echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT", 3),
)


def run(
    library: Path, suite: Path, backend: Backend, model: FakeModel, *options: str
) -> subprocess.CompletedProcess[str]:
    command = ["run", "-a", "mini-swe-agent", "-s", "1", "--sandbox", backend.name, "-o", "out"]
    return subprocess.run(
        [sys.executable, "-m", "pae_harness", *command, "--tasks", str(suite / "tasks"),
         "-m", f"fake-1@{model.url}", *options],
        env={**os.environ, **backend.environment, "PYTHONPATH": str(library), "AGENT_API_KEY": KEY},
        capture_output=True,
        text=True,
        timeout=120,
    )  # fmt: skip


def test_it_works_in_the_box_and_asks_through_the_broker(
    library: Path, tiny_suite: Path, backend: Backend
) -> None:
    with fake_model(*SCRIPT) as model:
        done = run(library, tiny_suite, backend, model)
    assert done.returncode == 0, done.stdout + done.stderr
    trial = Path("out/tiny-note/seed-1/mini-swe-agent")
    result = json.loads((trial / "trial.json").read_text())
    assert (result["outcome"], result["reward"]) == ("scored", 1.0)
    assert result["usage"]["agent_calls"] == 4
    assert (trial / "agent.log").read_text().startswith("mini-swe-agent: Submitted after 4 calls")
    last = model.seen[-1].json["messages"]
    assert "write one sentence about the fee" in last[1]["content"]
    told = [message for message in last if message["role"] == "tool"]
    assert "101.25" in told[0]["content"]
    assert "to-stderr" in told[0]["content"]
    assert json.loads(Path("out/run.json").read_text())["agent"]["version"] == "2.4.6"
    ran = [step for step in steps(trial) if step.get("llm_call_count") == 0]
    assert any("COMPLETE_TASK" in json.dumps(step["tool_calls"]) for step in ran)


def test_a_budget_that_is_used_up_ends_it_with_what_it_has(
    library: Path, tiny_suite: Path, local_boxes: Backend
) -> None:
    script = (bash("echo 'The fee is $101.25.' > " + NOTE, 1), bash("true", 2))
    with fake_model(*script) as model:
        done = run(library, tiny_suite, local_boxes, model, "--agent-calls", "2")
    assert done.returncode == 0, done.stdout + done.stderr
    trial = Path("out/tiny-note/seed-1/mini-swe-agent")
    assert json.loads((trial / "trial.json").read_text())["reward"] == 1.0
    assert "LimitsExceeded" in (trial / "agent.log").read_text()


def test_a_model_that_refuses_the_key_leaves_the_trial_unscored(
    library: Path, tiny_suite: Path, local_boxes: Backend
) -> None:
    def refuse(seen: Seen) -> Answer:
        return refused(f"bad key {seen.headers['authorization']}", 401)

    with fake_model(refuse) as model:
        done = run(library, tiny_suite, local_boxes, model)
    assert done.returncode == 3
    assert "401" in done.stdout
    assert KEY not in done.stdout + done.stderr


def test_without_the_library_it_says_how_to_get_it(tiny_suite: Path, local_boxes: Backend) -> None:
    with fake_model(said("")) as model:
        done = run(Path("/nowhere"), tiny_suite, local_boxes, model)
    assert done.returncode == 2
    assert "pip install 'portfolio-agent-evals[agents]'" in done.stderr
