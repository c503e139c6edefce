"""Read a rubric of any kind: a task's own, or one that comes with the package."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from importlib.resources import files
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

_SUFFIX = ".yaml"


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
    found = (entry.name for entry in files("pae_verifiers").joinpath("rubrics").iterdir())
    return tuple(sorted(n.removesuffix(_SUFFIX) for n in found if n.endswith(_SUFFIX)))


def shipped_text(name: str) -> str:
    """The YAML of a rubric that comes with the package. Raises RubricError for an unknown name."""
    if name not in shipped_names():
        raise RubricError(f"there is no rubric {name!r}; there are {', '.join(shipped_names())}")
    resource = files("pae_verifiers").joinpath("rubrics", name + _SUFFIX)
    return resource.read_text(encoding="utf-8")


def shipped(name: str) -> Rubric:
    """The rubric that comes with the package as ``name``; RubricError for an unknown name."""
    return load(shipped_text(name), name + _SUFFIX)
