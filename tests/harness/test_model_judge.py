"""A run from the command line whose judge is a model: the real verifier, replayed, judged again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from tests.fake_model import KEY, Answer, FakeModel, completion, fake_model
from tests.harness.backends import have

import pae_schemas
from pae_harness.main import main
from pae_verifiers.judge.prompts import load

Shown = pytest.CaptureFixture[str]


def verdict(passed: bool) -> Answer:
    """What a model replies to the tiny rubric."""
    said = {"rubricId": "names_the_fee", "passed": passed, "rationale": "so it is"}
    return completion(json.dumps({"criteria": [{**said, "evidence": ["fee"] if passed else []}]}))


@pytest.fixture
def upstream(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeModel]:
    """An endpoint that sees the fee, and the key for it in the environment."""
    monkeypatch.setenv("JUDGE_API_KEY", KEY)
    monkeypatch.setenv("PAE_JUDGE_CACHE", "never")  # nothing of it stays on this machine
    with fake_model() as served:
        served.otherwise = lambda seen: verdict(True)
        yield served


def run(suite: Path, *more: str, verb: str = "run") -> int:
    argv = [verb, "--tasks", str(suite / "tasks"), "--sandbox", "local", "-q"]
    return main([*argv, *(() if verb == "regrade" else ("-a", "oracle", "-s", "1")), *more])


def trial(out: str, path: str = "tiny-note/seed-1/oracle") -> dict[str, Any]:
    data: dict[str, Any] = json.loads((Path(out) / path / "trial.json").read_text())
    return data


@pytest.mark.parametrize("title", ["docker", "local", "local-root", "podman"])
def test_a_model_judges_a_run(
    tiny_suite: Path,
    upstream: FakeModel,
    capsys: Shown,
    monkeypatch: pytest.MonkeyPatch,
    title: str,
) -> None:
    backend, judge = have(title), str(upstream.model)
    for name, value in backend.environment.items():
        monkeypatch.setenv(name, value)
    assert run(tiny_suite, "--judge", judge, "-o", "out", "--sandbox", backend.name) == 0
    result, described = trial("out"), json.loads(Path("out/run.json").read_text())
    assert (result["outcome"], result["reward"], result["judge"]) == ("scored", 1.0, judge)
    assert result["usage"]["judge_calls"] == 1
    assert described["judge"] == {
        "name": judge,
        "stand_in": False,
        "model": "small",
        "base_url": upstream.url,
        "provider": "",
        "prompt": {"name": "hardened", "digest": load("hardened").digest},
    }
    jsonschema.Draft202012Validator(pae_schemas.load("run")).validate(described)
    jsonschema.Draft202012Validator(pae_schemas.load("trial")).validate(result)
    assert f"judge {judge}; kept in out" in " ".join(capsys.readouterr().out.split())
    whole = [path.read_bytes() for path in Path("out").rglob("*") if path.is_file()]
    assert KEY.encode() not in b"".join(whole)


def test_a_replay_has_the_same_rewards_and_asks_nobody(
    tiny_suite: Path, upstream: FakeModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    upstream.answers = [completion("no JSON"), verdict(False)]
    assert run(tiny_suite, "--judge", str(upstream.model), "-o", "out") == 0
    monkeypatch.delenv("JUDGE_API_KEY")
    assert run(tiny_suite, "--judge", "replay:out", "-o", "again") == 0
    assert trial("again")["metrics"] == trial("out")["metrics"]
    assert trial("again")["metrics"]["judge_rubric"] == 0.5
    assert trial("again")["usage"] == {"judge_calls": 0, "judge_reused": 2}
    assert len(upstream.seen) == 2
    described = json.loads(Path("again/run.json").read_text())["judge"]
    assert (described["model"], described["replayed_judge"]) == ("small", str(upstream.model))


def test_a_run_is_judged_again_by_another(
    tiny_suite: Path,
    upstream: FakeModel,
    capsys: Shown,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("PAE_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("PAE_JUDGE_CACHE")
    assert run(tiny_suite, "-o", "old") == 0
    upstream.otherwise = lambda seen: verdict(False)
    judge = str(upstream.model)
    assert run(tiny_suite, "old", "--judge", judge, "-o", "new", verb="regrade") == 0
    assert (trial("old")["judge"], trial("new")["judge"]) == ("rules", judge)
    assert trial("new")["metrics"]["judge_rubric"] == 0.5
    assert "mean reward (rules) was 1.0000" in capsys.readouterr().out
    assert run(tiny_suite, "new", "--judge", judge, "-o", "newer", verb="regrade") == 0
    assert trial("newer")["usage"] == {"judge_calls": 0, "judge_reused": 1}
    assert len(upstream.seen) == 1


def test_a_judge_that_never_answers_validly_leaves_the_trial_unscored(
    tiny_suite: Path, upstream: FakeModel, capsys: Shown
) -> None:
    upstream.otherwise = lambda seen: completion("It is fine.")
    assert run(tiny_suite, "--judge", str(upstream.model), "-o", "out") == 3
    result = trial("out")
    assert (result["outcome"], result["reward"]) == ("unscored", None)
    assert result["reason"].startswith(
        "the judge gave nothing that can be used: the judge's reply cannot be used, nor its repair"
    )
    assert len(upstream.seen) == 2


def test_a_run_with_its_judge_off_is_judged_later(tiny_suite: Path, upstream: FakeModel) -> None:
    assert run(tiny_suite, "--judge", "off", "-o", "old") == 3
    details = json.loads(Path("old/tiny-note/seed-1/oracle/verifier/details.json").read_text())
    assert details["numbers"]["numeric_consistency"] == 1.0
    judge = str(upstream.model)
    assert run(tiny_suite, "old", "--judge", judge, "-o", "new", verb="regrade") == 0
    assert trial("new")["reward"] == 1.0


LIKERT = """\
kind: likert
dimensions:
  - id: tone
    text: The note is plain.
    anchors:
      5: {text: It is.}
      3: {text: Mostly.}
      1: {text: It is not.}
"""


def test_off_needs_no_rules_of_a_rubric_that_they_cannot_answer(
    tiny_suite: Path, capsys: Shown
) -> None:
    tests = tiny_suite / "tasks" / "tiny-note" / "tests"
    (tests / "rubric.yaml").write_text(LIKERT)
    (tests / "rules.py").unlink()
    assert run(tiny_suite, "--judge", "off", "-o", "out") == 3
    assert trial("out")["reason"].startswith("judge off: the rubric is not judged")
    wrong = "cmd:echo 'The fee is $5.' > /app/output/note.md"
    assert run(tiny_suite, "--judge", "off", "-a", wrong, "-o", "wrong") == 0
    assert trial("wrong", "tiny-note/seed-1/cmd")["reward"] == 0.0
