"""A task's ``verifier.yaml``: what is verified, how, and with which weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, get_args

from pae_verifiers.reward import COMBINES, Combine
from pae_verifiers.yamlfile import Node, parse

CheckName = Literal["numbers", "rubric"]


@dataclass(frozen=True)
class Metric:
    """One metric of a task: who measures it, and its share of the reward."""

    name: str
    check: CheckName
    weight: float


@dataclass(frozen=True)
class Config:
    """What verifier.yaml says; "" where the task has no such file.

    ``facts`` and ``rubric`` are files beside verifier.yaml, the other paths are absolute ones of
    the agent's box.
    """

    document: str
    metrics: tuple[Metric, ...]
    combine: Combine = "geometric"
    results: str = ""
    sources: tuple[str, ...] = ()
    facts: str = ""
    rubric: str = ""

    @property
    def weights(self) -> Mapping[str, float]:
        return {metric.name: metric.weight for metric in self.metrics}


def load(text: str, file: str = "verifier.yaml") -> Config:
    """The configuration in YAML ``text``. Raises VerifierInputError with file and line."""
    root = parse(text, file)
    entries = root.fields(
        required=("document", "metrics"),
        optional=("results", "sources", "facts", "rubric", "combine"),
    )
    metrics = tuple(_metric(name, node) for name, node in entries["metrics"].mapping().items())
    how = entries["combine"].choice(COMBINES) if "combine" in entries else "geometric"
    total = sum((Fraction(repr(metric.weight)) for metric in metrics), Fraction(0))
    if total != 1:
        raise entries["metrics"].error(f"the weights sum to {float(total):g}, not 1")
    checks = {metric.check for metric in metrics}
    for check, key in (("numbers", "results"), ("rubric", "rubric")):
        if check in checks and key not in entries:
            raise entries["metrics"].error(f"a metric with 'check: {check}' needs the key {key!r}")
    if "rubric" in checks and how == "weighted_sum":
        raise entries["combine"].error("weighted_sum is only for tasks without a rubric")
    return Config(
        document=_absolute(entries["document"]),
        metrics=metrics,
        combine=how,
        results=_absolute(entries["results"]) if "results" in entries else "",
        sources=tuple(
            _absolute(node)
            for node in (entries["sources"].sequence() if "sources" in entries else ())
        ),
        facts=_beside(entries, "facts"),
        rubric=_beside(entries, "rubric"),
    )


def _metric(name: str, node: Node) -> Metric:
    entries = node.fields(required=("weight", "check"))
    if name == "reward" or not name.isidentifier():
        raise node.error(f"{name!r} cannot be a metric's name")
    return Metric(
        name=name,
        check=entries["check"].choice(get_args(CheckName)),
        weight=float(entries["weight"].positive_share()),
    )


def _absolute(node: Node) -> str:
    path = node.text()
    if not path.startswith("/") or ".." in path.split("/"):
        raise node.error(f"{path!r} is not an absolute path")
    return path


def _beside(entries: Mapping[str, Node], key: str) -> str:
    if key not in entries:
        return ""
    name = entries[key].text()
    if "/" in name:
        raise entries[key].error(f"{name!r}: expected the name of a file beside verifier.yaml")
    return name
