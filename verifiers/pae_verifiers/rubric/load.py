"""Read a rubric of any kind."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import cast

from pae_verifiers.errors import RubricError
from pae_verifiers.rubric.model import Rubric
from pae_verifiers.yamlfile import Node, parse

KINDS = {
    "items": "pae_verifiers.rubric.items",
    "checklist": "pae_verifiers.rubric.checklist.parse",
}


def load(text: str, file: str = "rubric.yaml") -> Rubric:
    """The rubric in YAML ``text``. Raises RubricError with file and line."""
    root = parse(text, file, RubricError)
    entries = root.mapping()
    if "kind" not in entries:
        raise root.error(f"the key 'kind' is missing (one of {', '.join(KINDS)})")
    module = importlib.import_module(KINDS[entries["kind"].choice(KINDS)])
    return cast(Callable[[Node], Rubric], module.parse)(root)
