"""What a rubric says around its dimensions: what is given, and what a document must be."""

from __future__ import annotations

import pytest
from tests.verifiers.rubric.cases import case

from pae_verifiers.errors import RubricError
from pae_verifiers.rubric.load import load
from pae_verifiers.rubric.model import Rubric

DIMENSION = "dimensions: [{id: right, text: Is it?, max: 1, anchors: {1: {text: Y}, 0: {text: N}}}]"
TWO = """\
inputs:
  - {name: QUOTE, from: context, text: the quotation}
  - {name: SOURCE_TEXT, from: context, text: its source}
  - {name: TRUTH, from: reference, text: the verdict}
  - {name: OUTPUT, from: candidate, text: the document}
"""
ONE = "inputs:\n  - {name: QUESTION, from: context, text: the question}\n"
GIVEN = {"QUOTE": "a", "SOURCE_TEXT": "b", "other": "c"}


def rubric(setting: str) -> Rubric:
    return load(f"kind: points\n{setting}\n{DIMENSION}\n")


def test_what_is_given_is_described_to_the_judge() -> None:
    assert rubric(ONE).described()["inputs"] == [
        {"name": "QUESTION", "from": "context", "what": "the question"}
    ]


def test_a_case_with_all_that_the_rubric_asks_for() -> None:
    assert rubric(TWO).before(case(context=GIVEN, reference={"status": "Misquoted"})) is None


@pytest.mark.parametrize("context", [None, "a text", {}, {"QUOTE": "a"}, {"SOURCE_TEXT": "b"}])
def test_a_context_that_lacks_a_key(context: object) -> None:
    with pytest.raises(RubricError, match=r"needs a context with the key '(QUOTE|SOURCE_TEXT)'"):
        rubric(TWO).before(case(context=context, reference="x"))


def test_a_missing_reference() -> None:
    with pytest.raises(RubricError, match=r"needs a reference, 'TRUTH' \(the verdict\)"):
        rubric(TWO).before(case(context=GIVEN))


def test_a_context_that_is_a_text_is_the_only_input_from_there() -> None:
    assert rubric(ONE).before(case(context="What happens?")) is None
    with pytest.raises(RubricError, match="context with the key 'QUESTION'"):
        rubric(ONE).before(case(context=" "))


@pytest.mark.parametrize(
    "text",
    ['{"status": "Accurate"}', ' [1, 2]\n', '"Accurate"', "null", "{}"],
)  # fmt: skip
def test_json_is_put_to_the_judge(text: str) -> None:
    assert rubric("candidate_format: json").before(case(text)) is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"status": "Accur', "Unterminated string starting at"),
        ("The quotation is accurate.", "Expecting value"),
        ('```json\n{"status": "Accurate"}\n```', "Expecting value"),
        ('{"status": "Accurate"} as far as I can tell', "Extra data"),
        ('{"confidence": NaN}', "NaN is no JSON"),
        ("{'status': 'Accurate'}", "Expecting property name enclosed in double quotes"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_what_should_be_json_and_is_not_is_settled_without_a_judge(text: str, why: str) -> None:
    grade = rubric("candidate_format: json").before(case(text))
    assert grade is not None and grade.score == 0
    rationale = grade.details["dimensions"][0]["rationale"]
    assert rationale.startswith(
        f"The document cannot be assessed: it is no JSON, which this rubric's candidate_format "
        f"asks for ({why}"
    )


def test_of_text_only_emptiness_is_settled_without_a_judge() -> None:
    assert rubric("candidate_format: text").before(case('{"status": "Accur')) is None
    assert rubric("").before(case(" \n")) is not None


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ("[{name: A, from: file, text: x}]", "'file' is not one of candidate, context, reference"),
        ("[{name: A, from: context}]", "the key 'text' is missing"),
        ("[{name: A, text: x}]", "the key 'from' is missing"),
        ("[{name: A, from: context, text: x, kind: y}]", "unknown key 'kind'"),
        ("[{name: A, from: context, text: x}, {name: A, from: context, text: y}]",
         "the input 'A' stands twice"),
        ("[{name: A, from: reference, text: x}, {name: B, from: reference, text: y}]",
         "there is one reference, and two inputs are said to be it"),
        ("{A: x}", "expected a list"),
    ],
)  # fmt: skip
def test_wrong_inputs_are_refused_with_their_line(inputs: str, message: str) -> None:
    with pytest.raises(RubricError) as caught:
        rubric(f"inputs: {inputs}")
    assert str(caught.value).startswith(f"rubric.yaml:2: {message}")
