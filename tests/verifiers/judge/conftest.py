"""What tests of the judge's detectors share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import ModuleType

import pytest

from pae_verifiers.judge.prose import plain
from pae_verifiers.judge.wording import Wording


@pytest.fixture
def passed_over() -> Callable[[ModuleType, Iterable[str]], list[tuple[str, str]]]:
    """A module and sentences → (pattern, sentence) where a wording's needs hide a match."""

    def hidden(module: ModuleType, sentences: Iterable[str]) -> list[tuple[str, str]]:
        return [
            (wording.pattern, sentence)
            for value in vars(module).values()
            for wording in (value if isinstance(value, tuple) else (value,))
            if isinstance(wording, Wording)
            for sentence in map(plain, sentences)
            if wording.compiled.search(sentence) and not wording(sentence)
        ]

    return hidden
