"""Where the packages come from."""

from __future__ import annotations

import pytest

from pae_harness.baseimage.sources import source_files, sources_for, without_login
from pae_harness.errors import BaseImageError, UsageError

LINES = [
    "/etc/apt/sources.list.d/debian.sources:1 main bookworm",
    "/etc/apt/sources.list.d/debian.sources:1 main bookworm-updates",
    "/etc/apt/sources.list:4 main bookworm-security",
    "/etc/apt/sources.list.d/docker.list:1 stable bookworm",
    "/etc/apt/sources.list.d/pgdg.list:1 main bookworm-pgdg",
    "/etc/apt/sources.list.d/next.list:1 main trixie",
]


def test_own_sources_are_those_of_the_suite_and_its_updates() -> None:
    assert source_files(LINES, "bookworm") == (
        "/etc/apt/sources.list.d/debian.sources",
        "/etc/apt/sources.list",
    )


def test_a_suite_that_this_machine_does_not_have_has_no_own_sources() -> None:
    assert source_files(LINES, "forky") == ()


@pytest.mark.parametrize("suite", ["-x", "book worm", "../x", "Bookworm"])
def test_a_suite_is_a_name(suite: str) -> None:
    with pytest.raises(UsageError, match=r"--suite: .* use one such as bookworm"):
        sources_for(suite, [])


@pytest.mark.parametrize("mirror", ["mirror.example.org", "-x", ""])
def test_a_mirror_is_a_url_a_line_or_a_file(mirror: str) -> None:
    with pytest.raises(UsageError, match=r"--mirror: .* is of no use; give a URL, a line"):
        sources_for("bookworm", [mirror])


def test_a_login_is_not_shown() -> None:
    assert (
        without_login("deb https://me:secret@mirror.example/debian bookworm main")
        == "deb https://mirror.example/debian bookworm main"
    )


def test_a_machine_without_apt_is_told_what_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(BaseImageError, match="run this on a Debian or Ubuntu machine"):
        sources_for("bookworm", [])
