from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pae_harness.errors import TaskError, UsageError
from pae_harness.tasks import Selected, Suite, find_suite, select


@pytest.fixture
def suite(sample: Any) -> Suite:
    root: Path = sample.root
    return Suite(root / "tasks", root / "oracles")


def test_the_nearest_parent_with_tasks(sample: Any, suite: Suite) -> None:
    assert find_suite(sample.root) == suite
    assert find_suite(sample.task / "tests") == suite


def test_a_tasks_folder_without_a_task_is_no_suite(sample: Any, suite: Suite) -> None:
    inner: Path = sample.root / "project" / "tasks" / "notes"
    inner.mkdir(parents=True)
    assert find_suite(inner) == suite


def test_the_flag_wins(sample: Any, suite: Suite, tmp_path: Path) -> None:
    assert find_suite(tmp_path, Path("suite/tasks")) == suite


def test_the_configuration_file(sample: Any, suite: Suite, tmp_path: Path) -> None:
    (tmp_path / "pae.toml").write_text('tasks = "suite/tasks"\n')
    (tmp_path / "below").mkdir()
    assert find_suite(tmp_path / "below") == suite


def test_a_configuration_file_that_says_nothing_of_tasks(sample: Any, suite: Suite) -> None:
    (sample.root / "pae.toml").write_text("")
    assert find_suite(sample.task) == suite


def test_no_suite(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        find_suite(tmp_path)
    assert str(caught.value) == (
        f"no tasks found from {tmp_path} upwards: give --tasks DIR, or name the folder in pae.toml"
    )


def test_a_flag_that_is_no_folder(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"the tasks' folder .*/none does not exist"):
        find_suite(tmp_path, Path("none"))


def test_a_flag_one_level_too_high(sample: Any) -> None:
    with pytest.raises(UsageError) as caught:
        find_suite(sample.root, sample.root)
    assert str(caught.value) == (
        f"the tasks' folder {sample.root} holds no task; did you mean {sample.root}/tasks?"
    )


def test_names_count_broken_tasks_and_leave_out_what_is_none(suite: Suite) -> None:
    (suite.tasks / "broken" / "tests").mkdir(parents=True)
    (suite.tasks / "empty").mkdir()
    (suite.tasks / "_draft" / "tests").mkdir(parents=True)
    assert suite.names() == ("broken", "sample-note")


def test_a_task_by_its_name(suite: Suite) -> None:
    assert suite.find("sample-note").load().name == "sample-note"


def test_an_unknown_task(suite: Suite) -> None:
    with pytest.raises(UsageError) as caught:
        suite.find("sample-notes")
    assert str(caught.value) == (
        f"there is no task 'sample-notes' in {suite.tasks}; did you mean 'sample-note'?"
    )


def test_a_broken_task(sample: Any, suite: Suite) -> None:
    sample.remove("instruction.md")
    with pytest.raises(TaskError, match=r"instruction.md: is missing"):
        suite.find("sample-note").load()


def test_a_task_by_its_path(sample: Any, suite: Suite, tmp_path: Path) -> None:
    other: Path = tmp_path / "elsewhere"
    sample.oracle.rename(sample.task / "solution")
    sample.task.rename(other)
    assert select([str(other)], sample.root) == [Selected(other, None)]
    assert select(["elsewhere/"], tmp_path) == [Selected(other, None)]
    assert select(["elsewhere"], tmp_path) == [Selected(other, None)]
    assert select(["."], other) == [Selected(other, None)]


def test_a_path_without_a_task(sample: Any) -> None:
    with pytest.raises(UsageError, match=r"there is no task folder at .*/tasks/none"):
        select(["tasks/none"], sample.root)


def test_no_names_select_the_whole_suite(sample: Any, suite: Suite) -> None:
    assert select([], sample.root) == [Selected(sample.task, suite.oracles)]


def test_a_task_named_twice_is_selected_once(sample: Any) -> None:
    assert len(select(["sample-note", "sample-note"], sample.root)) == 1
