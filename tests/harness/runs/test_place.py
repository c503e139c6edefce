"""The default run folder: beside the suite, and never within a task."""

from __future__ import annotations

from pathlib import Path

import pytest

from pae_harness.main import main
from pae_harness.runs.place import runs_folder
from pae_harness.tasks import Task, check


@pytest.mark.parametrize("below", [".", "tasks", "tasks/tiny-note", "tasks/tiny-note/tests"])
def test_within_a_suite_it_is_beside_the_tasks(tiny_suite: Path, below: str) -> None:
    assert runs_folder(tiny_suite / below) == tiny_suite / "runs"


def test_elsewhere_it_is_where_one_stands(tmp_path: Path) -> None:
    assert runs_folder(tmp_path) == tmp_path / "runs"


def test_a_task_on_its_own_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "task.toml").write_text("")
    assert runs_folder(tmp_path) == tmp_path.parent / "runs"


def test_running_within_a_task_does_not_break_it(
    tiny: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tiny.path)
    assert main(["run", ".", "-a", "nop", "-s", "1", "-q"]) == 0
    assert check(tiny.path) == []
    assert (tiny.path.parent.parent / "runs" / "latest" / "trials.jsonl").is_file()
