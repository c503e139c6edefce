"""Static checks on the traps: task.toml, traps.toml and the scripts name the same ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pae_harness.errors import TaskError
from pae_harness.nearest import did_you_mean
from pae_harness.tasks.draft import Draft
from pae_harness.tasks.source import Source

MIN_ITEM_WEIGHT = 0.05


def trap_names(draft: Draft) -> Iterator[TaskError]:
    """Every trap is listed in task.toml, described in traps.toml and written in traps/."""
    if draft.task is None or draft.traps is None:
        return
    listed = draft.task.value["metadata"]["traps"]
    described = draft.traps.value
    folder = draft.oracle / "traps"
    scripts = {path.stem: path for path in sorted(folder.glob("*.sh"))}
    for index, name in enumerate(listed):
        if name not in described:
            near = did_you_mean(name, set(described) - set(listed))
            yield draft.task.error(
                f"the trap '{name}' is not described in traps.toml{near}",
                "metadata",
                "traps",
                index,
            )
    for name in described:
        if name not in listed:
            near = did_you_mean(name, set(listed) - set(described))
            yield draft.traps.error(
                f"the trap '{name}' is not listed in task.toml's metadata.traps{near}", name
            )
        if name not in scripts:
            near = did_you_mean(name, set(scripts) - set(described))
            yield draft.traps.error(f"the trap '{name}' has no script traps/{name}.sh{near}", name)
    for name, path in scripts.items():
        if name not in described:
            yield TaskError(f"no trap in traps.toml is called '{name}'", path)


def trap_expectations(draft: Draft) -> Iterator[TaskError]:
    """A trap's metric exists, measures what it expects, and its item weighs enough to be felt."""
    if draft.traps is None or draft.verifier is None:
        return
    metrics = draft.verifier.value["metrics"]
    for name, trap in draft.traps.value.items():
        metric = metrics.get(trap["metric"])
        if metric is None:
            near = did_you_mean(trap["metric"], metrics)
            yield draft.traps.error(
                f"the metric '{trap['metric']}' is not in verifier.yaml{near}", name, "metric"
            )
            continue
        yield from _expectation(draft.traps, name, trap, metric["check"])
        if "item" in trap["expect"]:
            yield from _item(draft, name, trap["expect"]["item"])


def _expectation(traps: Source, name: str, trap: Any, check: str) -> Iterator[TaskError]:
    expect = trap["expect"]
    if "item" in expect and "verdict" in expect:
        yield traps.error("expect a verdict or an item, not both", name, "expect")
    elif "item" in expect and check != "rubric":
        yield traps.error(
            f"expects a rubric item, but '{trap['metric']}' is checked by {check}", name, "expect"
        )
    elif "verdict" in expect and check != "numbers":
        yield traps.error(
            f"expects a number's verdict, but '{trap['metric']}' is checked by {check}",
            name,
            "expect",
        )
    if "reason" in expect and expect.get("verdict") != "mismatch":
        yield traps.error("only a mismatch has a reason", name, "expect", "reason")


def _item(draft: Draft, name: str, target: str) -> Iterator[TaskError]:
    traps, known = draft.traps, draft.expectable
    if traps is None or known is None:
        return
    keys = (name, "expect", "item")
    item = next((item for item in draft.items if item["id"] == target), None)
    if target not in known:
        near = did_you_mean(target, known)
        yield traps.error(f"the item '{target}' is not in the rubric{near}", *keys)
    elif item is None:
        return  # of another kind: each of its dimensions and flags costs what the kind says
    elif item["role"] == "optional":
        yield traps.error(f"the item '{target}' is optional: missing it costs nothing", *keys)
    else:
        word = "weight" if item["role"] == "required" else "penalty"
        size = item.get(word, 0.5)
        if size < MIN_ITEM_WEIGHT:
            yield traps.error(
                f"the item '{target}' has a {word} of {size}: "
                f"one that a trap targets has at least {MIN_ITEM_WEIGHT}",
                *keys,
            )
