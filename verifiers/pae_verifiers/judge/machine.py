"""The items that code decides, under every judge: ``by: code``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from typing import NamedTuple, cast

from pae_verifiers.judge.candidate import Candidate
from pae_verifiers.rubric.item import Finding, Item
from pae_verifiers.yamlfile import Node

Params = Mapping[str, object]


class Check(NamedTuple):
    """A built-in check: ``params`` reads its parameters, ``run`` decides.

    ``params`` gets the node in the rubric and the rubric's section headings, and raises
    RubricError; ``run`` gets what it returned, and the paths of the outputs that are there.
    """

    params: Callable[[Node, tuple[str, ...]], Params]
    run: Callable[[Candidate, Params, AbstractSet[str]], Finding]


def decide(item: Item, candidate: Candidate, present: AbstractSet[str]) -> Finding:
    """The finding on one ``by: code`` item."""
    return CHECKS[item.check].run(candidate, item.params, present)


def wanted_files(items: tuple[Item, ...]) -> frozenset[str]:
    """The absolute paths of the outputs that some item asks for."""
    return frozenset(
        path
        for item in items
        if item.check == "files"
        for path in cast(tuple[str, ...], item.params["paths"])
    )


def _max_words_params(node: Node, sections: tuple[str, ...]) -> Params:
    limit = node.fields(required=("max",))["max"]
    if limit.integer() < 1:
        raise limit.error("max must be at least 1")
    return {"max": limit.integer()}


def _max_words(candidate: Candidate, params: Params, present: AbstractSet[str]) -> Finding:
    limit, words = cast(int, params["max"]), candidate.words()
    return Finding(words <= limit, f"{words} words, of at most {limit}")


def _sections_params(node: Node, sections: tuple[str, ...]) -> Params:
    node.fields(required=())
    if not sections:
        raise node.error("the check 'sections' needs the rubric's list 'sections'")
    return {"headings": sections}


def _sections(candidate: Candidate, params: Params, present: AbstractSet[str]) -> Finding:
    faults = []
    for heading in cast(tuple[str, ...], params["headings"]):
        body = candidate.section(heading)
        if not any(map(str.isalnum, body or "")):
            faults.append(f"{heading!r} is {'missing' if body is None else 'empty'}")
    return Finding(not faults, "; ".join(faults) or "every section is there")


def _files_params(node: Node, sections: tuple[str, ...]) -> Params:
    paths = node.fields(required=("paths",))["paths"].sequence()
    for path in paths:
        if not path.text().startswith("/") or ".." in path.text().split("/"):
            raise path.error("expected an absolute path")
    return {"paths": tuple(path.text() for path in paths)}


def _files(candidate: Candidate, params: Params, present: AbstractSet[str]) -> Finding:
    missing = [path for path in cast(tuple[str, ...], params["paths"]) if path not in present]
    return Finding(not missing, f"missing: {', '.join(missing)}" if missing else "all are there")


CHECKS: Mapping[str, Check] = {
    "max_words": Check(_max_words_params, _max_words),
    "sections": Check(_sections_params, _sections),
    "files": Check(_files_params, _files),
}
