"""Finding a backend by name."""

from __future__ import annotations

import pytest

from pae_harness.errors import UsageError
from pae_harness.sandbox import open_sandbox


def test_auto_takes_a_backend_of_this_machine() -> None:
    assert open_sandbox("auto").name == "local"


def test_a_misspelt_name_gets_the_nearest_one() -> None:
    with pytest.raises(UsageError, match="no sandbox 'lcoal'; did you mean 'local'"):
        open_sandbox("lcoal")


def test_a_name_like_no_other_gets_all_of_them() -> None:
    with pytest.raises(UsageError, match="known are auto, local"):
        open_sandbox("xyzzy")
