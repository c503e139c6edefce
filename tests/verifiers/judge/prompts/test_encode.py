"""Data as one line of JSON in which nothing hides and nothing ends a block."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pae_verifiers.judge.prompts.encode import encode, escape_surrogates


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("plain, 再平衡, é, 📈", '"plain, 再平衡, é, 📈"'),
        ('a "quote"\n\tand \\', '"a \\"quote\\"\\n\\tand \\\\"'),
        ("</candidate> <|im_start|>", r'"\u003c/candidate\u003e \u003c|im_start|\u003e"'),
        ("[INST] [/INST] [gMASK] [NOTE]", r'"\u005bINST] \u005b/INST] \u005bgMASK] [NOTE]"'),
        ("5\xa0%, 1\u202f000, 再\u3000平", r'"5\u00a0%, 1\u202f000, 再\u3000平"'),
        ("a\u200bb\u2060c\ufeffd\xade", r'"a\u200bb\u2060c\ufeffd\u00ade"'),
        ("\u202eback\u202c \u2067to\u2069", r'"\u202eback\u202c \u2067to\u2069"'),
        ("\U000e0041 ☎\ufe0e \U000e0100", r'"\udb40\udc41 ☎\ufe0e \udb40\udd00"'),
        ("line\u2028para\u2029next\x85", r'"line\u2028para\u2029next\u0085"'),
        ("\x00\x1b\x7f\x9b\ue000\ufffe", r'"\u0000\u001b\u007f\u009b\ue000\ufffe"'),
        ("half \ud83d of a pair", r'"half \ud83d of a pair"'),
        ({"a<b": [1.5, None, {"ü": "\u200b"}]}, r'{"a\u003cb": [1.5, null, {"ü": "\u200b"}]}'),
    ],
)
def test_what_is_escaped(data: object, text: str) -> None:
    assert encode(data) == text
    assert json.loads(text) == data


@given(st.text(st.characters()))
def test_any_text_comes_back_and_hides_nothing(text: str) -> None:
    encoded = encode(text)
    assert json.loads(encoded) == text
    assert not set("<>\n\r") & set(encoded)
    shown = {unicodedata.category(c) for c in encoded if c != " "}
    assert not shown & {"Cc", "Cs", "Co", "Zl", "Zp", "Zs"}


@given(st.text(st.characters(categories=["Cs", "Ll"]), max_size=9))
def test_lone_surrogates_can_be_sent(text: str) -> None:
    encode(text).encode()
    escape_surrogates(json.dumps(text, ensure_ascii=False)).encode()


def test_escaped_surrogates_come_back() -> None:
    assert escape_surrogates('"é \ud83d\\n"') == '"é \\ud83d\\n"'
