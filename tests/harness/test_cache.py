"""The cache: built once, and never half."""

from __future__ import annotations

from pathlib import Path

import pytest

from pae_harness.cache import cache_root, cached_folder, require_cache
from pae_harness.errors import RunFolderError, UsageError


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAE_CACHE", str(tmp_path / "cache"))


def test_a_folder_is_built_once() -> None:
    built: list[Path] = []

    def build(folder: Path) -> None:
        built.append(folder)
        (folder / "x").write_text("1")

    first = cached_folder("kind", "key", build)
    assert cached_folder("kind", "key", build) == first
    assert len(built) == 1
    assert (first / "x").read_text() == "1"


def test_a_build_that_fails_leaves_nothing(tmp_path: Path) -> None:
    def build(folder: Path) -> None:
        (folder / "half").write_text("")
        raise OSError("disk full")

    with pytest.raises(RunFolderError, match="disk full"):
        cached_folder("kind", "key", build)
    assert list((tmp_path / "cache" / "kind").iterdir()) == []


def test_a_cache_that_cannot_be_written_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PAE_CACHE", str(tmp_path / "file"))
    with pytest.raises(RunFolderError, match="set PAE_CACHE to a folder that can be written"):
        cached_folder("kind", "key", lambda folder: None)


def test_a_cache_that_cannot_be_written_is_found_before_a_trial_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PAE_CACHE", str(tmp_path / "file"))
    with pytest.raises(UsageError, match=r"cannot write the cache: .*file: .*; set PAE_CACHE"):
        require_cache()


def test_a_user_without_a_home_is_told_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PAE_CACHE", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("os.getuid", lambda: 4_000_000)
    with pytest.raises(UsageError, match="no home folder for the cache; set PAE_CACHE"):
        cache_root()


def test_a_relative_cache_is_where_pae_was_started(monkeypatch: pytest.MonkeyPatch) -> None:
    """A box mounts from it, and is started elsewhere."""
    monkeypatch.setenv("PAE_CACHE", "mine")
    assert cache_root() == Path.cwd() / "mine"
