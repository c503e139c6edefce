from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pae_harness.main import main


@pytest.fixture(autouse=True)
def _inside(sample: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(sample.root)


def test_nothing_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check"]) == 0
    assert capsys.readouterr().out == "1 task checked, nothing wrong\n"


def test_one_line_a_problem(sample: Any, capsys: pytest.CaptureFixture[str]) -> None:
    sample.edit("task.toml", "timeout_sec = 60.0", "timeout_secs = 60.0")
    sample.remove("instruction.md")
    assert main(["check", "sample-note"]) == 1
    assert capsys.readouterr().out == (
        "tasks/sample-note/instruction.md: is missing\n"
        "tasks/sample-note/task.toml:26: unknown key 'timeout_secs' in [agent]; "
        "did you mean 'timeout_sec'?\n"
        "2 problems in 1 of 1 task\n"
    )


def test_json(sample: Any, capsys: pytest.CaptureFixture[str]) -> None:
    sample.edit("task.toml", "tier = 1", "tier = 9")
    assert main(["check", "--json"]) == 1
    assert json.loads(capsys.readouterr().out) == {
        "ok": False,
        "tasks": ["sample-note"],
        "problems": [
            {
                "task": "sample-note",
                "file": "tasks/sample-note/task.toml",
                "line": 11,
                "message": "metadata.tier must be at most 3, not 9",
            }
        ],
    }


def test_an_unknown_task(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "sample-nite"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.endswith("; did you mean 'sample-note'?\n")


def test_a_folder_outside_the_suite(
    sample: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sample.oracle.rename(sample.task / "solution")
    sample.task.rename(tmp_path / "sample-note")
    assert main(["check", "../sample-note"]) == 0
    assert main(["check", str(tmp_path / "sample-note")]) == 0
