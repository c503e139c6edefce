"""The cases that come with the package, one for each of some of its rubrics."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable

from pae_verifiers import reference
from pae_verifiers.errors import RubricError
from pae_verifiers.judge.candidate import Candidate
from pae_verifiers.rubric.model import Case


def example(name: str) -> Case:
    """The case that shows the rubric ``name`` at work. Raises RubricError where there is none."""
    folder = files("pae_verifiers").joinpath("rubrics", "examples", name)
    if not folder.is_dir():
        raise RubricError(f"there is no example of the rubric {name!r}")
    parts = {entry.name.partition(".")[0]: entry for entry in folder.iterdir()}
    candidate = parts["candidate"]
    if candidate.name.endswith(".md"):
        from pae_verifiers.numbers.markdown import render
    else:
        from pae_verifiers.numbers.plain import render
    document = render(candidate.read_text(encoding="utf-8"))
    return Case(
        Candidate(document),
        context=_data(parts.get("context")),
        reference=_data(parts.get("reference")),
    )


def _data(entry: Traversable | None) -> object:
    if entry is None:
        return None
    return reference.from_text(entry.read_text(encoding="utf-8"), entry.name)
