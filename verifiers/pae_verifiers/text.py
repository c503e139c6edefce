"""From a document's bytes to its text, or the reason why there is nothing to evaluate."""

from __future__ import annotations

from pae_verifiers.errors import DocumentError

MAX_BYTES = 64 * 1024
# For str.translate: what looks like a space and is none to Python.
BLANKS = str.maketrans(dict.fromkeys("\u115f\u1160\u2800\u3164\uffa0", " "))


def decode(data: bytes | None) -> str:
    """The document's text, without a byte order mark.

    Raises DocumentError for a document that is missing, empty, over 64 KB or not UTF-8 text.
    """
    if data is None:
        raise DocumentError("there is no document")
    if len(data) > MAX_BYTES:
        raise DocumentError(f"the document is larger than 64 KB ({len(data)} bytes)")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DocumentError(f"the document is not UTF-8 text (byte {error.start})") from error
    if "\0" in text:
        raise DocumentError("the document is binary (it contains NUL)")
    if not text.strip():
        raise DocumentError("the document is empty")
    return text
