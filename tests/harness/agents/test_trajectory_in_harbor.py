"""A trajectory is one of Harbor's: its own models and its own validator take it."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.harbor.tools import Harbor, harbor
from tests.harness.agents.anything import RECORDS
from tests.harness.agents.exchanges import (
    MESSAGES,
    Trial,
    assistant,
    at,
    chat,
    completion,
    function,
    message,
    user,
)

from pae_harness.agents.trajectory import Command, Head

pytestmark = pytest.mark.slow
LOAD = """
import json, sys
from pathlib import Path
from harbor.models.trajectories import Trajectory
from harbor.utils.trajectory_validator import TrajectoryValidator
told = {}
for path in sorted(Path(sys.argv[1]).glob("*/trajectory.json")):
    validator = TrajectoryValidator()
    assert validator.validate(path), (path, validator.errors)
    read = Trajectory.model_validate_json(path.read_bytes())
    told[path.parent.name] = {
        "version": read.schema_version,
        "calls": [step.llm_call_count for step in read.steps],
        "answered": sum(len(s.observation.results) for s in read.steps if s.observation),
        "tokens": read.final_metrics.total_prompt_tokens,
    }
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def tool() -> Harbor:
    return harbor()


def loaded(tool: Harbor, folder: Path) -> dict[str, Any]:
    """What Harbor reads in the trajectories of the trials in ``folder``."""
    done = tool.code(LOAD, str(folder))
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def new(folder: Path) -> Trial:
    folder.mkdir()
    return Trial(folder)


def test_harbor_reads_trajectories_of_both_protocols(tool: Harbor, tmp_path: Path) -> None:
    task, used = user("Write."), {"path": "a.csv"}
    commands = [Command(("cat", "a.csv"), "/app", at(12), 0.1, None, "time", "1,2")]

    trial = new(tmp_path / "chat")
    calls = [function("a", "read", json.dumps(used)), function("b", "run", "no JSON")]
    answers = [{"role": "tool", "tool_call_id": i, "content": "1,2"} for i in ("a", "b", "lost")]
    trial.record(chat(task), completion(None, tool_calls=calls))
    trial.record(chat(task, assistant(None, tool_calls=calls), *answers), completion("Done."))
    trial.put(b"{", 9)
    trial.told(commands)

    trial = new(tmp_path / "messages")
    use = {"type": "tool_use", "id": "a", "name": "read", "input": used}
    answer = user([{"type": "tool_result", "tool_use_id": "a", "content": "1,2"}])
    trial.record(chat(task, system="You write."), message(use), path=MESSAGES)
    trial.record(
        chat(task, assistant([use]), answer, system="You write."),
        message({"type": "text", "text": "Done."}),
        path=MESSAGES,
    )
    trial.told(commands)

    assert loaded(tool, tmp_path) == {
        "chat": {
            "version": "ATIF-v1.7",
            "calls": [None, None, 1, 0, None, 1, None],
            "answered": 4,
            "tokens": None,
        },
        "messages": {
            "version": "ATIF-v1.7",
            "calls": [None, None, None, 1, 0, 1],
            "answered": 2,
            "tokens": 22,
        },
    }


def test_harbor_reads_whatever_was_said(tool: Harbor, tmp_path: Path) -> None:
    numbers = count()

    @given(RECORDS, st.text(), st.text())
    @settings(max_examples=200)
    def tell(exchanges: list[dict[str, Any]], text: str, time: str) -> None:
        trial = new(tmp_path / f"{next(numbers):04}")
        for number, exchange in enumerate(exchanges):
            trial.put(json.dumps(exchange).encode(), number)
        command = Command((text,), text, time, float("nan"), None, text, text)
        trial.told([command], Head(text, text, text, text, text))

    tell()
    assert len(loaded(tool, tmp_path)) == next(numbers)
