"""The JSON Schemas that replies of all kinds are made of."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

Schema = Mapping[str, Any]

TEXT: Schema = {"type": "string", "minLength": 1, "pattern": r"\S"}
EVIDENCE: Schema = {"type": "array", "items": TEXT}
BOOLEAN: Schema = {"type": "boolean"}
INTEGER: Schema = {"type": "integer"}


def closed(properties: Mapping[str, Schema], optional: Collection[str] = ()) -> Schema:
    """An object with these properties, all required but the ``optional`` ones, and no other."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": [key for key in properties if key not in optional],
        "additionalProperties": False,
    }


def in_order(entries: Sequence[Schema]) -> Schema:
    """A list of exactly these entries, in this order.

    Closed by its length: servers that guide decoding by a schema refuse ``items: false``.
    """
    entries = list(entries)
    closed_list = {"type": "array", "minItems": len(entries), "maxItems": len(entries)}
    return {**closed_list, "prefixItems": entries} if entries else closed_list


def whole(least: int, most: int) -> Schema:
    """A whole number in a range, ends included."""
    return {"type": "integer", "minimum": least, "maximum": most}
