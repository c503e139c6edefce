"""Whole trials whose judge is a model: real boxes, a real socket, a real endpoint."""

from __future__ import annotations

import base64
import json
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.fake_model import KEY, Answer, FakeModel, Seen, completion, fake_model
from tests.harness.backends import Backend, have
from tests.harness.judged import asking_task

from pae_harness import TrialResult, run_trial
from pae_harness.errors import UsageError
from pae_harness.judges import Spending, parse
from pae_harness.judging import Judging
from pae_harness.tasks import Task

INVENTED = "cmd:echo 'The fee is $5.' > /app/output/note.md"


@pytest.fixture
def task(tmp_path: Path) -> Task:
    return asking_task(tmp_path / "asking")


@pytest.fixture
def upstream(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeModel]:
    """An endpoint that finds everything quite good, and the key for it in the environment."""
    monkeypatch.setenv("JUDGE_API_KEY", KEY)
    with fake_model() as served:
        served.otherwise = lambda seen: completion("0.81")
        yield served


@pytest.fixture
def judging(upstream: FakeModel) -> Iterator[Judging]:
    with Judging(parse(str(upstream.model))) as at_work:
        yield at_work


def judge(task: Task, by: Judging | str, folder: Path, **more: Any) -> TrialResult:
    options = {"solution": "oracle", "sandbox": "local", "seed": 1, **more}
    return run_trial(task, judge=by, folder=folder, **options)


def records(folder: Path) -> list[Any]:
    return [json.loads(path.read_bytes()) for path in sorted(folder.glob("judge/*.json"))]


@pytest.mark.parametrize("title", ["docker", "local", "local-root", "podman"])
def test_a_model_judges_from_an_offline_box(
    task: Task, upstream: FakeModel, tmp_path: Path, title: str
) -> None:
    backend: Backend = have(title)
    by = str(upstream.model)
    result = judge(task, by, tmp_path / "trial", sandbox=backend.open())
    assert (result.outcome, result.reason, result.reward) == ("scored", "", 0.9)
    assert result.judge == by
    assert result.usage == {
        "judge_calls": 1,
        "judge_prompt_tokens": 11,
        "judge_completion_tokens": 7,
    }
    assert records(tmp_path / "trial")[0]["reply"]["model"] == "small-2026-01-01"


