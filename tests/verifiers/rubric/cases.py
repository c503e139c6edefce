"""What the tests of rubrics have in common: a case around a text, and whether a reply fits."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from jsonschema import Draft202012Validator

from pae_verifiers.judge.candidate import Candidate
from pae_verifiers.numbers.markdown import render
from pae_verifiers.rubric.model import Case, Rubric

TEXT = "The verdict is Misquoted: “may” became “will”.\n\nThe source has «may».\n"


DROPPED = object()


def edited(reply: dict[str, Any], path: tuple[str | int, ...], value: object) -> dict[str, Any]:
    """The reply with the value at ``path`` replaced, added, or taken out if it is DROPPED."""
    copy = deepcopy(reply)
    *way, last = path
    place: Any = copy
    for key in way:
        place = place[key]
    if value is DROPPED:
        del place[last]
    else:
        place[last] = value
    return copy


def case(text: str = TEXT, context: Any = None, reference: Any = None) -> Case:
    return Case(Candidate(render(text)), context=context, reference=reference)


def fits(rubric: Rubric, reply: object) -> bool:
    """Whether the reply is as the rubric's reply schema says."""
    schema = rubric.reply_schema()
    Draft202012Validator.check_schema(schema)
    return bool(Draft202012Validator(schema).is_valid(reply))
