"""A key taken out of whatever comes back: an endpoint may quote it, and what it says is kept."""

from __future__ import annotations

import base64
import re
from urllib.parse import quote

SHORTEST = 8  # of fewer characters it guards nothing, and "none" would be cut out of every reply
MARK = b"[key]"
_SLASHES = rb"\\{1,8}"  # each escape escaped again doubles them
# A run of them is looked at once, from its beginning: a text may be nothing else.
_ESCAPE = re.compile(rb"(?<!\\)\\+(?:u00([2-7][0-9a-fA-F])|/)")


class Redactor:
    """Replaces ``key`` as it is and in base64, in hexadecimal and percent-encoded.

    A whole text is rid of all these with JSON's escapes too, and with those escaped again.
    """

    def __init__(self, key: str) -> None:
        forms = _forms(key.encode("utf-8", "surrogatepass"))
        self._forms = sorted(forms, key=len, reverse=True)

    def clean(self, data: bytes) -> bytes:
        """``data`` without the key."""
        for form in self._forms:
            data = data.replace(form, MARK)
        if b"\\" in data:
            plain = _ESCAPE.sub(_unescaped, data)
            for form in self._forms:
                if form in plain:
                    data = _escaped(form).sub(MARK, data)
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
    quoted = quote(key, safe="").encode()
    found = {key, key.hex().encode(), key.hex().upper().encode(), quoted}
    found.add(re.sub(rb"%..", lambda code: code[0].lower(), quoted))
    # Base64 of a text that has the key in it: as far as the key alone decides the characters.
    for before in range(3):
        whole = base64.b64encode(b"\0" * before + key)
        piece = whole[-(-before * 8 // 6) : (before + len(key)) * 8 // 6]
        found |= {piece, piece.translate(bytes.maketrans(b"+/", b"-_"))}
    return found


def _unescaped(found: re.Match[bytes]) -> bytes:
    return bytes.fromhex(found[1].decode()) if found[1] else b"/"


def _escaped(form: bytes) -> re.Pattern[bytes]:
    """``form`` with any of its characters escaped."""
    characters = (
        rb"(?:%s(?:%s|u00(?i:%02x))|%s)" % (_SLASHES, re.escape(c), c[0], re.escape(c))
        for c in (form[at : at + 1] for at in range(len(form)))
    )
    return re.compile(b"".join(characters))
