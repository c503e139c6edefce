"""Three responses to the equity switch rubric, and a judge that says what it is told to."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from pae_verifiers.judge.candidate import Candidate
from pae_verifiers.judge.protocol import Judgement
from pae_verifiers.numbers.markdown import render
from pae_verifiers.rubric.checklist.model import Layout
from pae_verifiers.rubric.model import Case, Rubric

RUBRICS = files("pae_verifiers") / "rubrics"
LAYOUT = Layout(
    {"verification": "[VERIFICATION]", "note": "[NOTE]"},
    "Both are needed.",
    ("--- English ---", "--- 繁體中文 ---", "--- 简体中文 ---"),
)
DATA = Path(__file__).parent / "data"
NAME = "equity-switch-note.yaml"
SOURCE = (RUBRICS / NAME).read_text(encoding="utf-8")
EXAMPLE = RUBRICS / "examples" / "equity-switch-note"


@dataclass(frozen=True)
class FixedJudge:
    """A judge that answers every case with one reply."""

    reply: Mapping[str, Any]
    name: str = "fixed"

    def judge(self, rubric: Rubric, case: Case) -> Judgement:
        return Judgement(self.reply)


@dataclass(frozen=True)
class Sample:
    """A response, what it answers, a judge's reply to it, and the output that follows.

    The response ``good`` is the example that comes with the package.
    """

    name: str

    @property
    def case(self) -> Case:
        if self.name == "good":
            source, asked = (
                (EXAMPLE / name).read_text(encoding="utf-8")
                for name in ("candidate.md", "context.txt")
            )
        else:
            source, asked = self._text("md"), self._text("context.txt")
        return Case(Candidate(render(source)), context=asked)

    @property
    def reply(self) -> dict[str, Any]:
        return json.loads(self._text("reply.json"))  # type: ignore[no-any-return]

    @property
    def native(self) -> str:
        """The output object as it is printed, byte for byte."""
        return self._text("native.json")

    def _text(self, kind: str) -> str:
        return (DATA / f"{self.name}.{kind}").read_text(encoding="utf-8")
