"""JSON Schemas of every file that crosses a boundary: task folders in, results out. Data only.

``load("task")`` reads ``task.schema.json``. Two annotations are this project's own: ``x-must-be``
says a constraint in words, for error messages; ``x-refused`` says why a key is not accepted.
"""

from __future__ import annotations

import json
from importlib.resources import files

_SUFFIX = ".schema.json"


def names() -> tuple[str, ...]:
    """The names that ``load`` knows, sorted."""
    found = (entry.name for entry in files(__name__).iterdir())
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in found if name.endswith(_SUFFIX)))


def load(name: str) -> dict[str, object]:
    """The schema called ``name``, as a fresh dict. Raises KeyError for an unknown name."""
    resource = files(__name__) / f"{name}{_SUFFIX}"
    if not resource.is_file():
        raise KeyError(f"no schema {name!r}; there are {', '.join(names())}")
    schema: dict[str, object] = json.loads(resource.read_text(encoding="utf-8"))
    return schema
