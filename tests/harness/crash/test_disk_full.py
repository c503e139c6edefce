"""A disk that is full while a run writes to it: a sentence, exit code 3, and nothing is lost."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.harness.crash.place import REWARDS, Place

pytestmark = pytest.mark.slow


@pytest.fixture
def small_disk(place: Place) -> Iterator[Path]:
    """A file system of 256 KB at the place's folder ``disk``."""
    disk = place.root / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(disk)]
    if os.getuid() != 0 or subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("only root may mount a small file system here")
    try:
        yield disk
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)


def fill(disk: Path, but: int) -> Path:
    """Fill the disk up to ``but`` bytes."""
    ballast = disk / "ballast"
    free = os.statvfs(disk)
    ballast.write_bytes(bytes(free.f_bavail * free.f_frsize - but))
    return ballast


@pytest.mark.parametrize("room", [0, 16, 40])
def test_resume_completes_once_there_is_room(place: Place, small_disk: Path, room: int) -> None:
    ballast = fill(small_disk, room << 10)
    done = place.run("run", "-o", "disk/out", "-j", "1")
    if room == 0:
        assert done.code == 2
        assert "No space left on device; free some space, or give a folder" in done.said
    else:
        assert done.code == 3
        reasons = [row["reason"] for row in done.data["results"] if row["outcome"] == "unscored"]
        assert reasons
        assert all("No space left on device" in reason for reason in reasons)
    before = place.whole_lines("disk/out")
    ballast.unlink()
    again = place.go_on("disk/out")
    assert again.code == 0, again.said
    assert place.whole_lines("disk/out")[: len(before)] == before
    results = {row["seed"]: (row["outcome"], row["reward"]) for row in again.data["results"]}
    assert results == REWARDS
    scored = [
        row for row in map(json.loads, place.whole_lines("disk/out")) if row["reward"] is not None
    ]
    assert len(scored) == len(REWARDS)
    assert [found for found in place.left() if "/disk tmpfs" not in found] == []
