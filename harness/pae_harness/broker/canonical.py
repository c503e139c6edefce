"""One request, one digest: whatever the order of its keys and the spaces between them."""

from __future__ import annotations

import hashlib
import json
from typing import Any


def canonical(body: Any) -> bytes:
    """JSON with sorted keys, no spaces and everything beyond ASCII escaped.

    Raises ValueError for NaN and infinities, which JSON does not have.
    """
    text = json.dumps(body, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return text.encode("ascii")


def digest(body: Any) -> str:
    """SHA-256, in hex, of the canonical JSON of ``body``."""
    return hashlib.sha256(canonical(body)).hexdigest()
