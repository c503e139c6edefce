"""A scan as JSON that other programs may rely on (``pae scan --json``)."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from pae_verifiers.numbers.model import Quantity, Scan


def scan_json(scan: Scan) -> dict[str, Any]:
    """``{"quantities": […], "vague": […], "hidden": […]}``; decimals are strings."""
    return {
        "quantities": [quantity_json(item) for item in scan.quantities],
        "vague": [{"text": item.text, "start": item.start, "end": item.end} for item in scan.vague],
        "hidden": [quantity_json(item) for item in scan.hidden],
    }


def quantity_json(item: Quantity) -> dict[str, Any]:
    """One quantity; ``start`` and ``end`` are code-point offsets in the source."""
    return {
        "text": item.text,
        "start": item.start,
        "end": item.end,
        "value": decimal_text(item.value),
        "unit": item.unit,
        "kind": item.kind,
        "sign_from_word": item.sign_from_word,
        "quantum": decimal_text(item.quantum),
        "bound": item.bound,
        "lookalike": item.lookalike,
    }


def decimal_text(value: Decimal) -> str:
    """A decimal without an exponent, as it is written: ``4500000000``, ``0.10``."""
    return format(value, "f")
