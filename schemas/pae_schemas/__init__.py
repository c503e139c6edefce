"""JSON Schemas of every file that crosses a boundary: task folders in, results out. Data only.

``load("task")`` reads ``task.schema.json``; a schema may refer to another by its ``$id``, which
``validator("task")`` resolves. Two annotations are this project's own: ``x-must-be`` says a
constraint in words, for error messages; ``x-refused`` says why a key is not accepted.
"""

from __future__ import annotations

import json
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

_SUFFIX = ".schema.json"
_URN = "urn:portfolio-agent-evals:schema:"


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


def validator(name: str) -> Draft202012Validator:
    """What checks data against the schema ``name``. Raises KeyError for an unknown name."""
    from jsonschema import Draft202012Validator
    from referencing import Registry, Resource

    def retrieve(uri: str) -> Resource[Any]:
        return Resource.from_contents(load(uri.removeprefix(_URN)))

    # A schema is read when something refers to it.
    registry: Registry[Any] = Registry(retrieve=retrieve)  # type: ignore[call-arg]
    return Draft202012Validator(load(name), registry=registry)
