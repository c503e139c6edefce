"""Which judge a name stands for."""

from __future__ import annotations

from pathlib import Path

from pae_verifiers.errors import VerifierInputError
from pae_verifiers.judge import JUDGES
from pae_verifiers.judge.protocol import Judge
from pae_verifiers.rubric.model import Rubric


def check(name: str) -> None:
    """Raise VerifierInputError unless there is a judge called ``name``."""
    if name not in JUDGES:
        raise VerifierInputError(f"there is no judge {name!r}; there is: {', '.join(JUDGES)}")


def select(name: str, tests: Path, rubric: Rubric) -> Judge:
    """The judge called ``name``, for ``rubric`` of the task whose tests folder is ``tests``.

    Raises VerifierInputError for an unknown name, RubricError where the judge cannot be loaded.
    """
    check(name)
    from pae_verifiers.judge import rules

    return rules.load(tests / "rules.py", rules.asked(rubric))
