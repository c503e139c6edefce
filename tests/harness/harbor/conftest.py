"""Harbor tasks of somebody else's, and edits to them."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

DATA = Path(__file__).parents[1] / "data" / "harbor"
Edit = Callable[[str, str], None]


@pytest.fixture
def greet(tmp_path: Path) -> Path:
    """A task whose tests are shared and whose image installs nothing."""
    return shutil.copytree(DATA / "greet", tmp_path / "greet")


@pytest.fixture
def count_words(tmp_path: Path) -> Path:
    """A task with an image of its own, and a verifier of its own whose image has the tests."""
    return shutil.copytree(DATA / "count-words", tmp_path / "count-words")


def edit(path: Path, before: str, after: str) -> None:
    """Replace ``before``, which must be there, once."""
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after, 1))
