"""A key taken out of whatever comes back: an endpoint may quote it, and what it says is kept."""

from __future__ import annotations

import base64
from urllib.parse import quote

SHORTEST = 8  # of fewer characters it guards nothing, and "none" would be cut out of every reply
MARK = b"[key]"


class Redactor:
    """Replaces ``key`` as it is and in base64, in hexadecimal and percent-encoded."""

    def __init__(self, key: str) -> None:
        forms = _forms(key.encode("utf-8", "surrogatepass"))
        self._forms = sorted(forms, key=len, reverse=True)

    def clean(self, data: bytes) -> bytes:
        """``data`` without the key."""
        for form in self._forms:
            data = data.replace(form, MARK)
        return data

    def text(self, text: str) -> str:
        """The same for a text."""
        return self.clean(text.encode("utf-8", "surrogatepass")).decode("utf-8", "surrogatepass")

    def split(self, data: bytes) -> tuple[bytes, bytes]:
        """``data``, cleaned, as what may be passed on and what may be the beginning of the key."""
        data = self.clean(data)
        longest = max(map(len, self._forms), default=1) - 1
        for start in range(max(0, len(data) - longest), len(data)):
            tail = data[start:]
            if any(form.startswith(tail) for form in self._forms):
                return data[:start], tail
        return data, b""


def _forms(key: bytes) -> set[bytes]:
    if len(key) < SHORTEST:
        return set()
    found = {key, key.hex().encode(), key.hex().upper().encode(), quote(key, safe="").encode()}
    # Base64 of a text that has the key in it: as far as the key alone decides the characters.
    for before in range(3):
        whole = base64.b64encode(b"\0" * before + key)
        first = -(-before * 8 // 6)
        last = (before + len(key)) * 8 // 6
        found.add(whole[first:last])
        found.add(whole[first:last].translate(bytes.maketrans(b"+/", b"-_")))
    return found
