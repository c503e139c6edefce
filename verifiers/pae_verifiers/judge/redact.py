"""A key taken out of what an endpoint says: it may quote it, and what it says is kept."""

from __future__ import annotations

import base64
from urllib.parse import quote

SHORTEST = 8  # of fewer characters it guards nothing, and would be cut out of ordinary words
MARK = b"[key]"


def without_key(data: bytes, key: str) -> bytes:
    """``data`` without ``key``: as it is, in base64, in hexadecimal and percent-encoded."""
    for form in _forms(key.encode("utf-8", "surrogatepass")):
        data = data.replace(form, MARK)
    return data


def text_without_key(text: str, key: str) -> str:
    """The same for a text."""
    data = without_key(text.encode("utf-8", "surrogatepass"), key)
    return data.decode("utf-8", "surrogatepass")


def _forms(key: bytes) -> list[bytes]:
    """What the key looks like, longest first."""
    if len(key) < SHORTEST:
        return []
    found = {key, key.hex().encode(), key.hex().upper().encode(), quote(key, safe="").encode()}
    for before in range(3):  # base64 of a text with the key in it, where the key alone decides
        whole = base64.b64encode(b"\0" * before + key)
        piece = whole[-(-before * 8 // 6) : (before + len(key)) * 8 // 6]
        found |= {piece, piece.translate(bytes.maketrans(b"+/", b"-_"))}
    return sorted(found, key=len, reverse=True)
