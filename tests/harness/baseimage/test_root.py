"""Which root of a cache is the current one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pae_harness.baseimage import Root, current_root
from pae_harness.baseimage.root import Manifest, mark_current

DIGEST = "a" * 64


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    """A cache with one root, which is the current one."""
    home = tmp_path / "root" / DIGEST
    (home / "fs").mkdir(parents=True)
    manifest = Manifest(DIGEST, "bookworm", "amd64", {"bash": "5.2"}, "3.11.2")
    (home / "manifest.json").write_text(json.dumps(manifest.to_json()))
    mark_current(tmp_path, DIGEST)
    return tmp_path


def test_the_current_root(cache: Path) -> None:
    folder = cache / "root" / DIGEST / "fs"
    assert current_root(cache) == Root(folder, DIGEST, "3.11.2", "amd64")


def test_the_mark_is_a_line_and_nothing_is_left_beside_it(cache: Path) -> None:
    assert (cache / "root" / "current").read_text() == f"{DIGEST}\n"
    assert sorted(path.name for path in (cache / "root").iterdir()) == [DIGEST, "current"]


def test_the_mark_moves_to_a_newer_root(cache: Path) -> None:
    mark_current(cache, "b" * 64)
    assert (cache / "root" / "current").read_text() == f"{'b' * 64}\n"


def test_an_empty_cache_has_no_root(tmp_path: Path) -> None:
    assert current_root(tmp_path) is None


@pytest.mark.parametrize("gone", ["fs", "manifest.json"])
def test_half_a_root_is_none(cache: Path, gone: str) -> None:
    (cache / "root" / DIGEST / gone).rename(cache / "moved")
    assert current_root(cache) is None


@pytest.mark.parametrize("text", ["", "[]", "{", '{"digest": "other"}', '{"python": "3.11.2"}'])
def test_a_manifest_of_no_use_is_none(cache: Path, text: str) -> None:
    (cache / "root" / DIGEST / "manifest.json").write_text(text)
    assert current_root(cache) is None


def test_the_manifest_says_what_the_root_is_made_of(cache: Path) -> None:
    text = (cache / "root" / DIGEST / "manifest.json").read_text()
    assert json.loads(text) == {
        "digest": DIGEST,
        "suite": "bookworm",
        "architecture": "amd64",
        "packages": {"bash": "5.2"},
        "python": "3.11.2",
    }
