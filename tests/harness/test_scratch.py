"""Scratch folders: whose they are stands in their names, and those of dead processes can go."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pae_harness import owner
from pae_harness.cache import cached_folder
from pae_harness.scratch import scratch_prefix, sweep

DIES = """\
import os, signal, sys, tempfile
from pathlib import Path
from pae_harness.cache import cached_folder
from pae_harness.scratch import scratch_prefix

def build(folder):
    (folder / "half").write_text("x")
    os.kill(os.getpid(), signal.SIGKILL)

Path(tempfile.mkdtemp(prefix=scratch_prefix("trial")), "left").mkdir()
cached_folder("fixtures", "key", build)
"""


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """A cache and a temporary folder, in which a process has died."""
    cache, temporary = tmp_path / "cache", tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("PAE_CACHE", str(cache))
    monkeypatch.setenv("TMPDIR", str(temporary))
    subprocess.run([sys.executable, "-c", DIES], check=False)
    assert len(list(cache.glob("fixtures/.draft-*"))) == 1
    assert len(list(temporary.iterdir())) == 1
    return cache, temporary


def test_what_a_dead_process_left_goes(places: tuple[Path, Path]) -> None:
    assert len(sweep(*places)) == 2
    assert list(places[1].iterdir()) == []
    assert list((places[0] / "fixtures").iterdir()) == []


def test_what_a_live_process_works_in_stays(places: tuple[Path, Path]) -> None:
    cache, temporary = places
    (temporary / f"{scratch_prefix('trial')}abcd").mkdir()
    kept: list[str] = []

    def build(folder: Path) -> None:
        sweep(cache, temporary)
        kept.append(folder.name)
        assert folder.is_dir()

    cached_folder("fixtures", "other", build)
    assert kept[0].startswith(f".draft-{owner.me().prefix}")
    assert [path.name for path in temporary.iterdir()] == [f"{scratch_prefix('trial')}abcd"]


def test_what_names_no_process_stays(places: tuple[Path, Path]) -> None:
    cache, temporary = places
    (temporary / "pae-trial-notes").mkdir()
    (cache / "fixtures" / ".draft-old").mkdir()
    sweep(cache, temporary)
    assert [path.name for path in temporary.iterdir()] == ["pae-trial-notes"]
    assert [path.name for path in (cache / "fixtures").iterdir()] == [".draft-old"]


def test_a_link_with_such_a_name_leads_nowhere(places: tuple[Path, Path], tmp_path: Path) -> None:
    cache, temporary = places
    name = next(temporary.iterdir()).name
    precious = tmp_path / "precious"
    precious.mkdir()
    (temporary / f"{name}x").symlink_to(precious)
    sweep(cache, temporary)
    assert precious.is_dir()
    assert [path.name for path in temporary.iterdir()] == [f"{name}x"]


def test_a_number_given_out_again_is_another_process() -> None:
    mine = owner.me()
    before = owner.Owner(mine.uid, mine.pid, "1", mine.namespace, mine.boot)
    assert before.dead(mine)
    assert not mine.dead(mine)


def test_what_another_boot_left_is_dead_and_another_container_cannot_be_seen() -> None:
    mine = owner.me()
    assert owner.Owner(mine.uid, mine.pid, mine.started, mine.namespace, "0-0").dead(mine)
    assert not owner.Owner(mine.uid, 1, "1", "1", mine.boot).dead(mine)
