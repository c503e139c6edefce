"""A real model behind the real protocol: box, socket, broker, llama.cpp's server, and back.

The model is small and judges badly: what is held here is the path and the contract, not its taste.
Run with ``make test-model``.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from tests.harness.backends import have
from tests.model.weights import Weights, fetched

from pae_harness import TrialResult, run_trial
from pae_harness.judges import Spending, parse
from pae_harness.judging import Judging
from pae_harness.solutions import parse as parse_agent
from pae_harness.tasks import Task, load

pytestmark = pytest.mark.model

TINY = Path(__file__).parents[1] / "harness" / "data" / "tiny" / "tasks" / "tiny-note"
SECONDS = 300.0  # a machine without a graphics processor reads 100 tokens a second
KEY = "sk-real-model-test-6f1d2c"


@pytest.fixture(scope="module")
def weights() -> Weights:
    return fetched()


@pytest.fixture(scope="module")
def address(weights: Weights) -> Iterator[str]:
    """The address of a llama.cpp server of its own."""
    program = [sys.executable, str(Path(__file__).with_name("server.py")), str(weights.model)]
    environment = {**os.environ, "PYTHONPATH": str(weights.packages)}
    with subprocess.Popen(
        program,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdin and process.stdout
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()  # while it answers it does not look whether anybody still asks


@pytest.fixture(scope="module")
def task() -> Task:
    return replace(load(TINY), verifier_timeout_sec=SECONDS)


@dataclass(frozen=True)
class Judged:
    """A trial that the model judged, and where it lies; ``folder`` is the trial's alone."""

    folder: Path
    result: TrialResult

    @property
    def trial(self) -> Path:
        return self.folder / "trial"


@pytest.fixture(scope="module", params=["local", "docker"])
def judged(
    request: pytest.FixtureRequest,
    address: str,
    task: Task,
    tmp_path_factory: pytest.TempPathFactory,
) -> Judged:
    folder = tmp_path_factory.mktemp("run")
    sandbox = have(request.param).open()
    judge = replace(parse(f"qwen@{address}/v1"), prompt="guided")
    with pytest.MonkeyPatch.context() as patch, Judging(judge, Spending(calls=2)) as judging:
        patch.setenv("JUDGE_API_KEY", KEY)
        result = run_trial(task, 1, sandbox=sandbox, judge=judging, folder=folder / "trial")
    return Judged(folder, result)


def exchanges(folder: Path) -> list[Any]:
    return [json.loads(path.read_bytes()) for path in sorted(folder.glob("judge/*.json"))]


def test_a_real_model_judges_a_memo_from_an_offline_box(judged: Judged) -> None:
    result = judged.result
    first = exchanges(judged.trial)[0]
    assert first["status"] == 200
    assert result.usage["judge_calls"] >= 1
    assert result.usage["judge_completion_tokens"] > 0
    details = json.loads((judged.trial / "verifier" / "details.json").read_text())
    record = details["rubric"]["judge_record"]
    assert record["fingerprint"]["prompt"]["name"] == "guided"
    kept = b"".join(path.read_bytes() for path in judged.folder.rglob("*") if path.is_file())
    assert KEY.encode() not in kept
    if result.outcome == "scored":  # a reply that kept the contract
        assert record["accepted"]
        assert details["rubric"]["items"][1]["id"] == "names_the_fee"
        assert result.reward in (0.0, 0.707106781187, 1.0)
    else:  # or one that did not, twice: no zero, and the reason
        assert (result.outcome, result.reward) == ("unscored", None)
        assert len(record["attempts"]) == 2
        assert all(attempt["faults"] for attempt in record["attempts"])


def test_what_it_said_can_be_replayed_without_it(
    judged: Judged, task: Task, tmp_path: Path
) -> None:
    judge = replace(parse(f"replay:{judged.folder}"), prompt="guided")
    sandbox = have("local").open()
    with Judging(judge) as judging:
        again = run_trial(task, 1, sandbox=sandbox, judge=judging, folder=tmp_path / "again")
    before = judged.result
    assert (again.outcome, again.reward, again.metrics) == (
        before.outcome,
        before.reward,
        before.metrics,
    )


# Asks as it comes, in a stream, and writes down what it is told.
ASK = """\
import json, os, urllib.request
question = {"role": "user", "content": open("/app/instruction.md").read() + " Data: "
            + open("/app/data/results.json").read()}
body = {"model": os.environ["OPENAI_MODEL"], "messages": [question], "stream": True,
        "stream_options": {"include_usage": True}, "max_tokens": 48, "temperature": 0}
request = urllib.request.Request(
    os.environ["OPENAI_BASE_URL"] + "/chat/completions", json.dumps(body).encode(),
    {"content-type": "application/json", "authorization": "Bearer " + os.environ["OPENAI_API_KEY"]})
said = ""
for line in urllib.request.urlopen(request):
    data = line.decode().removeprefix("data:").strip()
    if data.startswith("{"):
        for choice in json.loads(data)["choices"]:
            said += choice["delta"].get("content") or ""
open("/app/output/note.md", "w").write(said)
"""


@pytest.mark.parametrize("title", ["local", "docker"])
def test_an_agent_in_an_offline_box_writes_with_a_real_model(
    address: str, task: Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, title: str
) -> None:
    monkeypatch.setenv("AGENT_API_KEY", KEY)
    agent = tmp_path / "agent"
    agent.mkdir(mode=0o755)
    (agent / "ask.py").write_text(ASK)
    trial = tmp_path / "trial"
    result = run_trial(
        replace(task, agent_timeout_sec=SECONDS),
        1,
        parse_agent("cmd:python3 -I /agent/ask.py", agent),
        sandbox=have(title).open(),
        model=f"qwen@{address}/v1",
        folder=trial,
    )
    assert (result.outcome, result.exit_code) == ("scored", 0)
    assert result.usage["agent_calls"] == 1
    assert result.usage["agent_completion_tokens"] > 0
    note = (trial / "output" / "app" / "output" / "note.md").read_text()
    steps = json.loads((trial / "trajectory.json").read_text())["steps"]
    assert note
    assert [step["message"] for step in steps if step.get("llm_call_count") == 1] == [note]
    kept = b"".join(path.read_bytes() for path in trial.rglob("*") if path.is_file())
    assert KEY.encode() not in kept
