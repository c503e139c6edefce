"""Two judges on one document, by a rubric of the kind ``points``: both are reported, and the mean.

The mean is a result, not a rating: agreement (κ, ρ) is worked out on each judge's own whole
numbers, which :func:`ratings` gives, and never on the mean.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pae_verifiers.rubric.model import Grade


@dataclass(frozen=True)
class Panel:
    """Two grades of one document and their means: points as fractions, ``score`` in [0, 1]."""

    grades: tuple[Grade, Grade]
    dimensions: Mapping[str, Fraction]
    bonus: Mapping[str, Fraction]
    total: Fraction
    score: Fraction

    def to_json(self) -> dict[str, Any]:
        """``{"judges": [each one's details], "mean": {…}}``."""
        return {
            "judges": [dict(grade.details) for grade in self.grades],
            "mean": {
                "score": float(self.score),
                "total": float(self.total),
                "dimensions": {name: float(value) for name, value in self.dimensions.items()},
                "bonus": {name: float(value) for name, value in self.bonus.items()},
            },
        }


def panel(first: Grade, second: Grade) -> Panel:
    """Both grades and their mean.

    Raises ValueError where one is no score, which is no reason to report the other as the mean, or
    where they come from different rubrics.
    """
    if first.score is None or second.score is None:
        raise ValueError("only two scored grades have a mean: report the one that there is")
    if first.details.get("kind", "points") != "points" or ratings(first).keys() != (
        ratings(second).keys()
    ):
        raise ValueError("the two grades are not of one rubric of the kind 'points'")
    return Panel(
        grades=(first, second),
        dimensions=_means(first, second, "dimensions"),
        bonus=_means(first, second, "bonus"),
        total=_mean(first.details["total"], second.details["total"]),
        score=_mean(first.score, second.score),
    )


def ratings(grade: Grade) -> dict[str, int]:
    """One judge's points by dimension, after the caps, and the ``total``."""
    points = {answer["id"]: answer["score"] for answer in grade.details["dimensions"]}
    return {**points, "total": grade.details["total"]}


def _means(first: Grade, second: Grade, key: str) -> dict[str, Fraction]:
    pairs = zip(first.details[key], second.details[key], strict=True)
    return {a["id"]: _mean(a["score"], b["score"]) for a, b in pairs}


def _mean(a: Fraction | int, b: Fraction | int) -> Fraction:
    return (Fraction(a) + Fraction(b)) / 2
