"""Places for runs that are killed; each has a cache and a temporary folder of its own."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.harness.crash.place import Place


@pytest.fixture
def place() -> Iterator[Place]:
    """For local boxes. A socket's path is short, and pytest's folders are not."""
    root = Path(tempfile.mkdtemp(prefix="pae-crash-", dir="/tmp"))
    made = Place(root, environment={"PAE_CACHE": f"{root}/cache"})
    try:
        made.prepare()
        yield made
    finally:
        shutil.rmtree(root, ignore_errors=True)


@pytest.fixture
def shared_cache() -> Iterator[Place]:
    """For containers, whose packages take long to fetch: with this machine's cache."""
    root = Path(tempfile.mkdtemp(prefix="pae-crash-", dir="/tmp"))
    made = Place(root, sandbox="docker")
    try:
        made.prepare()
        yield made
    finally:
        shutil.rmtree(root, ignore_errors=True)
