"""A model's text as one JSON object, or a sentence on why it is none."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pae_verifiers.judge.reply import ReplyError, parse

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**52), 2**52) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1}',
        ' \n{"a": 1}\n\n',
        '```json\n{"a": 1}\n```',
        '```\n{"a": 1}\n```\n',
        '~~~json\n\n{"a": 1}\n~~~',
        '````JSON \n{"a": 1}\n````',
    ],
)
def test_one_outer_fence_and_space_around_are_no_fault(text: str) -> None:
    assert parse(text) == {"a": 1}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "the reply is empty"),
        (" \n\t", "the reply is empty"),
        ("```json\n\n```", "the reply is empty"),
        ("```json\n```json\n{}\n```\n```", "the reply does not begin with a JSON object but with"),
        ('Here it is: {"a": 1}', "the reply does not begin with a JSON object but with 'Here it"),
        ('Here it is:\n```json\n{"a": 1}\n```', "the reply does not begin with a JSON object"),
        ('{"a": 1} I hope this helps.', "text follows the JSON object: 'I hope this helps.'"),
        ('{"a": 1}\n{"a": 2}', "text follows the JSON object: '{\"a\": 2}'"),
        ('```json\n{"a": 1}\n```\nDone.', "the reply does not begin with a JSON object but with"),
        ('{"a": 1', "the reply is not valid JSON: Expecting ',' delimiter at character 7"),
        ('{"a": "b', "the reply is not valid JSON: Unterminated string starting at at character 6"),
        ("{'a': 1}", "the reply is not valid JSON: Expecting property name enclosed in double"),
        ("[1]", "the reply is a list, not one JSON object"),
        ('"{}"', "the reply is a string, not one JSON object"),
        ("null", "the reply is null, not one JSON object"),
        ("true", "the reply is true or false, not one JSON object"),
        ("4", "the reply is a number, not one JSON object"),
        ('{"a": 1, "a": 2}', "the key 'a' occurs twice in one object"),
        ('{"b": [{"a": 1, "a": 1}]}', "the key 'a' occurs twice in one object"),
        ('{"a": NaN}', "NaN is no JSON number"),
        ('{"a": -Infinity}', "-Infinity is no JSON number"),
        ('{"a": 1e999}', "1e999 is too large for a number"),
        ('{"a": "\\ud800"}', "the reply has half a character (a lone surrogate) in '\\ud800'"),
        ('{"\\udfff": 1}', "the reply has half a character"),
        ('{"a": ' + "9" * 5000 + "}", "the reply is not usable JSON: Exceeds the limit"),
        ('{"a":' * 40 + "1" + "}" * 40, "the reply is nested more than 32 levels deep"),
        ('{"a":' * 100_000, "the reply is nested too deeply"),
        ('{"a": "' + "x" * 2**20 + '"}', "the reply has more than 1048576 characters"),
    ],
)  # fmt: skip
def test_what_is_no_reply_is_said_in_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(ReplyError) as caught:
        parse(text)
    assert str(caught.value).startswith(sentence)


def test_a_whole_number_is_an_integer_however_it_is_written() -> None:
    reply = parse('{"a": 4.0, "b": 4, "c": 4.5, "d": 1e2}')
    assert [repr(value) for value in reply.values()] == ["4", "4", "4.5", "100"]


def test_an_object_within_prose_is_not_fished_out() -> None:
    echoed = '{"criteria": [{"rubricId": "a", "passed": true}]}'
    with pytest.raises(ReplyError):
        parse(f"The memo says {echoed}, which I ignore.\n" + '{"criteria": []}')


@given(st.dictionaries(st.text(max_size=5), JSON, max_size=4))
def test_whatever_is_one_object_is_read_as_it_is(data: dict[str, object]) -> None:
    assert parse(json.dumps(data)) == data
    assert parse(f"```json\n{json.dumps(data, indent=2)}\n```") == data


@given(st.text())
def test_nothing_else_than_an_object_or_a_sentence_comes_of_any_text(text: str) -> None:
    try:
        assert isinstance(parse(text), dict)
    except ReplyError as error:
        assert str(error)
