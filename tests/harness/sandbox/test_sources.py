"""What is said of a mount that the box's user could not read."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from pae_harness.errors import SandboxError
from pae_harness.sandbox.sources import check_sources

SOMEONE = 60_123  # a box's user, as root has them

only_root = pytest.mark.skipif(os.getuid() != 0, reason="only root starts boxes as someone else")
not_root = pytest.mark.skipif(os.getuid() == 0, reason="root may read anything")


@pytest.fixture
def source(tmp_path: Path) -> Iterator[Path]:
    """A folder with a blank in its name, and a file in it; any user may read both."""
    folder = tmp_path / "my agent"
    folder.mkdir(mode=0o755)
    (folder / "file").write_text("given\n")
    (folder / "file").chmod(0o644)
    yield folder
    tmp_path.chmod(0o700)
    folder.chmod(0o700)


def refusal(source: Path, uid: int) -> str:
    with pytest.raises(SandboxError) as caught:
        check_sources([source], uid)
    return str(caught.value)


def test_what_can_be_read_is_not_spoken_of(source: Path) -> None:
    check_sources([source], os.getuid())


def test_what_is_not_there_is_said_to_be_missing(source: Path) -> None:
    said = refusal(source / "none", os.getuid())
    assert said == f"{source}/none cannot be mounted: No such file or directory"


@only_root
def test_root_is_told_to_open_it_to_the_boxs_user(source: Path) -> None:
    (source / "file").chmod(0o600)
    assert refusal(source, SOMEONE) == (
        f"{source}/file cannot be mounted: the box's user ({SOMEONE}, not root) may not read it; "
        f"`chmod -R a+rX '{source}'` lets it"
    )


@not_root
def test_a_user_is_told_to_open_it_to_nobody_else(source: Path) -> None:
    (source / "file").chmod(0o044)
    assert refusal(source, os.getuid()) == (
        f"{source}/file cannot be mounted: you may not read it; `chmod -R u+rX '{source}'` lets you"
    )


@not_root
def test_a_folder_that_can_be_listed_but_not_entered_is_named(source: Path) -> None:
    source.chmod(0o600)
    assert refusal(source, os.getuid()).startswith(f"{source} cannot be mounted: you may not read")


@not_root
def test_a_closed_folder_above_is_named(source: Path) -> None:
    source.parent.chmod(0o600)
    assert refusal(source, os.getuid()) == (
        f"{source} cannot be mounted: you may not enter {source.parent}; "
        f"`chmod u+x {source.parent}` lets you"
    )


@not_root
def test_for_anothers_file_no_useless_command_is_given() -> None:
    said = refusal(Path("/etc/shadow"), os.getuid())
    assert said == (
        "/etc/shadow cannot be mounted: you may not read it; "
        "it is user 0's: mount a copy of your own"
    )
