"""Verify one document: tie its numbers, grade its rubric, combine the two. No files, no network."""

from __future__ import annotations

import json
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pae_verifiers.config import Config
from pae_verifiers.details import numbers_details
from pae_verifiers.errors import DocumentError, SourcesError
from pae_verifiers.reward import combine
from pae_verifiers.text import MAX_BYTES, decode

if TYPE_CHECKING:
    from pae_verifiers.judge.protocol import Judge
    from pae_verifiers.numbers.model import Document, Facts
    from pae_verifiers.rubric.model import Rubric, Status

MOST_ENCODED = 2 * MAX_BYTES  # characters; what a judge has room for is counted in tokens


@dataclass(frozen=True)
class Sources:
    """What the document is held against.

    ``facts`` are the numbers, dates and names of all sources. A judge sees ``results``, the parsed
    results.json, and where there is one the ``reference``, text or JSON data.
    """

    facts: Facts
    results: Mapping[str, Any] = field(default_factory=dict)
    reference: object = None


@dataclass(frozen=True)
class Score:
    """The outcome of a verification.

    ``metrics`` and ``reward`` are in [0, 1]. ``reward`` is None only if ``status`` is
    ``quarantined``: a judge's reply could not be used, so there is no result. ``not_evaluable``
    means a reward of 0 for the ``reason`` given. ``not_measured`` names the metrics that a 0 made
    pointless. ``details`` is what details.json holds.
    """

    status: Status
    reward: float | None
    metrics: Mapping[str, float]
    not_measured: tuple[str, ...] = ()
    reason: str = ""
    details: Mapping[str, object] = field(default_factory=dict)

    def reward_json(self) -> dict[str, float]:
        """The flat object of reward.json. Raises ValueError where there is no reward."""
        if self.reward is None:
            raise ValueError("a quarantined verification has no reward")
        return {"reward": self.reward, **self.metrics}


def verify(
    data: bytes | None,
    config: Config,
    sources: Sources,
    rubric: Rubric | None = None,
    judge: Judge | None = None,
    present: AbstractSet[str] = frozenset(),
) -> Score:
    """Score the document ``data`` (None if there is none).

    ``present`` are the paths of the outputs that are there, for rubric items about files. A
    document that cannot be evaluated scores 0 and raises nothing. Raises VerifierInputError where
    the task's own files are at fault.
    """
    try:
        source = decode(data)
    except DocumentError as error:
        return not_evaluable(config, str(error))
    document = _render(source, config.document)
    metrics: dict[str, float] = {}
    details: dict[str, object] = {}
    for metric in config.metrics:
        if metric.check == "numbers":
            metrics[metric.name] = _numbers(document, sources.facts, details)
    ended = config.combine != "weighted_sum" and 0 in metrics.values()
    asked = any(metric.check == "rubric" for metric in config.metrics)
    if rubric is not None and asked and not ended:
        from pae_verifiers.judge.candidate import Candidate
        from pae_verifiers.rubric.grade import grade
        from pae_verifiers.rubric.model import Case

        if rubric.size and (why := _swollen(source)):
            return _without_score(config, "not_evaluable", why, details)
        case = Case(
            Candidate(document), sources.results, reference=sources.reference, present=present
        )
        graded = grade(rubric, judge, case)
        details["rubric"] = graded.details
        if graded.score is None:
            return _without_score(config, graded.status, graded.reason, details)
        metrics.update({m.name: float(graded.score) for m in config.metrics if m.check == "rubric"})
    return _scored(config, metrics, details)


def not_evaluable(config: Config, reason: str) -> Score:
    """The score of a document that there is no use in reading: 0 on every metric."""
    return _without_score(config, "not_evaluable", reason, {})


def parse_results(text: str, file: str) -> Mapping[str, Any]:
    """results.json as a judge sees it. Raises SourcesError if it is not a JSON object."""
    try:
        results = json.loads(text)
    except ValueError as error:
        raise SourcesError(f"{file}: not valid JSON: {error}") from error
    if not isinstance(results, dict):
        raise SourcesError(f"{file}: expected a JSON object")
    return results


def _render(source: str, path: str) -> Document:
    if path.endswith((".md", ".markdown")):
        from pae_verifiers.numbers.markdown import render
    else:
        from pae_verifiers.numbers.plain import render
    return render(source)


def _swollen(source: str) -> str:
    """Why a judge has no room for the document, or nothing.

    Whatever can end a block or shows nothing is written to a judge as six characters: a document
    of nothing else would be refused by every endpoint, and leave its trial unscored.
    """
    if 6 * len(source) <= MOST_ENCODED:
        return ""
    from pae_verifiers.judge.prompts.encode import encode

    size = len(encode(source))
    if size <= MOST_ENCODED:
        return ""
    return (
        f"the document swells to {size} characters for a judge, of at most {MOST_ENCODED}: it is "
        "full of angle brackets or of characters that show nothing"
    )


def _numbers(document: Document, facts: Facts, details: dict[str, object]) -> float:
    from pae_verifiers.numbers.scanner import scan
    from pae_verifiers.numbers.tie import tie

    tied = tie(scan(document), facts)
    details["numbers"] = numbers_details(tied)
    return tied.numeric_consistency


def _scored(config: Config, metrics: dict[str, float], details: dict[str, object]) -> Score:
    ordered = {m.name: metrics[m.name] for m in config.metrics if m.name in metrics}
    missing = tuple(m.name for m in config.metrics if m.name not in metrics)
    return Score(
        status="scored",
        reward=combine(ordered, config.weights, config.combine),
        metrics=ordered,
        not_measured=missing,
        details={**details, "not_measured": list(missing), "status": "scored", "reason": ""},
    )


def _without_score(
    config: Config, status: Status, reason: str, details: dict[str, object]
) -> Score:
    quarantined = status == "quarantined"
    missing = tuple(m.name for m in config.metrics) if quarantined else ()
    return Score(
        status=status,
        reward=None if quarantined else 0.0,
        metrics={} if quarantined else {m.name: 0.0 for m in config.metrics},
        not_measured=missing,
        reason=reason,
        details={**details, "not_measured": list(missing), "status": status, "reason": reason},
    )
