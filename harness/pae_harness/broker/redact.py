"""A key taken out of whatever comes back: an endpoint may quote it, and what it says is kept."""

from __future__ import annotations

from pae_verifiers.judge.redact import forms, without


class Redactor:
    """Replaces ``key`` as it is and in base64, in hexadecimal and percent-encoded.

    A whole text is rid of all these with JSON's escapes too.
    """

    def __init__(self, key: str) -> None:
        self._forms = forms(key.encode())

    def clean(self, data: bytes) -> bytes:
        """``data`` without the key."""
        return without(data, self._forms)

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
