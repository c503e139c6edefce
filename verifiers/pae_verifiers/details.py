"""details.json: everything about a verification that is not a number of reward.json."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from pae_verifiers.errors import DocumentError

if TYPE_CHECKING:
    from pae_verifiers.numbers.model import Tie


MAX_BYTES = 12 << 20  # all that 64 KB of numbers give is below 8 MB


def numbers_details(tie: Tie) -> dict[str, object]:
    """The verdicts in the shape of ``pae tie --json``, with what a reader may want to look at.

    ``unsettled`` are (sentence, fact) pairs whose binding nothing decided; they cost nothing.
    """
    from pae_verifiers.numbers.tie import tie_json

    return {
        **tie_json(tie),
        "unsettled": [{"sentence": text, "fact": pointer} for text, pointer in tie.unsettled],
        "vague": [
            {"text": vague.text, "start": vague.start, "end": vague.end} for vague in tie.vague
        ],
    }


def dump(data: Mapping[str, object]) -> str:
    """JSON text that is the same on every machine. Raises ValueError for NaN and infinities."""
    return json.dumps(data, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def check_size(data: Mapping[str, object]) -> None:
    """Raises DocumentError for details that are too large to be kept."""
    size = len(dump(data).encode())
    if size > MAX_BYTES:
        raise DocumentError(f"the document gives {size >> 20} MB of details: it repeats too much")
