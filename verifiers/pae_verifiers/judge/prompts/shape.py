"""A reply schema as a model is shown it: the reply itself, with its blanks.

A model that is given a JSON Schema tends to answer with a JSON Schema; a form it fills in.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pae_verifiers.judge.prompts.encode import encode

Schema = Mapping[str, Any]

EVERY_BLANK: Schema = {
    "type": "object",
    "properties": {
        "const": {"const": 0},
        "enum": {"enum": [0, 1]},
        "any": {"anyOf": [{"type": "boolean"}, {"type": ["null", "string", "array"]}]},
        "scale": {"type": "integer", "minimum": 1, "maximum": 2},
        "whole": {"type": "integer", "minimum": 0, "maximum": 99},
        "number": {"type": "number", "minimum": 0},
        "fixed": {"type": "array", "prefixItems": [{}, {}], "items": False},
        "open": {"type": "array", "items": {"type": "string"}},
    },
}
"""A schema whose form has each kind of blank: what all forms are made of."""


def shape(schema: Schema) -> str:
    """The form, on one line: ``{"id": "a", "passed": true|false, "evidence": ["...", ...]}``."""
    return _Form(schema).of(schema)


class _Form:
    def __init__(self, root: Schema) -> None:
        self.root = root

    def of(self, schema: Schema) -> str:
        if "$ref" in schema:
            return self.of(self._target(schema["$ref"]))
        if "const" in schema:
            return encode(schema["const"])
        if "enum" in schema:
            return "|".join(encode(value) for value in schema["enum"])
        for key in ("anyOf", "oneOf"):
            if key in schema:
                return " or ".join(self.of(each) for each in schema[key])
        kinds = schema.get("type", "")
        names = [kinds] if isinstance(kinds, str) else list(kinds)
        return "|".join(self._typed(name, schema) for name in names)

    def _typed(self, name: str, schema: Schema) -> str:
        if name == "object":
            return self._object(schema)
        if name == "array":
            return self._array(schema)
        if name in ("integer", "number"):
            return _number(schema)
        return {"string": '"..."', "boolean": "true|false", "null": "null"}.get(name, "...")

    def _object(self, schema: Schema) -> str:
        fields = schema.get("properties", {}).items()
        return "{" + ", ".join(f"{encode(key)}: {self.of(value)}" for key, value in fields) + "}"

    def _array(self, schema: Schema) -> str:
        entries = [self.of(entry) for entry in schema.get("prefixItems", ())]
        rest = schema.get("items", True)
        if isinstance(rest, Mapping):
            entries += [self.of(rest), "..."]
        elif rest and not entries:
            entries.append("...")
        return f"[{', '.join(entries)}]"

    def _target(self, reference: str) -> Schema:
        found: Any = self.root
        for step in reference.removeprefix("#/").split("/"):
            found = found[step]
        return found  # type: ignore[no-any-return]


def _number(schema: Schema) -> str:
    least, most = schema.get("minimum"), schema.get("maximum")
    whole = schema.get("type") == "integer"
    if whole and isinstance(least, int) and isinstance(most, int) and 0 <= most - least <= 10:
        return "|".join(map(str, range(least, most + 1)))
    bounds = [f"at least {least}"] if least is not None else []
    bounds += [f"at most {most}"] if most is not None else []
    name = "whole number" if whole else "number"
    return " ".join([name, " and ".join(bounds)]).strip()
