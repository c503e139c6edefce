"""Finding where control groups can be made, making them, and removing a dead run's."""

from __future__ import annotations

from pathlib import Path

import pytest

from pae_harness.sandbox import cgroups, slots
from pae_harness.sandbox.protocol import Limits

FIRST = "30 25 0:26 / {root}/{name} rw,relatime - cgroup cgroup rw,{name}\n"
SECOND = "40 25 0:30 / {root} rw,relatime - cgroup2 cgroup2 rw\n"


def test_version_1_is_found_per_controller(tmp_path: Path) -> None:
    (tmp_path / "memory/jobs/7").mkdir(parents=True)
    (tmp_path / "pids").mkdir()
    mountinfo = "".join(FIRST.format(root=tmp_path, name=n) for n in ("memory", "pids", "cpu"))
    found = cgroups.find_parents(mountinfo, "8:pids:/\n4:memory:/jobs/7\n1:cpu:/gone\n0::/\n")
    assert found == cgroups.Parents(
        1, {"memory": tmp_path / "memory/jobs/7", "pids": tmp_path / "pids"}
    )


def test_a_mount_that_shows_part_of_the_hierarchy(tmp_path: Path) -> None:
    (tmp_path / "memory/in").mkdir(parents=True)
    mountinfo = f"30 25 0:26 /docker/ab {tmp_path}/memory rw - cgroup cgroup rw,memory\n"
    found = cgroups.find_parents(mountinfo, "4:memory:/docker/ab/in\n")
    assert found.folders == {"memory": tmp_path / "memory/in"}


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """A version 2 hierarchy as systemd makes it: only slices hand controllers on."""
    scope = tmp_path / "user.slice/app.slice/run.scope"
    scope.mkdir(parents=True)
    for folder, given in (
        (scope, ""),
        (scope.parent, "memory pids"),
        (tmp_path, "cpu memory pids"),
    ):
        (folder / "cgroup.subtree_control").write_text(given)
        (folder / "cgroup.procs").write_text("")
    return tmp_path


def test_version_2_is_found_at_the_nearest_slice(session: Path) -> None:
    found = cgroups.find_parents(
        SECOND.format(root=session), "0::/user.slice/app.slice/run.scope\n"
    )
    slice_ = session / "user.slice/app.slice"
    assert found == cgroups.Parents(2, {"memory": slice_, "pids": slice_})


def test_version_2_writes_its_own_settings(session: Path) -> None:
    parents = cgroups.Parents(2, dict.fromkeys(cgroups.CONTROLLERS, session))
    group = cgroups.create(parents, 5, Limits(cpus=1.5, memory_mb=2, pids=10))
    folder = session / cgroups.name_of(5)
    assert (folder / "memory.max").read_text() == str(2 << 20)
    assert (folder / "pids.max").read_text() == str(10 + cgroups.OVERHEAD_PIDS)
    assert (folder / "cpu.max").read_text() == "150000 100000"
    assert group.entrances() == [str(folder / "cgroup.procs")]


def test_version_2_counts_its_events(session: Path) -> None:
    (session / "memory.events").write_text("low 0\noom 3\noom_kill 2\n")
    (session / "pids.events").write_text("max 4\n")
    group = cgroups.Group(2, {"memory": session, "pids": session})
    assert group.events() == (2, 4)


def test_no_groups_at_all_is_an_answer(tmp_path: Path) -> None:
    assert cgroups.find_parents("", "0::/\n").folders == {}


@pytest.fixture
def parents() -> cgroups.Parents:
    found = cgroups.own_parents()
    if not found.folders:
        pytest.skip("no control groups are writable here")
    return found


def test_a_dead_runs_groups_are_removed(parents: cgroups.Parents) -> None:
    group = cgroups.create(parents, 978, Limits())
    assert group.folders
    cgroups.reap(parents)
    assert not any(folder.exists() for folder in group.folders.values())


def test_a_live_runs_groups_are_left_alone(parents: cgroups.Parents) -> None:
    slot = slots.claim(979)
    assert slot is not None
    group = cgroups.create(parents, 979, Limits())
    cgroups.reap(parents)
    assert all(folder.is_dir() for folder in group.folders.values())
    group.remove()
    slot.release()


def test_nobody_elses_groups_are_touched(parents: cgroups.Parents) -> None:
    folder = next(iter(parents.folders.values())) / "pae-test-other"
    folder.mkdir()
    cgroups.reap(parents)
    assert folder.is_dir()
    folder.rmdir()
