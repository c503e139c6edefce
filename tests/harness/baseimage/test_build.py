"""A root on its way into the cache."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pae_harness.baseimage import current_root
from pae_harness.baseimage.build import built_root, keep
from pae_harness.baseimage.root import Manifest
from pae_harness.baseimage.sources import Sources
from pae_harness.baseimage.tree import Tree, file, folder
from pae_harness.errors import BaseImageError, PaeError

TREE: Tree = {"etc": folder(), "etc/hosts": file(b"127.0.0.1 localhost\n")}
MANIFEST = Manifest("c" * 64, "bookworm", "amd64", {"bash": "5.2"}, "3.11.2")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PAE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_a_root_that_is_kept_is_the_current_one(cache: Path) -> None:
    home = keep(TREE, MANIFEST)
    root = current_root(cache)
    assert root is not None
    assert root.path == home / "fs" == cache / "root" / MANIFEST.digest / "fs"
    assert (root.path / "etc" / "hosts").read_bytes() == b"127.0.0.1 localhost\n"


def test_an_older_root_becomes_current_again_when_it_is_made_again(cache: Path) -> None:
    keep(TREE, MANIFEST)
    newer = Manifest("d" * 64, "bookworm", "amd64", {"bash": "5.3"}, "3.11.2")
    keep(TREE, newer)
    keep(TREE, MANIFEST)
    root = current_root(cache)
    assert root is not None and root.digest == MANIFEST.digest


@pytest.mark.parametrize("gone", ["fs", "manifest.json"])
def test_a_root_that_was_half_deleted_is_made_anew(cache: Path, gone: str) -> None:
    home = keep(TREE, MANIFEST)
    shutil.move(home / gone, cache / "elsewhere")
    assert current_root(cache) is None
    keep(TREE, MANIFEST)
    assert current_root(cache) is not None


def test_without_mmdebstrap_nothing_is_begun(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    with (
        pytest.raises(BaseImageError, match="apt-get install mmdebstrap"),
        built_root(Sources("bookworm"), lambda line: None),
    ):
        pass
    assert not cache.exists()


def test_a_cache_that_cannot_be_written_is_a_sentence(cache: Path) -> None:
    cache.write_text("")
    with pytest.raises(PaeError, match="set PAE_CACHE to a folder that can be written"):
        keep(TREE, MANIFEST)