def test_the_verifier_s_box_has_a_token_and_nothing_of_the_host(
    task: Task, judging: Judging, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASKED_FROM_THE_HOST", "private")
    judge(task, judging, tmp_path)
    seen = json.loads((tmp_path / "verifier" / "details.json").read_text())["environment"]
    assert seen.pop("JUDGE_API_KEY").startswith("pae-")
    wanted = {
        "PAE_JUDGE": "model",
        "JUDGE_BASE_URL": "unix:///broker/broker.sock",
        "JUDGE_MODEL": "small",
        "JUDGE_PROMPT": "hardened",
        "JUDGE_DEADLINE_SEC": "57",
        "ASKED_LITERAL": "one",
        "ASKED_DEFAULT": "two",
        "ASKED_UNSET": "",
    }
    assert {name: value for name, value in seen.items() if name in wanted} == wanted
    assert not [name for name in seen if name.startswith(("JUDGE", "PAE")) and name not in wanted]


def test_under_another_judge_a_box_has_neither(task: Task, tmp_path: Path) -> None:
    assert judge(task, "rules", tmp_path).reward == 1.0
    seen = json.loads((tmp_path / "verifier" / "details.json").read_text())["environment"]
    assert [name for name in seen if name.startswith("JUDGE")] == []


def spellings(key: bytes) -> list[bytes]:
    """The key and its middle, as they are, in base64 and in hexadecimal."""
    forms = [base64.b64encode(b"x" * n + key)[4:-4] for n in range(3)]
    return [key, key[3:-3], key.hex().encode(), key.hex().upper().encode(), *forms]


LOOK = r"""
import os, socket
from pathlib import Path

for path in ("/broker", "/app", "/tests", "/fixtures", "/tmp", "/logs", "/etc", "/home", "/root"):
    for root, folders, files in os.walk(path):
        for name in files:
            place = Path(root, name)
            print(place)
            try:
                print(place.read_bytes() if place.is_file() else "")
            except OSError as error:
                print(error)
for process in Path("/proc").iterdir():
    for name in ("environ", "cmdline", "mountinfo", "status"):
        try:
            print((process / name).read_bytes())
        except OSError as error:
            pass
for line in Path("/proc/net/unix").read_text().splitlines():
    print(line)
"""


@pytest.mark.parametrize("title", ["docker", "local"])
def test_the_key_is_nowhere_but_in_this_process(
    task: Task, upstream: FakeModel, tmp_path: Path, title: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """Not in a box, not in a process's arguments or environment, not in what is kept or said."""
    backend = have(title)
    tests = task.path / "tests"
    (tests / "look.py").write_text(LOOK)
    (tests / "test.sh").write_text("python3 -I /tests/look.py\nexec python3 -I /tests/ask.py\n")
    around: list[bytes] = []

    def quoting(seen: Seen) -> Answer:
        """An endpoint that says the key in every form; meanwhile, a look at all processes."""
        for process in Path("/proc").glob("[0-9]*"):
            for name in ("cmdline", "environ"):
                try:
                    around.append((process / name).read_bytes())
                except OSError:
                    continue
        key = KEY.encode()
        forms = [key, key.hex().encode(), *(base64.b64encode(b"x" * n + key) for n in range(3))]
        said = b" ".join(forms).decode()
        body = {"error": {"message": f"{seen.headers['authorization']} {said}"}}
        return Answer(401, json.dumps(body).encode())

    upstream.otherwise = quoting
    result = judge(task, str(upstream.model), tmp_path / "trial", sandbox=backend.open())
    assert upstream.seen[0].headers["authorization"] == f"Bearer {KEY}"
    assert result.outcome == "unscored"
    assert "HTTP 401" in result.reason
    kept = [path.read_bytes() for path in (tmp_path / "trial").rglob("*") if path.is_file()]
    assert any(b"/broker/broker.sock" in data for data in kept)
    said = "".join(capfd.readouterr())
    whole = b"\n".join([*kept, *around, said.encode(), repr(result).encode()])
    assert [form for form in spellings(KEY.encode()) if form in whole] == []


def test_no_other_box_has_the_socket(task: Task, judging: Judging, tmp_path: Path) -> None:
    look = (
        "cmd:ls -d /broker; env | grep -i judge; echo 'The fee is $101.25.' > /app/output/note.md"
    )
    assert judge(task, judging, tmp_path, solution=look).reward == 0.9
    log = (tmp_path / "agent.log").read_text()
    assert "JUDGE" not in log
    assert "No such file" in log


def test_a_zero_costs_no_call(
    task: Task, judging: Judging, upstream: FakeModel, tmp_path: Path
) -> None:
    result = judge(task, judging, tmp_path, solution=INVENTED)
    assert (result.outcome, result.reward, result.usage) == ("scored", 0.0, {"judge_calls": 0})
    assert upstream.seen == []


def test_a_judge_that_gives_no_answer_leaves_the_trial_unscored(
    task: Task, judging: Judging, upstream: FakeModel, tmp_path: Path
) -> None:
    upstream.otherwise = lambda seen: Answer(400, b'{"error": {"message": "no such model"}}')
    result = judge(task, judging, tmp_path)
    assert (result.outcome, result.reward) == ("unscored", None)
    assert result.reason == ("the judge gave nothing that can be used: HTTP 400: no such model")
    assert result.usage["judge_calls"] == 1
    assert result.usage["judge_prompt_tokens"] == 0  # what is refused costs nothing
    assert not result.passing


def test_a_deadline_ends_the_question_before_the_verifier(
    task: Task, upstream: FakeModel, tmp_path: Path
) -> None:
    upstream.otherwise = lambda seen: Answer(hold=threading.Event())
    with Judging(parse(str(upstream.model)), Spending(seconds=1)) as judging:
        result = judge(task, judging, tmp_path)
    assert result.outcome == "unscored"
    assert "the trial's 1 s for its model are over" in result.reason
    assert result.passing


def test_a_budget_that_is_used_up_leaves_the_trial_unscored(
    task: Task, upstream: FakeModel, tmp_path: Path
) -> None:
    with Judging(parse(str(upstream.model)), Spending(tokens=10)) as judging:
        result = judge(task, judging, tmp_path)
    assert result.outcome == "unscored"
    assert "the trial's budget does not allow this call" in result.reason
    assert upstream.seen == []
    assert not result.passing


def test_a_model_that_cannot_be_reached_may_be_another_time(task: Task, tmp_path: Path) -> None:
    with Judging(parse("small@http://127.0.0.1:1/v1"), Spending(seconds=2)) as judging:
        result = judge(task, judging, tmp_path)
    assert (result.outcome, result.passing) == ("unscored", True)
    assert "cannot be reached" in result.reason


def test_a_broker_that_is_gone_leaves_the_trial_unscored(
    task: Task, judging: Judging, upstream: FakeModel, tmp_path: Path
) -> None:
    broker = judging._broker
    assert broker is not None

    def gone(seen: Seen) -> Answer:
        broker._thread.loop.call_soon_threadsafe(broker._thread.loop.stop)
        return completion("1")

    upstream.otherwise = gone
    result = judge(task, judging, tmp_path, timeout_scale=0.1)
    assert (result.outcome, result.reward) == ("unscored", None)
    assert result.reason


def test_a_broker_that_hangs_leaves_the_trial_unscored(
    task: Task,
    judging: Judging,
    upstream: FakeModel,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    broker, free = judging._broker, threading.Event()
    assert broker is not None

    def hang(seen: Seen) -> Answer:
        monkeypatch.setattr("pae_harness.broker.server._SECONDS", 0.5)  # for its end, not its start
        broker._thread.loop.call_soon_threadsafe(free.wait)
        return completion("1")

    upstream.otherwise = hang
    try:
        result = judge(task, judging, tmp_path, timeout_scale=0.05)
    finally:
        free.set()
    assert (result.outcome, result.reward) == ("unscored", None)


def as_run(task: Task, by: Judging | str, run: Path, **more: Any) -> TrialResult:
    """A trial kept where a run of one trial has it."""
    folder = run / task.name / "seed-1" / "oracle"
    result = judge(task, by, folder, **more)
    (folder / "trial.json").write_text(json.dumps(result.to_json()))
    return result


def test_a_replay_gives_the_same_and_asks_nobody(
    task: Task, upstream: FakeModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = as_run(task, str(upstream.model), tmp_path / "run")
    upstream.otherwise = lambda seen: completion("0.25")
    monkeypatch.delenv("JUDGE_API_KEY")
    again = judge(task, f"replay:{tmp_path / 'run'}", tmp_path / "again")
    assert (again.outcome, again.reward, again.metrics) == ("scored", first.reward, first.metrics)
    assert again.usage == {"judge_calls": 0, "judge_reused": 1}
    assert len(upstream.seen) == 1
    assert (
        records(tmp_path / "again")[0]["reply"]
        == records(tmp_path / "run" / first.key.path)[0]["reply"]
    )


def test_what_was_not_recorded_is_unscored(task: Task, upstream: FakeModel, tmp_path: Path) -> None:
    as_run(task, str(upstream.model), tmp_path / "run")
    other = "cmd:echo 'Your fee is $101.25.' > /app/output/note.md"
    result = judge(task, f"replay:{tmp_path / 'run'}", tmp_path / "again", solution=other)
    assert result.outcome == "unscored"
    assert "the records that are replayed lack this request" in result.reason
    assert len(upstream.seen) == 1


@pytest.mark.parametrize(
    ("cache", "again", "asked"),
    [
        ("auto", False, 2),  # a fresh run has a fresh sample
        ("auto", True, 1),  # the same outputs judged again have the same verdict
        ("always", False, 1),
        ("never", True, 2),
    ],
)
def test_when_an_accepted_reply_is_used_again(
    task: Task,
    upstream: FakeModel,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    cache: Any,
    again: bool,
    asked: int,
) -> None:
    monkeypatch.setenv("PAE_CACHE", str(tmp_path / "cache"))
    by, spending = parse(str(upstream.model)), Spending(cache=cache)
    with Judging(by, spending) as judging:
        first = judge(task, judging, tmp_path / "first")
    upstream.otherwise = lambda seen: completion("0.25")
    with Judging(by, spending, again=again) as judging:
        second = judge(task, judging, tmp_path / "second")
    assert (first.reward, second.reward) == (0.9, 0.9 if asked == 1 else 0.5)
    assert len(upstream.seen) == asked


def test_two_attempts_never_share_a_sample(
    task: Task, upstream: FakeModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAE_CACHE", str(tmp_path / "cache"))
    with Judging(parse(str(upstream.model)), Spending(cache="always")) as judging:
        for attempt in (1, 2):
            judge(task, judging, tmp_path / str(attempt), attempt=attempt)
    assert len(upstream.seen) == 2


def test_off_leaves_what_a_judge_would_decide_open(task: Task, tmp_path: Path) -> None:
    result = judge(task, "off", tmp_path)
    assert (result.outcome, result.reward, result.judge) == ("unscored", None, "off")
    assert result.reason == "judge off: the rubric is not judged; `pae regrade` can do it later"
    assert not (tmp_path / "verifier" / "reward.json").exists()


def test_off_or_not_a_zero_is_a_zero(task: Task, tmp_path: Path) -> None:
    result = judge(task, "off", tmp_path, solution=INVENTED)
    assert (result.outcome, result.reward) == ("scored", 0.0)


def test_a_missing_key_is_said_before_anything_runs(
    task: Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("JUDGE_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(variable, raising=False)
    with pytest.raises(UsageError) as caught:
        judge(task, "m@openai", tmp_path / "trial")
    assert str(caught.value) == ("m@openai needs a key: set JUDGE_API_KEY or OPENAI_API_KEY")
    assert not (tmp_path / "trial").exists()


def test_a_budget_in_dollars_needs_a_price(upstream: FakeModel) -> None:
    by = parse(str(upstream.model))
    with pytest.raises(UsageError, match="a budget in dollars needs the price of small"):
        Judging(by, Spending(usd=1.0)).require()
    Judging(by, Spending(usd=1.0, prices={"small": {"input": 1, "output": 2.5}})).require()


def test_a_key_that_no_header_can_carry_is_not_quoted(
    upstream: FakeModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUDGE_API_KEY", "sk-secret\nX-Evil: 1")
    with pytest.raises(UsageError) as caught:
        Judging(parse(str(upstream.model))).require()
    assert str(caught.value) == (
        "the key in JUDGE_API_KEY has a character that no header can carry: set it anew"
    )


def test_of_a_judge_without_a_model_no_broker_is_started() -> None:
    with Judging(parse("rules")) as judging:
        assert judging._broker is None
    assert [t.name for t in threading.enumerate() if t.name == "pae-broker"] == []
    assert os.environ.get("JUDGE_MODEL") is None
