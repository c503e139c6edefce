"""put and get: plain files in, plain files out, and nothing by way of a link."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from pae_harness.errors import OutputRefusedError, SandboxError
from pae_harness.sandbox.protocol import Box, Limits, Mount, OutputLimits

Start = Callable[..., Box]
LIMITS = OutputLimits(file_bytes=1000, total_bytes=2500, files=5)


def left_by(start: Start, program: str) -> Box:
    """A killed box in which a shell ran ``program`` in /app."""
    box = start(writable=("/tmp", "/app"))
    done = box.exec(["sh", "-c", program], timeout=60, cwd="/app")
    assert done.exit_code == 0, done.stderr
    box.kill()
    return box


def refusal(box: Box, path: str, into: Path) -> str:
    with pytest.raises(OutputRefusedError) as caught:
        box.get(path, into, LIMITS)
    return str(caught.value)


def test_a_file_is_copied_out(start: Start, tmp_path: Path) -> None:
    box = left_by(start, "printf 'caf\\351 \\000' > memo.md")
    assert box.get("/app/memo.md", tmp_path / "out" / "memo.md", LIMITS)
    assert (tmp_path / "out" / "memo.md").read_bytes() == b"caf\xe9 \0"


def test_a_folder_is_copied_out(start: Start, tmp_path: Path) -> None:
    box = left_by(start, "mkdir -p d/e d/empty; echo 1 > d/a; echo 2 > d/e/b")
    assert box.get("/app/d", tmp_path / "d", LIMITS)
    found = {str(p.relative_to(tmp_path)) for p in (tmp_path / "d").rglob("*")}
    assert found == {"d/a", "d/e", "d/e/b", "d/empty"}
    assert (tmp_path / "d/e/b").read_text() == "2\n"


def test_a_whole_writable_folder_is_copied_out(start: Start, tmp_path: Path) -> None:
    box = left_by(start, "echo 1 > a")
    assert box.get("/app", tmp_path / "app", LIMITS)
    assert (tmp_path / "app/a").read_text() == "1\n"


def test_a_large_file_arrives_whole(start: Start, tmp_path: Path) -> None:
    box = left_by(start, "seq 300000 > numbers")
    assert box.get("/app/numbers", tmp_path / "numbers", OutputLimits())
    assert (tmp_path / "numbers").read_text() == "".join(f"{n}\n" for n in range(1, 300001))


@pytest.mark.parametrize("path", ["/app/none", "/app/no/such", "/usr/bin/sh", "/etc/passwd"])
def test_where_nothing_was_written_nothing_is_found(
    start: Start, tmp_path: Path, path: str
) -> None:
    assert not left_by(start, "true").get(path, tmp_path / "out", LIMITS)
    assert not (tmp_path / "out").exists()


def test_a_path_that_leads_out_of_its_folder_is_refused(start: Start, tmp_path: Path) -> None:
    box = left_by(start, "true")
    with pytest.raises(SandboxError, match="plain"):
        box.get("/app/../etc/passwd", tmp_path / "out", LIMITS)


def test_the_innermost_writable_folder_counts(start: Start, tmp_path: Path) -> None:
    box = start(writable=("/app", "/app/output"))
    box.exec(["sh", "-c", "echo inner > /app/output/memo.md"], timeout=60)
    box.kill()
    assert box.get("/app/output/memo.md", tmp_path / "memo.md", LIMITS)
    assert (tmp_path / "memo.md").read_text() == "inner\n"


@pytest.mark.parametrize(
    ("program", "path"),
    [
        ("ln -s /etc/passwd memo.md", "/app/memo.md"),
        ("echo 1 > a; ln -s a memo.md", "/app/memo.md"),
        ("ln -s /nowhere memo.md", "/app/memo.md"),
        ("ln -s /etc d", "/app/d/passwd"),
        ("mkdir real; echo 1 > real/memo.md; ln -s real d", "/app/d/memo.md"),
        ("ln -s /etc d", "/app/d"),
        ("mkdir d; ln -s /etc/passwd d/x", "/app/d"),
        ("mkdir -p d/e; ln -s / d/e/x", "/app/d"),
        ("echo 1 > a; ln a memo.md", "/app/memo.md"),
        ("mkfifo memo.md", "/app/memo.md"),
        ("mkdir d; mkfifo d/pipe", "/app/d"),
        ("mkdir memo.md; mkdir memo.md/x; mkfifo memo.md/x/y", "/app/memo.md"),
        ("echo 1 > memo.md; chmod 000 memo.md", "/app/memo.md"),
        ("mkdir d; echo 1 > d/a; chmod 000 d", "/app/d/a"),
        ("echo 1 > a", "/app/a/b"),
        ("mkdir d; echo 1 > d/$(printf 'a\\377')", "/app/d"),
        ("python3 -c \"import os; [os.mkdir('d') or os.chdir('d') for _ in range(40)]\"", "/app/d"),
    ],
)
def test_what_is_not_a_plain_file_or_folder_is_refused(
    start: Start, tmp_path: Path, program: str, path: str
) -> None:
    refusal(left_by(start, program), path, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_socket_is_refused(start: Start, tmp_path: Path) -> None:
    program = "python3 -c \"import socket; socket.socket(socket.AF_UNIX).bind('memo.md')\""
    assert "neither a plain file" in refusal(
        left_by(start, program), "/app/memo.md", tmp_path / "o"
    )


def test_a_file_over_the_limit_is_refused(start: Start, tmp_path: Path) -> None:
    box = left_by(start, "head -c 1001 /dev/zero > memo.md")
    assert "1001 bytes" in refusal(box, "/app/memo.md", tmp_path / "memo.md")


def test_a_file_of_exactly_the_limit_is_taken(start: Start, tmp_path: Path) -> None:
    box = left_by(start, "head -c 1000 /dev/zero > memo.md")
    assert box.get("/app/memo.md", tmp_path / "memo.md", LIMITS)


def test_a_sparse_file_counts_at_its_full_size(start: Start, tmp_path: Path) -> None:
    box = left_by(start, "truncate -s 50G memo.md")
    assert "53687091200 bytes" in refusal(box, "/app/memo.md", tmp_path / "memo.md")


def test_too_much_in_all_is_refused(start: Start, tmp_path: Path) -> None:
    box = left_by(start, "mkdir d; for i in 1 2 3; do head -c 900 /dev/zero > d/$i; done")
    assert "2500 bytes in all" in refusal(box, "/app/d", tmp_path / "d")


def test_too_many_files_are_refused(start: Start, tmp_path: Path) -> None:
    box = left_by(start, "mkdir d; touch d/1 d/2 d/3 d/4 d/5")
    assert "more than 5 files" in refusal(box, "/app/d", tmp_path / "d")


def test_a_refusal_leaves_the_box_usable(start: Start, tmp_path: Path) -> None:
    box = left_by(start, "ln -s /etc bad; echo 1 > good")
    refusal(box, "/app/bad", tmp_path / "bad")
    assert box.get("/app/good", tmp_path / "good", LIMITS)


def test_get_waits_for_the_kill(start: Start, tmp_path: Path) -> None:
    with pytest.raises(SandboxError):
        start().get("/tmp", tmp_path / "out", LIMITS)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A private folder: a note, a script, and an empty folder."""
    root = tmp_path / "tree"
    (root / "app/empty").mkdir(parents=True)
    (root / "app/note.txt").write_text("note\n")
    (root / "app/run.sh").write_text("#!/bin/sh\necho ran\n")
    (root / "app/run.sh").chmod(0o700)
    (root / "app/note.txt").chmod(0o600)
    (root / "app").chmod(0o700)
    return root


