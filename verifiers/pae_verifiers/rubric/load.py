"""Read a rubric of any kind: a task's own, or one that comes with the package."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import cast

from pae_verifiers.errors import RubricError
from pae_verifiers.rubric.model import Rubric
from pae_verifiers.yamlfile import Node, parse

KINDS = {
    "items": "pae_verifiers.rubric.items_yaml",
    "checklist": "pae_verifiers.rubric.checklist.parse",
    "likert": "pae_verifiers.rubric.likert",
    "points": "pae_verifiers.rubric.points",
}

_FOLDER, _SUFFIX = Path(__file__).parents[1] / "rubrics", ".yaml"


def load(text: str, file: str = "rubric.yaml") -> Rubric:
    """The rubric in YAML ``text``. Raises RubricError with file and line."""
    root = parse(text, file, RubricError)
    entries = root.mapping()
    if "kind" not in entries:
        raise root.error(f"the key 'kind' is missing (one of {', '.join(KINDS)})")
    module = importlib.import_module(KINDS[entries["kind"].choice(KINDS)])
    return cast(Callable[[Node], Rubric], module.parse)(root)


def shipped_names() -> tuple[str, ...]:
    """The names of the rubrics that come with the package, sorted."""
    return tuple(sorted(path.stem for path in _FOLDER.glob(f"*{_SUFFIX}")))


def shipped_path(name: str) -> Path:
    """The file of a rubric that comes with the package. Raises RubricError for an unknown name."""
    if name not in shipped_names():
        raise RubricError(f"there is no rubric {name!r}; there are {', '.join(shipped_names())}")
    return _FOLDER / (name + _SUFFIX)


def shipped(name: str) -> Rubric:
    """The rubric that comes with the package as ``name``; RubricError for an unknown name."""
    path = shipped_path(name)
    return load(path.read_text(encoding="utf-8"), path.name)
