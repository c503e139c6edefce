"""Where the packages come from: this machine's own apt sources, or what the user names."""

from __future__ import annotations

import platform
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

from pae_harness.errors import BaseImageError, UsageError

FALLBACK_SUITE = "bookworm"
_SUITE = re.compile(r"[a-z0-9][a-z0-9.+-]*")
_APT_SECONDS = 60
# Where an internal mirror is reached through a proxy, or is a frozen copy whose release files have
# run out. What would switch the check of signatures off is not among them.
_ACQUIRE = re.compile(
    r"Acquire::(https?::|Retries|Check-Valid-Until|Check-Date|ForceIPv[46])", re.I
)


@dataclass(frozen=True)
class Sources:
    """A suite, mmdebstrap's MIRROR arguments for it, and apt's settings of this machine.

    No mirrors: mmdebstrap takes Debian's own, with its updates and security fixes.
    """

    suite: str
    mirrors: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    described: str = "Debian's own mirrors"


def sources_for(suite: str | None, mirrors: Sequence[str]) -> Sources:
    """The sources of ``suite``, by default this machine's suite and its own sources.

    Raises UsageError for a name that is none, BaseImageError where apt does not answer.
    """
    own = own_suite()
    chosen = suite or own or FALLBACK_SUITE
    if not _SUITE.fullmatch(chosen):
        raise UsageError(f"--suite: {chosen!r} is no name of a suite; use one such as bookworm")
    for mirror in mirrors:
        if "://" not in mirror and not mirror.startswith(("deb ", "/")):
            raise UsageError(
                f"--mirror: {mirror!r} is of no use; give a URL, a line 'deb …' or the absolute "
                "path of an apt source file"
            )
    settings = tuple(line for line in _apt("apt-config", "dump") if _ACQUIRE.match(line))
    if mirrors:
        return Sources(chosen, tuple(mirrors), settings, ", ".join(map(without_login, mirrors)))
    files = own_source_files(chosen) if chosen == own else ()
    if files:
        return Sources(chosen, files, settings, f"this machine's sources, {', '.join(files)}")
    return Sources(chosen, (), settings)


def own_suite() -> str | None:
    """The code name of this machine's Debian, or None on another system."""
    try:
        release = platform.freedesktop_os_release()
    except OSError:
        return None
    return release.get("VERSION_CODENAME") if release.get("ID") == "debian" else None


def own_source_files(suite: str) -> tuple[str, ...]:
    """The files that tell this machine's apt where ``suite`` and its updates are."""
    lines = _apt(
        "apt-get",
        "indextargets",
        "--no-release-info",  # that would leave out what was never updated
        "--format",
        "$(SOURCESENTRY) $(COMPONENT) $(RELEASE)",
        "Created-By: Packages",
    )
    return source_files(lines, suite)


def source_files(lines: Sequence[str], suite: str) -> tuple[str, ...]:
    """The files of ``FILE:LINE COMPONENT RELEASE`` lines that serve ``suite``, each once.

    A vendor's repository for the same suite is another release or another component.
    """
    releases = {suite, f"{suite}-updates", f"{suite}-security", f"{suite}/updates"}
    found: dict[str, None] = {}
    for line in lines:
        entry, component, release = line.split(" ", 2)
        if component == "main" and release in releases:
            found[entry.rpartition(":")[0]] = None
    return tuple(found)


def without_login(mirror: str) -> str:
    """``mirror`` as it may be shown: a name and password in a URL are nobody else's business."""
    return re.sub(r"://[^/@\s]*@", "://", mirror)


def _apt(*argv: str) -> list[str]:
    try:
        done = subprocess.run(
            argv, capture_output=True, text=True, timeout=_APT_SECONDS, check=False
        )
    except FileNotFoundError as error:
        raise BaseImageError(
            "apt is not on this machine, and a base image is made from Debian's packages: run "
            "this on a Debian or Ubuntu machine"
        ) from error
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BaseImageError(f"{argv[0]} does not answer: {error}") from error
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
        raise BaseImageError(f"{argv[0]} fails on this machine: {last[0]}")
    return done.stdout.splitlines()
