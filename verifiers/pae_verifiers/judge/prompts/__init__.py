"""How a rubric and a document are put to a model: each way is a module of :data:`PROMPTS`."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Protocol, cast

from pae_verifiers.judge.chat import ChatRequest
from pae_verifiers.rubric.model import Case, Rubric

PROMPTS = {
    "hardened": "pae_verifiers.judge.prompts.hardened",
    "guided": "pae_verifiers.judge.prompts.guided",
    "seed": "pae_verifiers.judge.prompts.seed",
}


class Prompt(Protocol):
    """A way to ask."""

    @property
    def name(self) -> str: ...

    @property
    def digest(self) -> str:
        """SHA-256 in hex of all text that does not come from rubric or case, and the settings."""
        ...

    def request(self, rubric: Rubric, case: Case) -> ChatRequest:
        """What the model is asked about the case."""
        ...

    def repair(self, asked: ChatRequest, reply: str, faults: tuple[str, ...]) -> ChatRequest:
        """The one further request after a reply that cannot be used."""
        ...


def load(name: str = "hardened", system: str | None = None) -> Prompt:
    """The prompt called ``name`` (of :data:`PROMPTS`); ``system`` replaces its system message."""
    make = importlib.import_module(PROMPTS[name]).prompt
    return cast(Callable[[str | None], Prompt], make)(system)
