"""The public function for people who train or explore: score a document in this process."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pae_verifiers import config as settings
from pae_verifiers.errors import RubricError, SourcesError
from pae_verifiers.files import read_input
from pae_verifiers.reward import Combine
from pae_verifiers.verify import Score, Sources, parse_results, verify

if TYPE_CHECKING:
    from pae_verifiers.judge.protocol import Judge
    from pae_verifiers.numbers.model import Facts
    from pae_verifiers.rubric.model import Rubric

__all__ = ["Score", "score"]

NUMBERS = "numeric_consistency"
RUBRIC = "judge_rubric"


def score(
    document: str | bytes,
    facts: Facts | Mapping[str, Any] | str | Path,
    rubric: Rubric | str | Path | None = None,
    judge: str | Judge = "rules",
    *,
    facts_config: Mapping[str, Any] | str | Path | None = None,
    sources: Sequence[str] = (),
    reference: object = None,
    numbers_weight: float = 0.5,
    combine: Combine = "geometric",
) -> Score:
    """Score a Markdown ``document`` against the facts it may state, and against a rubric.

    ``facts`` is results.json (a path, or its parsed content) or facts that were loaded before; a
    rubric with items for a judge needs results.json. ``facts_config`` is facts.yaml (a path or its
    content) and ``sources`` the text of further files whose dates and names are known; neither
    goes with loaded facts. ``rubric`` is a path, or a loaded rubric; the judge ``"rules"`` runs
    the rules.py beside the path. A model judges as ``"NAME@PROVIDER"`` or one of the other names
    of :mod:`pae_verifiers.judge.select`, with its key in the environment; it is also shown
    ``reference``, text or JSON data.

    Without a rubric the only metric is ``numeric_consistency``; with one there is ``judge_rubric``
    too, and ``combine`` with ``numbers_weight`` (above 0, below 1) makes the reward. All are in
    [0, 1]. A document that cannot be evaluated scores 0 and says why. Where a model gives no reply
    of use there is no reward: it is None, and ``status`` is ``quarantined``. Strings are documents
    or names of files as the parameters say, never guessed.

    Raises VerifierInputError (or its subclasses SourcesError and RubricError) for facts, rubric,
    rules or a judge that cannot be used, ValueError for a weight outside its range.
    """
    data = document.encode("utf-8", "surrogatepass") if isinstance(document, str) else document
    graded, chosen = _rubric(rubric, judge)
    loaded = replace(_sources(facts, facts_config, sources), reference=reference)
    if chosen is not None and not loaded.results:
        raise SourcesError("a judged rubric needs results.json itself, not loaded facts")
    return verify(data, _config(graded, numbers_weight, combine), loaded, graded, chosen)


def _config(rubric: Rubric | None, numbers_weight: float, how: Combine) -> settings.Config:
    if rubric is None:
        metrics: tuple[settings.Metric, ...] = (settings.Metric(NUMBERS, "numbers", 1.0),)
    else:
        if not 0 < numbers_weight < 1:
            raise ValueError(f"numbers_weight is {numbers_weight}, not between 0 and 1")
        metrics = (
            settings.Metric(NUMBERS, "numbers", numbers_weight),
            settings.Metric(RUBRIC, "rubric", 1 - numbers_weight),
        )
    return settings.Config(document="/document.md", metrics=metrics, combine=how)


def _sources(
    facts: Facts | Mapping[str, Any] | str | Path,
    facts_config: Mapping[str, Any] | str | Path | None,
    sources: Sequence[str],
) -> Sources:
    from pae_verifiers.numbers.facts import load
    from pae_verifiers.numbers.model import Facts

    if isinstance(facts, Facts):
        return Sources(facts)
    if isinstance(facts, Mapping):
        name = "results"
        try:
            text = json.dumps(facts, allow_nan=False)
        except (TypeError, ValueError) as error:
            raise SourcesError(f"results: not plain JSON data: {error}") from error
    else:
        name = Path(facts).name
        text = read_input(Path(facts).parent, name)
    return Sources(
        load(text, _facts_config(facts_config), texts=sources), parse_results(text, name)
    )


def _facts_config(given: Mapping[str, Any] | str | Path | None) -> Mapping[str, object] | None:
    if given is None or isinstance(given, Mapping):
        return given
    from pae_verifiers.yamlfile import parse

    path = Path(given)
    return parse(read_input(path.parent, path.name), path.name, SourcesError).plain_mapping()


def _rubric(
    given: Rubric | str | Path | None, judge: str | Judge
) -> tuple[Rubric | None, Judge | None]:
    if given is None:
        return None, None
    from pae_verifiers.judge.select import select
    from pae_verifiers.rubric.load import load

    if not isinstance(given, str | Path):
        if judge == "rules" and given.size:
            raise RubricError("a loaded rubric needs another judge; rules.py has no place")
        if not given.size:
            return given, None
        return given, select(judge, Path(), given) if isinstance(judge, str) else judge
    path = Path(given)
    rubric = load(read_input(path.parent, path.name), path.name)
    if not rubric.size:
        return rubric, None
    return rubric, select(judge, path.parent, rubric) if isinstance(judge, str) else judge
