"""Static checks on a task's rubric, of whatever kind, and on the rules for its items."""

from __future__ import annotations

import ast
import keyword
from collections.abc import Iterator
from typing import Any

from pae_harness.errors import TaskError
from pae_harness.nearest import did_you_mean, nearest
from pae_harness.tasks.check_scoring import exact_sum
from pae_harness.tasks.draft import Draft
from pae_harness.tasks.source import Source, read_python, read_text, split_line
from pae_verifiers.errors import RubricError


def items(draft: Draft) -> Iterator[TaskError]:
    """Weights sum to 1, ids are unique and no keywords, a check has what it looks for."""
    if draft.rubric is None:
        return
    if draft.rubric_kind == "items":
        yield from _weights(draft.rubric, draft.items)
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


def _weights(rubric: Source, items: list[dict[str, Any]]) -> Iterator[TaskError]:
    total = exact_sum(item["weight"] for item in items if item["role"] == "required")
    if total != 1:
        yield rubric.error(f"the weights of the required items sum to {total}, not to 1", "items")


def as_the_verifier_reads_it(draft: Draft) -> Iterator[TaskError]:
    """What no schema can say of a rubric, such as an anchor for each score, its reader does."""
    if draft.rubric is None:
        return
    if any(items(draft)):
        return  # told above, in other words
    from pae_verifiers.rubric.load import load

    try:
        load(read_text(draft.rubric.path), "")
    except RubricError as error:
        message, line = split_line(str(error))
        yield TaskError(message, draft.rubric.path, line)


def inputs(draft: Draft) -> Iterator[TaskError]:
    """A task's judge is given its rubric, its results and its reference, and no context."""
    if draft.rubric is None or draft.rubric_kind not in ("likert", "points"):
        return
    for index, given in enumerate(draft.rubric.value.get("inputs", ())):
        keys = ("inputs", index, "from")
        if given["from"] == "context":
            yield draft.rubric.error(
                f"the input '{given['name']}' is to come from a context, which a task has not: "
                "put it into tests/reference.json, or judge with 'pae judge --context'",
                *keys,
            )
        if given["from"] == "reference" and not list(draft.tests.glob("reference.*")):
            yield draft.rubric.error(
                f"the input '{given['name']}' is the reference, and there is no tests/reference.*",
                *keys,
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


def _takes_two(args: ast.arguments) -> bool:
    required = len(args.posonlyargs) + len(args.args) - len(args.defaults)
    no_required_keywords = all(default is not None for default in args.kw_defaults)
    return required == 2 and no_required_keywords
