"""What is said of a disk that refuses."""

from __future__ import annotations

import errno
import shutil
from pathlib import Path

from pae_harness.disk import refusal, remedy

PLACE = Path("/place")


def test_the_file_that_was_refused_is_named() -> None:
    error = PermissionError(errno.EACCES, "Permission denied", "/x/y")
    assert refusal(error, PLACE) == "/x/y: Permission denied"


def test_the_place_is_named_where_the_error_names_no_file() -> None:
    assert refusal(OSError(errno.ENOSPC, "No space left"), PLACE) == "/place: No space left"


def test_of_a_tree_that_was_not_copied_the_first_file_is_named() -> None:
    error = shutil.Error(
        [("/from/a", "/to/a", "[Errno 28] No space left: '/from/a'"), ("/from/b", "/to/b", "no")]
    )
    assert refusal(error, PLACE) == "/to/a: No space left"


def test_only_a_full_disk_is_helped_by_space() -> None:
    full = OSError(errno.ENOSPC, "No space left")
    assert remedy(full, "go elsewhere") == "free some space, or go elsewhere"
    assert remedy(PermissionError(errno.EACCES, "denied"), "go elsewhere") == "go elsewhere"
