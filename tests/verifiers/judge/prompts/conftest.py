"""A rubric of three items, and cases for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pae_verifiers.judge.candidate import Candidate
from pae_verifiers.numbers.plain import render
from pae_verifiers.rubric.load import load
from pae_verifiers.rubric.model import Case, Rubric

ITEMS = """\
kind: items
items:
  - id: says_why
    role: required
    weight: 0.5
    text: "The memo says why <it> traded: “drift” – 偏離."
  - id: short
    role: required
    weight: 0.5
    by: code
    check: max_words
    params: {max: 9}
    text: The memo is short.
  - {id: greets, role: optional, text: The memo greets the client.}
  - {id: forecast, role: disallowed, text: The memo forecasts.}
"""


@pytest.fixture
def rubric() -> Rubric:
    return load(ITEMS)


@pytest.fixture
def case() -> Callable[..., Case]:
    """A document, and what else a case has → the case."""

    def make(document: str, **rest: Any) -> Case:
        return Case(Candidate(render(document)), **rest)

    return make
