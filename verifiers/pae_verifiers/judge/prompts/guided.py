"""The hardened way to ask, with the reply's JSON Schema for servers that guide decoding by one.

llama.cpp, vLLM and Ollama then let a model write nothing but the reply's form, which small models
need. Elsewhere the plain form is the better one: OpenAI's strict mode refuses these schemas.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property

from pae_verifiers.judge.chat import ChatRequest
from pae_verifiers.judge.prompts import hardened
from pae_verifiers.rubric.model import Case, Rubric


@dataclass(frozen=True)
class Guided:
    """A :class:`~pae_verifiers.judge.prompts.Prompt` for every kind of rubric."""

    plain: hardened.Hardened
    name: str = "guided"

    @cached_property
    def digest(self) -> str:
        return hashlib.sha256(f"{self.name}:{self.plain.digest}".encode()).hexdigest()

    def request(self, rubric: Rubric, case: Case) -> ChatRequest:
        schema = {"name": "reply", "schema": rubric.reply_schema()}
        form = {"type": "json_schema", "json_schema": schema}
        return replace(self.plain.request(rubric, case), response_format=form)

    def repair(self, asked: ChatRequest, reply: str, faults: tuple[str, ...]) -> ChatRequest:
        return self.plain.repair(asked, reply, faults)


def prompt(system: str | None = None) -> Guided:
    """The guided prompt; ``system`` replaces its system message."""
    return Guided(hardened.prompt(system))
