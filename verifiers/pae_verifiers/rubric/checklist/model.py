"""What a checklist consists of, and what was found of it in one response."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from pae_verifiers.rubric.item import By, EvidenceRule

Verdict = Literal["PASS", "FAIL", "N/A"]
HardFail = Literal["never", "always", "material"]
Per = Literal["sentence", "row", "leg", "claim", "instance"]


@dataclass(frozen=True)
class Check:
    """A question that is answered PASS, FAIL or, where ``na`` says when, N/A.

    A FAIL takes the dimension's score to 0 where ``hard_fail`` is ``always``, and where it is
    ``material`` if what fails is material.
    """

    id: str
    name: str
    text: str
    hard_fail: HardFail = "never"
    na: str = ""
    by: By = "judge"
    count: str = ""  # by code: the counter, and its parameters
    params: Mapping[str, object] = field(default_factory=dict)

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        return ("PASS", "FAIL", "N/A") if self.na else ("PASS", "FAIL")


@dataclass(frozen=True)
class Shows:
    """What an excerpt must contain: ``pattern`` is searched in it, ``words`` say it."""

    pattern: re.Pattern[str]
    words: str


@dataclass(frozen=True)
class Deduction:
    """``points`` off for every instance, up to ``cap`` in all (None: without end).

    ``per`` says what one instance is: no two of them may lie in one sentence, table row or leg.
    ``needs_fail`` is the id of a check of the same dimension that must have FAILed. An excerpt
    of each instance lies in ``section``, where there is one.
    """

    id: str
    name: str
    text: str
    points: int
    per: Per
    cap: int | None = None
    needs_fail: str = ""
    section: str = ""
    evidence: EvidenceRule = "required"
    shows: Shows | None = None


@dataclass(frozen=True)
class Dimension:
    """Checks and deductions that make one score.

    ``baselines[n]`` is what a response with n FAILs starts from; the last one holds for more.
    """

    id: str
    text: str
    baselines: tuple[int, ...]
    checks: tuple[Check, ...]
    deductions: tuple[Deduction, ...] = ()


@dataclass(frozen=True)
class Layout:
    """What a response consists of.

    ``sections`` are the lines that begin them, by name; a response that lacks one is refused with
    the sentence ``missing``. ``languages`` are the header lines of a section that is translated,
    in their order; the first is the language that is judged.
    """

    sections: Mapping[str, str]
    missing: str
    languages: tuple[str, ...] = ()


@dataclass(frozen=True)
class Comments:
    """A free field for what the dimensions leave out: lines ``<category>: <issue>``."""

    text: str
    categories: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Finding:
    """The answer to one check. ``material`` counts for a FAIL of a check that asks for it."""

    check: Check
    verdict: Verdict
    justification: str
    evidence: tuple[str, ...] = ()
    material: bool = True

    @property
    def is_hard_fail(self) -> bool:
        how = self.check.hard_fail
        return self.verdict == "FAIL" and (how == "always" or (how == "material" and self.material))


@dataclass(frozen=True)
class Instance:
    """One occurrence of what a deduction is for."""

    deduction: Deduction
    specific: str
    evidence: tuple[str, ...] = ()
