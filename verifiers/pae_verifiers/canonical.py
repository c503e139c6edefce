"""The same data, the same digest: whatever the order of its keys and the spaces between them."""

from __future__ import annotations

import hashlib
import json


def canonical(data: object) -> bytes:
    """JSON with sorted keys, no spaces and everything beyond ASCII escaped.

    Raises ValueError for NaN and infinities, which JSON does not have.
    """
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return text.encode("ascii")


def digest(data: object) -> str:
    """SHA-256, in hex, of the canonical JSON of ``data``."""
    return hashlib.sha256(canonical(data)).hexdigest()
