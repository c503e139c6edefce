"""What a rubric of the kinds ``likert`` and ``points`` says around its dimensions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NoReturn, get_args

from pae_verifiers.errors import RubricError
from pae_verifiers.rubric.model import Case
from pae_verifiers.yamlfile import Node

Place = Literal["candidate", "context", "reference"]
Format = Literal["text", "json"]

KEYS = ("about", "inputs", "candidate_format")


@dataclass(frozen=True)
class Input:
    """Something that the judge is given: the document, a key of the context, or the reference."""

    name: str
    place: Place
    text: str


@dataclass(frozen=True)
class Setting:
    """What is judged and on what terms; a document that is not of ``format`` is malformed."""

    about: str = ""
    inputs: tuple[Input, ...] = ()
    format: Format = "text"

    def described(self) -> dict[str, Any]:
        """What a judge is told of it, as JSON data."""
        inputs = [{"name": i.name, "from": i.place, "what": i.text} for i in self.inputs]
        return {
            **({"about": self.about} if self.about else {}),
            **({"inputs": inputs} if inputs else {}),
        }

    def _require_inputs(self, case: Case) -> None:
        keyed = sum(wanted.place == "context" for wanted in self.inputs) > 1
        for wanted in self.inputs:
            # A context that is text is the one input that comes from there.
            whole = not keyed and isinstance(case.context, str) and case.context.strip()
            if wanted.place == "context" and not (whole or _has(case.context, wanted.name)):
                raise RubricError(
                    f"the rubric needs a context with the key {wanted.name!r} ({wanted.text})"
                )
            if wanted.place == "reference" and case.reference is None:
                raise RubricError(f"the rubric needs a reference, {wanted.name!r} ({wanted.text})")

    def without_judge(self, case: Case) -> str:
        """Why no judge need be asked, as the rationale of every answer; "" where one is to be.

        Raises RubricError where the case lacks something that the rubric is judged by.
        """
        self._require_inputs(case)
        why = self._malformed(case.candidate.source)
        return f"The document cannot be assessed: {why}. No judge was asked." if why else ""

    def _malformed(self, source: str) -> str:
        if not source.strip():
            return "it is empty"
        if self.format == "json":
            try:
                json.loads(source, parse_constant=_no_number)
            except (ValueError, RecursionError) as error:
                why = "nested too deeply" if isinstance(error, RecursionError) else error
                return f"it is no JSON, which this rubric's candidate_format asks for ({why})"
        return ""


def parse(entries: Mapping[str, Node]) -> Setting:
    """The setting among a rubric's keys. Raises RubricError with file and line."""
    return Setting(
        about=entries["about"].text() if "about" in entries else "",
        inputs=_inputs(entries["inputs"]) if "inputs" in entries else (),
        format=(
            entries["candidate_format"].choice(get_args(Format))
            if "candidate_format" in entries
            else "text"
        ),
    )


def _inputs(node: Node) -> tuple[Input, ...]:
    found: list[Input] = []
    for entry in node.sequence():
        keys = entry.fields(required=("name", "from", "text"))
        name, place = keys["name"].text(), keys["from"].choice(get_args(Place))
        if any(name == other.name for other in found):
            raise keys["name"].error(f"the input {name!r} stands twice")
        if place != "context" and any(place == other.place for other in found):
            raise keys["from"].error(f"there is one {place}, and two inputs are said to be it")
        found.append(Input(name, place, keys["text"].text()))
    return tuple(found)


def _has(context: object, key: str) -> bool:
    return isinstance(context, Mapping) and context.get(key) is not None


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")
