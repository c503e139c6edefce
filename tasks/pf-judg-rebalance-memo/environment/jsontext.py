"""JSON as text, with every Decimal written digit for digit (``json`` would make floats of them)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from decimal import Decimal


def dump(value: object, indent: str = "") -> str:
    """JSON for dicts, lists, strings, dates, ints and Decimals; two spaces a level."""
    inner = indent + "  "
    if isinstance(value, Mapping):
        rows = [f"{inner}{json.dumps(key)}: {dump(item, inner)}" for key, item in value.items()]
        return "{\n" + ",\n".join(rows) + f"\n{indent}}}" if rows else "{}"
    if isinstance(value, list | tuple):
        rows = [inner + dump(item, inner) for item in value]
        return "[\n" + ",\n".join(rows) + f"\n{indent}]" if rows else "[]"
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, date):
        return json.dumps(value.isoformat())
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise TypeError(f"no JSON for {type(value).__name__}")
