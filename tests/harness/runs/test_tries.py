"""What is tried again, how often, and what is kept of the tries before."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from pae_harness.errors import (
    BrokerError,
    PaeError,
    SandboxError,
    SandboxUnavailableError,
    TaskError,
    VerifierCutOffError,
    VerifierError,
)
from pae_harness.result import TrialKey, TrialResult
from pae_harness.runs import tries
from pae_harness.runs.execute import Running, execute
from pae_harness.runs.folder import RunFolder
from pae_harness.runs.plan import PlannedTrial
from pae_harness.runs.spent import summed
from pae_harness.runs.tries import Retries, after
from pae_harness.solutions import parse
from pae_harness.tasks import Task

KEY = TrialKey("t", 1, "cmd")
LOST = TrialResult(KEY, "unscored", None, reason="lost", passing=True, usage={"judge_calls": 1})
WRONG = TrialResult(KEY, "unscored", None, reason="wrong")
RIGHT = TrialResult(KEY, "scored", 1.0, usage={"judge_calls": 2})
FAILED = TrialResult(KEY, "agent_failed", 0.0, reason="no note")


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tries, "PAUSE", 0.0)


def tried(most: int, *results: TrialResult) -> list[str]:
    """The outcomes of all tries, where they would end as ``results`` one after the other."""
    queue = list(results)
    last, before = Retries(most, threading.Event()).run(lambda: queue.pop(0))
    return [result.outcome for result in (*before, last)]


def test_what_infrastructure_failed_is_tried_again() -> None:
    assert tried(1, LOST, RIGHT) == ["unscored", "scored"]


def test_no_more_often_than_asked_for() -> None:
    assert tried(2, LOST, LOST, LOST, RIGHT) == ["unscored"] * 3
    assert tried(0, LOST, RIGHT) == ["unscored"]


@pytest.mark.parametrize("result", [RIGHT, FAILED, WRONG])
def test_nothing_else_is(result: TrialResult) -> None:
    assert tried(5, result, RIGHT) == [result.outcome]


def test_nor_is_anything_once_the_run_is_to_end() -> None:
    stop = threading.Event()
    stop.set()
    assert Retries(5, stop).run(lambda: LOST) == (LOST, [])


def test_the_reasons_of_all_tries_stay_and_what_they_spent_is_added() -> None:
    second = after([LOST], LOST)
    third = after([second], RIGHT)
    assert third.tries == ["lost", "lost"]
    assert third.usage == {"judge_calls": 4}


def test_a_sum_lacks_what_some_try_with_calls_did_not_tell() -> None:
    told = {"judge_calls": 2, "judge_prompt_tokens": 10}
    assert summed([told, {"judge_calls": 0}, {}]) == told
    assert summed([told, {"judge_calls": 1, "judge_reused": 1}]) == {
        "judge_calls": 3,
        "judge_reused": 1,
    }


@pytest.mark.parametrize(
    ("error", "passing"),
    [
        (SandboxError("the box is gone"), True),
        (SandboxUnavailableError("no engine"), True),
        (BrokerError("no socket"), True),
        (VerifierCutOffError("the model is out of reach"), True),
        (VerifierError("the verifier failed with exit code 1"), False),
        (TaskError("the generator failed"), False),
    ],
)
def test_which_failures_pass(tiny: Task, tmp_path: Path, error: PaeError, passing: bool) -> None:
    assert len(tries_of([error, None], tiny, tmp_path)) == int(passing)


def tries_of(fates: Sequence[PaeError | None], task: Task, place: Path) -> list[str]:
    """The kept tries of a trial whose tries end with these errors, or else are scored."""
    queue = list(fates)

    def work(trial: PlannedTrial, folder: Path) -> TrialResult:
        fate = queue.pop(0)
        assert list(folder.iterdir()) == []
        (folder / "agent.log").write_text("hello")
        if fate is not None:
            raise fate
        return TrialResult(trial.key, "scored", 1.0)

    trials = [PlannedTrial(task, 1, parse("oracle"))]
    run = RunFolder.create(place / "run", "oracle", {})
    stop, running = threading.Event(), Running()
    ((_, result),) = execute(trials, work, run, jobs=1, stop=stop, running=running, retries=1)
    run.close()
    (line,) = (place / "run" / "trials.jsonl").read_text().splitlines()
    kept: list[str] = json.loads(line)["tries"]
    assert kept == list(result.tries)
    return kept