def test_a_tree_is_put_with_modes_that_the_box_can_use(start: Start, tree: Path) -> None:
    box = start(writable=("/tmp", "/app"))
    box.put(tree / "app", "/app")
    program = "stat -c '%a %U %n' * && ./run.sh && cat note.txt && rm -r *"
    done = box.exec(["sh", "-c", program], timeout=60, cwd="/app")
    assert done.stdout.decode() == (
        "755 agent empty\n644 agent note.txt\n755 agent run.sh\nran\nnote\n"
    )


def test_a_tree_is_put_below_a_new_folder(start: Start, tree: Path) -> None:
    box = start()
    box.put(tree, "/tmp/a/b")
    assert box.exec(["cat", "/tmp/a/b/app/note.txt"], timeout=60).stdout == b"note\n"


def test_put_replaces_files(start: Start, tree: Path) -> None:
    box = start()
    box.exec(["sh", "-c", "mkdir /tmp/app; echo old > /tmp/app/note.txt"], timeout=60)
    box.put(tree, "/tmp")
    assert box.exec(["cat", "/tmp/app/note.txt"], timeout=60).stdout == b"note\n"


def test_a_large_tree_arrives_whole(start: Start, tmp_path: Path) -> None:
    content = os.urandom(3 << 20)
    (tmp_path / "big").mkdir()
    (tmp_path / "big/file").write_bytes(content)
    box = start()
    box.put(tmp_path / "big", "/tmp")
    box.kill()
    assert box.get("/tmp/file", tmp_path / "back", OutputLimits())
    assert (tmp_path / "back").read_bytes() == content


def test_what_does_not_fit_is_the_boxs_failure(start: Start, tmp_path: Path) -> None:
    (tmp_path / "big").mkdir()
    (tmp_path / "big/file").write_bytes(bytes(9 << 20))
    box = start(limits=Limits(storage_mb=8))
    with pytest.raises(SandboxError, match="No space left"):
        box.put(tmp_path / "big", "/tmp")


def test_put_goes_only_to_writable_folders(start: Start, tree: Path) -> None:
    with pytest.raises(SandboxError, match="/opt"):
        start().put(tree, "/opt")


def test_put_takes_no_links(start: Start, tree: Path) -> None:
    (tree / "link").symlink_to("/etc/passwd")
    with pytest.raises(SandboxError, match="link"):
        start().put(tree, "/tmp")


def test_put_writes_through_no_link_of_the_boxs(start: Start, tree: Path) -> None:
    box = start(writable=("/tmp", "/app"))
    box.exec(["sh", "-c", "ln -s /box/etc /tmp/app; ln -s /app /tmp/x"], timeout=60)
    with pytest.raises(SandboxError):
        box.put(tree, "/tmp")
    assert box.exec(["ls", "/app"], timeout=60).stdout == b""


def test_what_is_copied_out_can_be_shown_to_another_box(start: Start, tmp_path: Path) -> None:
    box = left_by(start, "mkdir -p a/b; echo hi > a/b/c")
    before = os.umask(0o077)
    try:
        box.get("/app/a", tmp_path / "a", LIMITS)
    finally:
        os.umask(before)
    other = start(mounts=(Mount(tmp_path / "a", "/in"),))
    assert other.exec(["cat", "/in/b/c"], timeout=60).stdout == b"hi\n"
