"""Static checks on how a task is scored: verifier.yaml and the facts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any

from pae_harness.errors import TaskError
from pae_harness.nearest import did_you_mean
from pae_harness.tasks.draft import Draft
from pae_harness.tasks.source import Source


def weights(draft: Draft) -> Iterator[TaskError]:
    """The metrics' weights sum to 1 exactly."""
    if draft.verifier:
        metrics = draft.verifier.value["metrics"]
        total = exact_sum(metric["weight"] for metric in metrics.values())
        if total != 1:
            yield draft.verifier.error(f"the metrics' weights sum to {total}, not to 1", "metrics")


def exact_sum(values: Iterable[float]) -> Decimal:
    """Of the decimals as written: 0.1 + 0.2 is 0.3."""
    return sum((Decimal(str(value)) for value in values), Decimal(0)).normalize() + 0


def metric_checks(draft: Draft) -> Iterator[TaskError]:
    """Each kind of check has what it reads, and a rubric is never averaged away."""
    source = draft.verifier
    if source is None:
        return
    kinds = {metric["check"] for metric in source.value["metrics"].values()}
    for key, kind in (("results", "numbers"), ("rubric", "rubric")):
        if kind in kinds and key not in source.value:
            yield source.error(f"a metric with 'check: {kind}' needs the key '{key}'", "metrics")
    for key, kind in (("facts", "numbers"), ("rubric", "rubric")):
        if key in source.value and kind not in kinds:
            yield source.error(f"no metric has 'check: {kind}', so '{key}' is never used", key)
    if source.value.get("combine") == "weighted_sum" and "rubric" in kinds:
        yield source.error(
            "combine: weighted_sum is only for tasks without a rubric; "
            "write 'geometric' or 'product'",
            "combine",
        )


def paths(draft: Draft) -> Iterator[TaskError]:
    """The document is an output, all else an input, and no output is a fixture too."""
    if draft.task is None:
        return
    metadata = draft.task.value["metadata"]
    inputs = [entry["path"] for entry in metadata["inputs"]]
    outputs = [entry["path"] for entry in metadata["outputs"]]
    for key, listed in (("inputs", inputs), ("outputs", outputs)):
        for index, path in enumerate(listed):
            if path in listed[:index]:
                yield draft.task.error(f"{path} stands twice in {key}", "metadata", key, index)
    known = [*inputs, *_static_fixtures(draft)]
    for index, path in enumerate(outputs):
        clash = next((fixture for fixture in known if _overlap(path, fixture)), None)
        if clash is not None:
            yield draft.task.error(
                f"the output {path} is also a fixture ({clash}): the agent could rewrite it",
                "metadata",
                "outputs",
                index,
            )
    if draft.verifier:
        yield from _verifier_paths(draft.verifier, inputs, outputs)


def _verifier_paths(source: Source, inputs: list[str], outputs: list[str]) -> Iterator[TaskError]:
    def complain(path: str, kind: str, names: list[str], *keys: str | int) -> TaskError:
        near = did_you_mean(path, names)
        return source.error(f"{path} is not among the task's {kind}{near}", *keys)

    value = source.value
    if value["document"] not in outputs:
        yield complain(value["document"], "outputs", outputs, "document")
    if "results" in value and value["results"] not in inputs:
        yield complain(value["results"], "inputs", inputs, "results")
    for index, path in enumerate(value.get("sources", ())):
        if path not in inputs:
            yield complain(path, "inputs", inputs, "sources", index)


def _static_fixtures(draft: Draft) -> list[str]:
    root = draft.environment / "fixtures"
    if not root.is_dir():
        return []
    return [f"/{p.relative_to(root).as_posix()}" for p in sorted(root.rglob("*")) if p.is_file()]


def _overlap(a: str, b: str) -> bool:
    return a == b or a.startswith(b + "/") or b.startswith(a + "/")


def facts(draft: Draft) -> Iterator[TaskError]:
    """{n} in an alias names the n-th '*' of its pointer."""
    if draft.facts is None:
        return
    for pointer, fact in draft.facts.value["facts"].items():
        stars = pointer.removesuffix("#").split("/").count("*")
        for group_index, group in enumerate(fact.get("aliases", ())):
            yield from _placeholders(draft.facts, pointer, stars, group_index, group)


def _placeholders(
    source: Source, pointer: str, stars: int, group_index: int, group: list[Any]
) -> Iterator[TaskError]:
    for index, alias in enumerate(group):
        for number in re.findall(r"\{(\d+)\}", alias):
            if not 1 <= int(number) <= stars:
                yield source.error(
                    f"{{{number}}} in '{alias}' names no '*': {pointer} has {stars}",
                    "facts",
                    pointer,
                    "aliases",
                    group_index,
                    index,
                )
