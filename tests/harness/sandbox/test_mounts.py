"""What a box is given: read-only mounts, packages, and folders of its own."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from pae_harness.errors import SandboxError
from pae_harness.sandbox.protocol import Box, Mount

Start = Callable[..., Box]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "source"
    folder.mkdir()
    (folder / "file").write_text("given\n")
    return folder


def test_a_folder_is_mounted_read_only(start: Start, source: Path) -> None:
    box = start(mounts=(Mount(source, "/solution"),))
    assert box.exec(["cat", "/solution/file"], timeout=60).stdout == b"given\n"
    done = box.exec(["sh", "-c", "echo x > /solution/file"], timeout=60)
    assert b"Read-only" in done.stderr
    assert (source / "file").read_text() == "given\n"


def test_a_file_is_mounted_below_a_writable_folder(start: Start, source: Path) -> None:
    box = start(writable=("/app",), mounts=(Mount(source / "file", "/app/data/file"),))
    done = box.exec(["sh", "-c", "cat /app/data/file; touch /app/new"], timeout=60)
    assert (done.exit_code, done.stdout) == (0, b"given\n")


def test_a_folder_behind_a_private_one_can_be_mounted(start: Start, source: Path) -> None:
    source.parent.chmod(0o700)
    box = start(mounts=(Mount(source, "/solution"),))
    assert box.exec(["cat", "/solution/file"], timeout=60).stdout == b"given\n"


def test_a_mount_that_is_not_there_is_named(start: Start, tmp_path: Path) -> None:
    with pytest.raises(SandboxError, match=r"none cannot be mounted: No such file"):
        start(mounts=(Mount(tmp_path / "none", "/x"),))


@pytest.mark.skipif(os.getuid() != 0, reason="only root can read what a box's user cannot")
@pytest.mark.parametrize("closed", ["source", "source/file"])
def test_a_mount_that_the_box_could_not_read_is_named(
    start: Start, source: Path, closed: str
) -> None:
    path = source.parent / closed
    path.chmod(0o700 if path.is_dir() else 0o600)
    with pytest.raises(SandboxError, match=rf"{closed} cannot be mounted: .*chmod -R a\+rX"):
        start(mounts=(Mount(source, "/solution"),))


@pytest.mark.parametrize(
    "target", ["relative", "/", "/usr/x", "/proc", "/dev/x", "/etc/x", "/a/../b", "/a/", "/box/x"]
)
def test_a_box_has_no_folder_at_an_impossible_place(start: Start, target: str) -> None:
    with pytest.raises(SandboxError):
        start(writable=(target,))


def test_a_folder_is_given_once(start: Start, source: Path) -> None:
    with pytest.raises(SandboxError, match="twice"):
        start(writable=("/app",), mounts=(Mount(source, "/app"),))


def test_the_verifier_can_be_imported_in_isolated_mode(start: Start) -> None:
    box = start(software="verifier")
    done = box.exec(["python3", "-I", "-m", "pae_verifiers", "--help"], timeout=60)
    assert (done.exit_code, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"usage: ")


def test_the_verifiers_packages_are_the_only_ones(start: Start) -> None:
    box = start(software="verifier")
    program = (
        "import importlib.util as u\n"
        "for name in ('pae_schemas', 'yaml', 'pip', 'pytest', 'pae_harness'):\n"
        "    print(name, u.find_spec(name) is not None)"
    )
    done = box.exec(["python3", "-I", "-c", program], timeout=60)
    assert done.stdout.decode().split("\n")[:-1] == [
        "pae_schemas True",
        "yaml True",
        "pip False",
        "pytest False",
        "pae_harness False",
    ]


def test_packages_are_read_only(start: Start) -> None:
    box = start(software="verifier")
    program = (
        "import site, pae_verifiers\n"
        "for place in (*site.getsitepackages(), *pae_verifiers.__path__):\n"
        "    try: open(place + '/file', 'a')\n"
        "    except OSError as error: print(error.errno)"
    )
    done = box.exec(["python3", "-I", "-c", program], timeout=60)
    assert set(done.stdout.split()) <= {b"30", b"13", b"2"}
    assert done.exit_code == 0


def test_writable_folders_are_empty_and_the_users_own(start: Start) -> None:
    box = start(writable=("/app", "/logs/agent", "/root"))
    program = "ls -A /app /logs/agent; touch /app/a /logs/agent/b /root/c && python3 -V >&2"
    done = box.exec(["sh", "-c", program], timeout=60)
    assert (done.exit_code, done.stdout) == (0, b"/app:\n\n/logs/agent:\n")
