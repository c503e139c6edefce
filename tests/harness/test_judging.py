"""Whole trials whose judge is a model: a real box, a real socket, a real endpoint."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.harness.broker.endpoint import KEY, Endpoint, completion, endpoint
from tests.harness.judged import asking_task

from pae_harness import TrialResult, run_trial
from pae_harness.tasks import Task


@pytest.fixture
def task(tmp_path: Path) -> Task:
    return asking_task(tmp_path / "asking")


@pytest.fixture
def upstream(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    """An endpoint that finds everything quite good, and the key for it in the environment."""
    monkeypatch.setenv("JUDGE_API_KEY", KEY)
    with endpoint() as served:
        served.otherwise = lambda seen: completion("0.81")
        yield served


def judge(task: Task, name: str, folder: Path, **more: Any) -> TrialResult:
    options = {"solution": "oracle", "sandbox": "local", "seed": 1, **more}
    return run_trial(task, judge=name, folder=folder, **options)


def test_a_model_judges(task: Task, upstream: Endpoint, tmp_path: Path) -> None:
    result = judge(task, str(upstream.model), tmp_path / "trial")
    assert (result.outcome, result.reason, result.reward) == ("scored", "", 0.9)
    assert result.judge == str(upstream.model)
    assert result.usage == {
        "judge_calls": 1,
        "judge_prompt_tokens": 11,
        "judge_completion_tokens": 7,
    }
    (record,) = (tmp_path / "trial" / "judge").iterdir()
    assert json.loads(record.read_text())["reply"]["model"] == "small-2026-01-01"
