"""Static checks on how a task is scored: verifier.yaml, the rubric and its rules, the facts."""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any

from pae_harness.errors import TaskError
from pae_harness.nearest import did_you_mean, nearest
from pae_harness.tasks.draft import Draft
from pae_harness.tasks.source import Source, read_python, read_text, split_line
from pae_verifiers.errors import RubricError


def weights(draft: Draft) -> Iterator[TaskError]:
    """The metrics' weights, and those of the required items, sum to 1 exactly."""
    if draft.verifier:
        metrics = draft.verifier.value["metrics"]
        total = exact_sum(metric["weight"] for metric in metrics.values())
        if total != 1:
            yield draft.verifier.error(f"the metrics' weights sum to {total}, not to 1", "metrics")
    if draft.rubric and draft.rubric_kind == "items":
        total = exact_sum(item["weight"] for item in draft.items if item["role"] == "required")
        if total != 1:
            yield draft.rubric.error(
                f"the weights of the required items sum to {total}, not to 1", "items"
            )


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


def rubric_items(draft: Draft) -> Iterator[TaskError]:
    """Ids are unique and no keywords; the check 'sections' has sections to look for."""
    if draft.rubric is None:
        return
    first: dict[str, int] = {}
    for index, item in enumerate(draft.items):
        name, keys = item["id"], ("items", index, "id")
        if name in first:
            where = draft.rubric.line("items", first[name], "id")
            yield draft.rubric.error(f"the id '{name}' stands twice, first on line {where}", *keys)
        first.setdefault(name, index)
        if keyword.iskeyword(name):
            yield draft.rubric.error(f"the id '{name}' is a Python keyword", *keys)
        yield from _files(draft, index, item)
        if item.get("check") == "sections" and "sections" not in draft.rubric.value:
            yield draft.rubric.error(
                "the check 'sections' needs the key 'sections' at the top level",
                "items",
                index,
                "check",
            )


def _files(draft: Draft, index: int, item: Any) -> Iterator[TaskError]:
    if item.get("check") != "files" or draft.task is None or draft.rubric is None:
        return
    outputs = [output["path"] for output in draft.task.value["metadata"]["outputs"]]
    for number, path in enumerate(item["params"]["paths"]):
        if path not in outputs:
            yield draft.rubric.error(
                f"{path} is not among the task's outputs{did_you_mean(path, outputs)}",
                *("items", index, "params", "paths", number),
            )


def rules(draft: Draft) -> Iterator[TaskError]:
    """rules.py, which is not run, has one function per item that a judge decides."""
    if draft.rubric is None:
        return
    judged = {
        item["id"]: index
        for index, item in enumerate(draft.items)
        if item.get("by", "judge") == "judge"
    }
    path = draft.tests / "rules.py"
    if not judged and not path.exists():
        return
    if draft.rubric_kind != "items":
        yield TaskError(
            "rules decide rubrics of the kind 'items', and this task's is of the kind "
            f"'{draft.rubric_kind}': remove the file",
            path,
        )
        return
    try:
        tree = read_python(path)
    except TaskError as error:
        yield error
        return
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    public = {name: node for name, node in functions.items() if not name.startswith("_")}
    for name, index in judged.items():
        if name not in public:
            near = nearest(name, set(public) - set(judged))
            hint = f"; is it '{near}'?" if near else ""
            yield draft.rubric.error(
                f"rules.py has no function '{name}' for this item{hint}", "items", index, "id"
            )
    for name, node in public.items():
        if name not in judged:
            near = did_you_mean(name, judged)
            yield TaskError(
                f"the function '{name}' belongs to no item that a judge decides{near}",
                path,
                node.lineno,
            )
        elif not _takes_two(node.args):
            yield TaskError(f"'{name}' must take (candidate, facts)", path, node.lineno)


def rubric_as_the_verifier_reads_it(draft: Draft) -> Iterator[TaskError]:
    """What no schema can say of a rubric, such as an anchor for each score, its reader does."""
    if draft.rubric is None:
        return
    seen = (*weights(draft), *rubric_items(draft))
    if any(error.path == draft.rubric.path for error in seen):
        return
    from pae_verifiers.rubric.load import load

    try:
        load(read_text(draft.rubric.path), "")
    except RubricError as error:
        message, line = split_line(str(error))
        yield TaskError(message, draft.rubric.path, line)


def _takes_two(args: ast.arguments) -> bool:
    required = len(args.posonlyargs) + len(args.args) - len(args.defaults)
    no_required_keywords = all(default is not None for default in args.kw_defaults)
    return required == 2 and no_required_keywords


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
