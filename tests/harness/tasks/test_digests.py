from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from pae_harness.errors import TaskError
from pae_harness.tasks.digests import text_digest, tree_digest, tree_files


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "c.txt").write_text("one")
    (tmp_path / "a.sh").write_text("two")
    return tmp_path


def test_the_framing_is_fixed(tree: Path) -> None:
    expected = hashlib.sha256(b"4 a.sh - 3 two" + b"7 b/c.txt - 3 one").hexdigest()
    assert tree_digest(tree) == expected


def test_files_come_sorted_by_path(tree: Path) -> None:
    assert [path.relative_to(tree).as_posix() for path in tree_files(tree)] == ["a.sh", "b/c.txt"]


@pytest.mark.parametrize("mode", [0o600, 0o664, 0o444])
def test_the_umask_does_not_count(tree: Path, mode: int) -> None:
    before = tree_digest(tree)
    (tree / "a.sh").chmod(mode)
    assert tree_digest(tree) == before


def test_the_executable_bit_counts(tree: Path) -> None:
    before = tree_digest(tree)
    (tree / "a.sh").chmod(0o755)
    assert tree_digest(tree) != before


def test_bytes_that_move_between_name_and_content_count(tmp_path: Path) -> None:
    (tmp_path / "1").mkdir()
    (tmp_path / "1" / "ab").write_text("c")
    (tmp_path / "2").mkdir()
    (tmp_path / "2" / "a").write_text("bc")
    assert tree_digest(tmp_path / "1") != tree_digest(tmp_path / "2")


def test_byte_compiled_python_does_not_count(tree: Path) -> None:
    before = tree_digest(tree)
    (tree / "b" / "__pycache__").mkdir()
    (tree / "b" / "__pycache__" / "x.cpython-311.pyc").write_bytes(b"x")
    assert tree_digest(tree) == before


def test_top_level_entries_can_be_left_out(tree: Path) -> None:
    (tree / "b" / "a.sh").write_text("counts")
    (tree / "a.sh").unlink()
    alone = tree_digest(tree)
    (tree / "a.sh").write_text("does not")
    assert tree_digest(tree, without=frozenset({"a.sh"})) == alone


def test_a_link_is_refused(tree: Path) -> None:
    (tree / "b" / "link").symlink_to("c.txt")
    with pytest.raises(TaskError, match="b/link: is a link"):
        tree_digest(tree)


def test_an_absent_folder_is_an_empty_one(tmp_path: Path) -> None:
    assert tree_digest(tmp_path / "none") == hashlib.sha256().hexdigest()


def test_text() -> None:
    assert text_digest("é") == hashlib.sha256(b"\xc3\xa9").hexdigest()
