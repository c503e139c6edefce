"""A key taken out of what an endpoint says: it may quote it, and what it says is kept."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from urllib.parse import quote

SHORTEST = 8  # of fewer characters it guards nothing, and would be cut out of ordinary words
MARK = b"[key]"
_SLASHES = rb"\\{1,8}"  # each escape escaped again doubles them
_ESCAPE = re.compile(_SLASHES + rb"(?:u00([2-7][0-9a-fA-F])|/)")


def without_key(data: bytes, key: str) -> bytes:
    """``data`` without ``key``: as it is, in base64, in hexadecimal and percent-encoded.

    Each of them also with escapes of JSON, and those escaped again.
    """
    return without(data, forms(key.encode("utf-8", "surrogatepass")))


def without(data: bytes, forms: Sequence[bytes]) -> bytes:
    """``data`` without any of ``forms``."""
    for form in forms:
        data = data.replace(form, MARK)
    if b"\\" in data:
        plain = _ESCAPE.sub(_unescaped, data)
        for form in forms:
            if form in plain:
                data = _escaped(form).sub(MARK, data)
    return data


def text_without_key(text: str, key: str) -> str:
    """The same for a text."""
    data = without_key(text.encode("utf-8", "surrogatepass"), key)
    return data.decode("utf-8", "surrogatepass")


def forms(key: bytes) -> list[bytes]:
    """What the key looks like, longest first."""
    if len(key) < SHORTEST:
        return []
    found = {key, key.hex().encode(), key.hex().upper().encode(), quote(key, safe="").encode()}
    found.add(re.sub(rb"%..", lambda code: code[0].lower(), quote(key, safe="").encode()))
    for before in range(3):  # base64 of a text with the key in it, where the key alone decides
        whole = base64.b64encode(b"\0" * before + key)
        piece = whole[-(-before * 8 // 6) : (before + len(key)) * 8 // 6]
        found |= {piece, piece.translate(bytes.maketrans(b"+/", b"-_"))}
    return sorted(found, key=len, reverse=True)


def _unescaped(found: re.Match[bytes]) -> bytes:
    return bytes.fromhex(found[1].decode()) if found[1] else b"/"


def _escaped(form: bytes) -> re.Pattern[bytes]:
    """``form`` with any of its characters escaped."""
    characters = (
        rb"(?:%s(?:%s|u00(?i:%02x))|%s)" % (_SLASHES, re.escape(c), c[0], re.escape(c))
        for c in (form[at : at + 1] for at in range(len(form)))
    )
    return re.compile(b"".join(characters))
