"""YAML with line numbers: what is read, and what is refused where."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pae_verifiers.errors import RubricError, VerifierInputError
from pae_verifiers.yamlfile import parse


def test_values_come_back_as_plain_data() -> None:
    text = "a: 1\nb: [x, 2.5, true, null]\nc: {d: 'e'}\n"
    assert parse(text, "f.yaml").plain() == {
        "a": 1,
        "b": ["x", 2.5, True, None],
        "c": {"d": "e"},
    }


def test_a_value_knows_the_line_of_its_key() -> None:
    root = parse("a: 1\nb:\n  - x\n  - y\n", "f.yaml")
    assert (root.mapping()["b"].line, root.mapping()["b"].sequence()[1].line) == (2, 4)


def test_a_share_is_exactly_what_is_written() -> None:
    assert parse("weight: 0.1", "f.yaml").mapping()["weight"].share() == Fraction(1, 10)


@pytest.mark.parametrize("text", ["w: -0.1", "w: 1.01", "w: .nan", "w: .inf", "w: yes", "w: x"])
def test_what_is_no_share_is_refused(text: str) -> None:
    with pytest.raises(VerifierInputError, match=r"^f\.yaml:1: expected a number from 0 to 1"):
        parse(text, "f.yaml").mapping()["w"].share()


def test_an_unknown_key_names_its_line_and_the_nearest_known_one() -> None:
    root = parse("kind: items\nitmes: []\n", "f.yaml")
    with pytest.raises(VerifierInputError) as caught:
        root.fields(required=("kind", "items"))
    assert str(caught.value) == "f.yaml:2: unknown key 'itmes'; did you mean 'items'?"


def test_an_unknown_key_with_no_near_one_lists_what_is_known() -> None:
    with pytest.raises(VerifierInputError) as caught:
        parse("zzz: 1", "f.yaml").fields(required=("kind",))
    assert str(caught.value) == "f.yaml:1: unknown key 'zzz' (known: kind)"


def test_a_missing_key_names_the_line_of_its_mapping() -> None:
    root = parse("a:\n  b: 1\n", "f.yaml")
    with pytest.raises(VerifierInputError, match=r"^f\.yaml:1: the key 'c' is missing$"):
        root.mapping()["a"].fields(required=("b", "c"))


def test_a_wrong_choice_names_the_nearest_one() -> None:
    with pytest.raises(VerifierInputError) as caught:
        parse("how: geometrical", "f.yaml").mapping()["how"].choice(("geometric", "product"))
    assert str(caught.value) == (
        "f.yaml:1: 'geometrical' is not one of geometric, product; did you mean 'geometric'?"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "f.yaml:1: the file is empty"),
        ("a: 1\na: 2\n", "f.yaml:2: the key 'a' occurs twice"),
        ("? [1, 2]\n: x\n", "f.yaml:1: a key must be plain text"),
        ("a: &a [*a]\n", "f.yaml:1: nested deeper than 50 levels"),
    ],
)
def test_unusable_yaml_is_refused(text: str, message: str) -> None:
    with pytest.raises(RubricError) as caught:
        parse(text, "f.yaml", RubricError)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a: [1, 2\nb: 3\n", 2),
        ("a: 1\nb: !python/object:os.system x\n", 2),
        ("a: *nowhere", 1),
        ("a: 1\n---\nb: 2\n", 2),
        ("a: \x07", 1),
    ],
)
def test_bad_yaml_is_one_sentence_with_a_line(text: str, line: int) -> None:
    with pytest.raises(VerifierInputError) as caught:
        parse(text, "f.yaml")
    assert str(caught.value).startswith(f"f.yaml:{line}: not valid YAML: ")
