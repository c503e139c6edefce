"""mmdebstrap's command line, and its failures as sentences."""

from __future__ import annotations

from pathlib import Path

import pytest

from pae_harness.baseimage.debootstrap import command, failure, require_mmdebstrap
from pae_harness.baseimage.sources import Sources
from pae_harness.errors import BaseImageError

SOURCES = Sources("bookworm", ("https://mirror.example/debian",), described="mirror.example")


@pytest.mark.parametrize(("root", "mode"), [(True, "root"), (False, "chrootless")])
def test_packages_are_only_unpacked_and_that_takes_no_privilege(root: bool, mode: str) -> None:
    argv = command("mmdebstrap", SOURCES, Path("/s/apt.conf"), Path("/s/x.tar"), root=root)
    assert "--variant=extract" in argv
    assert f"--mode={mode}" in argv
    assert argv[argv.index("--") :] == [
        "--",
        "bookworm",
        "/s/x.tar",
        "https://mirror.example/debian",
    ]


def test_a_machine_without_mmdebstrap_is_told_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(BaseImageError, match="apt-get install mmdebstrap") as refused:
        require_mmdebstrap()
    assert refused.value.exit_code == 2


def test_a_failure_is_told_by_its_first_error() -> None:
    log = """\
I: running apt-get update...
Err:1 http://mirror.example/debian bookworm InRelease
  Could not resolve 'mirror.example'
E: Failed to fetch http://me:secret@mirror.example/x/InRelease  Could not resolve 'mirror.example'
E: apt-get update failed
E: mmdebstrap failed to run
"""
    assert failure(log, SOURCES) == (
        "cannot unpack Debian's packages of bookworm from mirror.example: Failed to fetch "
        "http://mirror.example/x/InRelease Could not resolve 'mirror.example'; name a mirror that "
        "this machine reaches with --mirror"
    )


@pytest.mark.parametrize(
    ("log", "advice"),
    [
        ("E: write: No space left on device", "free some space, or set TMPDIR to a larger disk"),
        ("E: GPG error: NO_PUBKEY 0E98", "apt-get install debian-archive-keyring"),
        ("E: Unable to locate package bash", "name a mirror of Debian itself with --mirror"),
        ("E: x does not have a Release file.", "name a suite that the mirror has with --suite"),
    ],
)
def test_a_failure_says_what_helps(log: str, advice: str) -> None:
    assert advice in failure(log, SOURCES)


def test_a_silent_failure_is_a_sentence_too() -> None:
    assert failure("", SOURCES).endswith("mirror.example: it does not say why")
