"""The edge to the file system: hostile outputs are refused before they are read."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from pae_verifiers import files
from pae_verifiers.errors import DocumentError, VerifierInputError

MEMO = "/app/output/memo.md"


@pytest.fixture
def memo(tmp_path: Path) -> Path:
    path = tmp_path / "app/output/memo.md"
    path.parent.mkdir(parents=True)
    return path


def test_a_plain_file_is_read(memo: Path, tmp_path: Path) -> None:
    memo.write_bytes(b"Dear client")
    assert files.read_document(tmp_path, MEMO) == b"Dear client"


def test_a_missing_file_or_folder_is_none(tmp_path: Path) -> None:
    assert files.read_document(tmp_path, MEMO) is None


def test_a_link_is_refused(memo: Path, tmp_path: Path) -> None:
    memo.symlink_to("/etc/passwd")
    with pytest.raises(DocumentError, match=r"memo\.md is a link, not a plain file"):
        files.read_document(tmp_path, MEMO)


def test_a_linked_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "app").symlink_to("/etc")
    with pytest.raises(DocumentError, match=r"^/app is a link, not a plain folder$"):
        files.read_document(tmp_path, "/app/passwd")


def test_a_folder_is_refused(memo: Path, tmp_path: Path) -> None:
    memo.mkdir()
    with pytest.raises(DocumentError, match="is a folder, not a plain file"):
        files.read_document(tmp_path, MEMO)


def test_a_fifo_is_refused_without_waiting_for_a_writer(memo: Path, tmp_path: Path) -> None:
    os.mkfifo(memo)
    with pytest.raises(DocumentError, match="is a FIFO, not a plain file"):
        files.read_document(tmp_path, MEMO)


def test_a_socket_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # a socket's path must be short
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("memo.md")
        with pytest.raises(DocumentError, match="is a socket, not a plain file"):
            files.read_document(tmp_path, "/memo.md")


def test_a_device_is_refused() -> None:
    with pytest.raises(DocumentError, match="is a device, not a plain file"):
        files.read_document(Path("/dev"), "/zero")


def test_a_sparse_giant_is_refused_by_its_size(memo: Path, tmp_path: Path) -> None:
    memo.touch()
    os.truncate(memo, 50 << 20)
    with pytest.raises(DocumentError, match=r"larger than 64 KB \(52428800 bytes\)"):
        files.read_document(tmp_path, MEMO)


def test_only_a_plain_file_counts_as_present(memo: Path, tmp_path: Path) -> None:
    memo.symlink_to("/etc/passwd")
    (memo.parent / "data.csv").touch()
    assert files.is_plain_file(tmp_path, "/app/output/data.csv")
    assert not files.is_plain_file(tmp_path, MEMO)
    assert not files.is_plain_file(tmp_path, "/app/output/other.csv")


def test_a_missing_input_is_the_task_s_fault(tmp_path: Path) -> None:
    with pytest.raises(VerifierInputError, match=r"^rubric\.yaml: cannot be read: No such file"):
        files.read_input(tmp_path, "rubric.yaml")


def test_an_input_that_is_not_text_is_the_task_s_fault(tmp_path: Path) -> None:
    (tmp_path / "facts.yaml").write_bytes(b"a: \xff")
    with pytest.raises(VerifierInputError, match=r"^facts\.yaml: not UTF-8 text \(byte 3\)$"):
        files.read_input(tmp_path, "facts.yaml")


def test_a_written_file_leaves_no_partial_one(tmp_path: Path) -> None:
    files.write(tmp_path / "reward.json", "{}\n")
    assert [path.name for path in tmp_path.iterdir()] == ["reward.json"]
