from __future__ import annotations

import json
from typing import Any

import pytest

from pae_harness.main import main


@pytest.fixture(autouse=True)
def _inside(sample: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(sample.root)


def test_one_line_a_task(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list"]) == 0
    assert capsys.readouterr().out == (
        "sample-note\t1\tSamples\tdraft\t2\tWrite a short note on one trade.\n"
    )


def test_a_table_on_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setenv("COLUMNS", "100")
    assert main(["list"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines() if line.strip(" ─")]
    assert lines[0] == ["name", "tier", "theme", "status", "traps", "description"]
    assert lines[1][:5] == ["sample-note", "1", "Samples", "draft", "2"]


def test_json(sample: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "tasks": [
            {
                "name": "sample-note",
                "version": "1.0.0",
                "tier": 1,
                "theme": "Samples",
                "status": "draft",
                "reward_type": "llm-judge-hybrid",
                "traps": ["invented_number", "market_forecast"],
                "inputs": ["/app/data/results.json", "/app/data/policy.yaml"],
                "outputs": ["/app/output/note.md"],
                "description": "Write a short note on one trade.",
                "path": str(sample.task),
            }
        ],
        "broken": [],
    }


def test_a_broken_task_is_listed_and_told(sample: Any, capsys: pytest.CaptureFixture[str]) -> None:
    sample.remove("instruction.md")
    assert main(["list"]) == 2
    captured = capsys.readouterr()
    assert captured.out == "sample-note\t\t\tbroken\t\tsee the message below\n"
    assert captured.err == f"pae: {sample.task}/instruction.md: is missing\n"
