"""Finding bubblewrap, and reading its complaints."""

from __future__ import annotations

import pytest

from pae_harness.errors import SandboxError, SandboxUnavailableError
from pae_harness.sandbox.bwrap import OLDEST, failure, find_bwrap


def test_the_one_that_is_found_is_new_enough() -> None:
    assert find_bwrap().version >= OLDEST


@pytest.mark.parametrize(
    ("line", "way_out"),
    [
        ("setting up uid map: Permission denied", "apparmor_restrict_unprivileged_userns"),
        ("loopback: Failed RTM_NEWADDR: Operation not permitted", "apparmor_restrict"),
        (
            "Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces "
            "exceeded (ENOSPC)",
            "max_user_namespaces",
        ),
        (
            "No permissions to creating new namespace, likely because the kernel does not allow "
            "non-privileged user namespaces.",
            "unprivileged_userns_clone",
        ),
        ("Creating new namespace failed: Operation not permitted", "unprivileged_userns_clone"),
        (
            "Creating new namespace failed, likely because the kernel does not support user "
            "namespaces.",
            "CONFIG_USER_NS",
        ),
        ("Can't mount proc on /newroot/proc: Operation not permitted", "systempaths=unconfined"),
    ],
)
def test_a_machine_that_forbids_boxes_is_told_the_way_out(line: str, way_out: str) -> None:
    error = failure(f"something before\nbwrap: {line}\n")
    assert isinstance(error, SandboxUnavailableError)
    assert way_out in str(error)
    assert "\n" not in str(error)


@pytest.mark.parametrize("said", ["", "bwrap: Can't find source path /x: No such file", "sh: what"])
def test_any_other_complaint_is_a_failure_of_the_sandbox(said: str) -> None:
    error = failure(said)
    assert type(error) is SandboxError
