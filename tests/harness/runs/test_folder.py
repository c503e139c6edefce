"""The run folder: a trial is there whole, or not at all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pae_harness.errors import RunFolderError, UsageError
from pae_harness.result import TrialKey, TrialResult
from pae_harness.runs.folder import RunFolder

RESULT = TrialResult(TrialKey("t", 1, "oracle"), "scored", 1.0, {"m": 1.0})


def test_a_kept_trial_is_in_its_place_and_in_the_log(tmp_path: Path) -> None:
    run = RunFolder.create(tmp_path / "run", "oracle", {"label": "oracle"})
    draft = run.draft("t/seed-1/oracle")
    (draft / "agent.log").write_text("hello")
    run.keep("t/seed-1/oracle", draft, RESULT)
    place = tmp_path / "run" / "t" / "seed-1" / "oracle"
    assert (place / "agent.log").read_text() == "hello"
    assert json.loads((place / "trial.json").read_text())["reward"] == 1.0
    lines = (tmp_path / "run" / "trials.jsonl").read_text().splitlines()
    assert [json.loads(line)["task"] for line in lines] == ["t"]


def test_a_draft_that_is_not_kept_is_gone_at_the_end(tmp_path: Path) -> None:
    run = RunFolder.create(tmp_path / "run", "oracle", {})
    run.draft("t/seed-1/oracle")
    run.close()
    assert sorted(p.name for p in (tmp_path / "run").iterdir()) == ["run.json", "trials.jsonl"]


def test_a_place_that_is_taken_is_refused(tmp_path: Path) -> None:
    (tmp_path / "something").write_text("")
    with pytest.raises(UsageError, match="already holds something"):
        RunFolder.create(tmp_path, "oracle", {})


def test_a_trial_is_never_kept_twice(tmp_path: Path) -> None:
    run = RunFolder.create(tmp_path / "run", "oracle", {})
    run.keep("t/seed-1/oracle", run.draft("t/seed-1/oracle"), RESULT)
    with pytest.raises(RunFolderError, match="cannot keep t/seed-1/oracle"):
        run.keep("t/seed-1/oracle", run.draft("t/seed-1/oracle"), RESULT)
    assert len((tmp_path / "run" / "trials.jsonl").read_text().splitlines()) == 1


def test_runs_latest_points_at_the_newest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    first = RunFolder.create(None, "oracle", {})
    second = RunFolder.create(None, "oracle", {})
    assert first.path != second.path
    assert (tmp_path / "runs" / "latest").resolve() == second.path.resolve()


def test_a_run_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match=r"cannot write a run folder: .*file.*: Not a directory"):
        RunFolder.create(tmp_path / "file" / "run", "oracle", {})


def test_a_line_that_a_full_disk_refused_is_written_when_there_is_room(tmp_path: Path) -> None:
    run = RunFolder.create(tmp_path / "run", "oracle", {})
    log = tmp_path / "run" / "trials.jsonl"
    log.unlink()
    log.symlink_to("/dev/full")
    run.record(RESULT)
    assert run.close() == 1
    log.unlink()
    assert run.close() == 0
    assert len(log.read_text().splitlines()) == 1
