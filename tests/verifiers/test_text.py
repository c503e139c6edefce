"""From bytes to text: what is a document and what is not."""

from __future__ import annotations

import pytest

from pae_verifiers.errors import DocumentError
from pae_verifiers.text import MAX_BYTES, decode


def test_text_is_what_was_written() -> None:
    assert decode("Ünits: 5 %\r\n".encode()) == "Ünits: 5 %\r\n"


def test_a_byte_order_mark_is_no_text() -> None:
    assert decode(b"\xef\xbb\xbf# Memo") == "# Memo"


def test_64_kb_are_accepted() -> None:
    assert len(decode(b"a" * MAX_BYTES)) == 65536


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (None, "there is no document"),
        (b"", "the document is empty"),
        (b" \n\t\n", "the document is empty"),
        (b"a" * (MAX_BYTES + 1), "the document is larger than 64 KB (65537 bytes)"),
        (b"cost \xff\xfe", "the document is not UTF-8 text (byte 5)"),
        ("memo".encode("utf-16-be"), "the document is binary (it contains NUL)"),
        (b"\xed\xa0\x80", "the document is not UTF-8 text (byte 0)"),
    ],
)
def test_anything_else_is_refused_with_a_reason(data: bytes | None, reason: str) -> None:
    with pytest.raises(DocumentError) as caught:
        decode(data)
    assert str(caught.value) == reason
