"""Read the YAML of a checklist. Everything raises RubricError with file and line."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import get_args

from pae_verifiers.rubric.checklist.counted import COUNTERS, section_name
from pae_verifiers.rubric.checklist.model import (
    Check,
    Comments,
    Deduction,
    Dimension,
    HardFail,
    Layout,
    Per,
    Shows,
)
from pae_verifiers.rubric.checklist.rubric import COMMENTS, ChecklistRubric
from pae_verifiers.rubric.item import By, EvidenceRule
from pae_verifiers.yamlfile import Node

HIGHEST = 100

Entries = Mapping[str, Node]


def parse(root: Node) -> ChecklistRubric:
    """The rubric that a YAML file describes."""
    entries = root.fields(
        required=("kind", "about", "max_attainable", "dimensions"),
        optional=("response", "fields", "reference", "comments"),
    )
    layout = _layout(entries["response"]) if "response" in entries else None
    fields = _texts(entries["fields"]) if "fields" in entries else {}
    nodes = _listed(entries["dimensions"])
    dimensions = tuple(_dimension(node, layout) for node in nodes)
    taken = {"dimensions", COMMENTS, *fields}
    _distinct([dimension.id for dimension in dimensions], nodes, taken)
    for name in fields:
        if name in {"dimensions", COMMENTS}:
            raise entries["fields"].mapping()[name].error(f"the field {name!r} has another use")
    best = max(dimension.baselines[0] for dimension in dimensions)
    most = entries["max_attainable"]
    if most.integer() != best:
        raise most.error(f"max_attainable is {most.integer()}, but the best baseline is {best}")
    return ChecklistRubric(
        about=entries["about"].text().strip(),
        dimensions=dimensions,
        max_attainable=best,
        layout=layout,
        fields=fields,
        reference=entries["reference"].plain_mapping() if "reference" in entries else {},
        comments=_comments(entries["comments"]) if "comments" in entries else None,
    )


def _layout(node: Node) -> Layout:
    entries = node.fields(required=("sections", "missing"), optional=("languages",))
    sections = _texts(entries["sections"])
    languages = entries["languages"].sequence() if "languages" in entries else ()
    for place in languages:
        if not any(mark.isalnum() for mark in place.text()):
            raise place.error("a language's header must name it")
    return Layout(
        sections={name: marker.strip() for name, marker in sections.items()},
        missing=entries["missing"].text().strip(),
        languages=tuple(place.text().strip() for place in languages),
    )


def _comments(node: Node) -> Comments:
    entries = node.fields(required=("about",), optional=("categories",))
    categories = _texts(entries["categories"]) if "categories" in entries else {}
    return Comments(entries["about"].text().strip(), categories)


def _dimension(node: Node, layout: Layout | None) -> Dimension:
    entries = node.fields(required=("id", "about", "baselines", "checks"), optional=("deductions",))
    check_nodes = _listed(entries["checks"])
    checks = tuple(_check(each, layout) for each in check_nodes)
    _distinct([check.id for check in checks], check_nodes)
    deduction_nodes = entries["deductions"].sequence() if "deductions" in entries else ()
    deductions = tuple(_deduction(each, layout, checks) for each in deduction_nodes)
    _distinct([deduction.id for deduction in deductions], deduction_nodes)
    return Dimension(
        id=_identifier(entries["id"]),
        text=entries["about"].text().strip(),
        baselines=_baselines(entries["baselines"], len(checks)),
        checks=checks,
        deductions=deductions,
    )


def _baselines(node: Node, checks: int) -> tuple[int, ...]:
    baselines: list[int] = []
    for entry in _listed(node):
        value = entry.integer()
        if not 0 <= value <= HIGHEST:
            raise entry.error(f"a baseline is a whole number from 0 to {HIGHEST}, not {value}")
        if baselines and value > baselines[-1]:
            raise entry.error(f"more FAILs cannot earn more: {value} follows {baselines[-1]}")
        baselines.append(value)
    if len(baselines) > checks + 1:
        raise node.error(f"there are {len(baselines)} baselines for 0 to {checks} FAILs")
    if not baselines[0]:
        raise node.error("the first baseline, for no FAIL, must be above 0")
    return tuple(baselines)


def _check(node: Node, layout: Layout | None) -> Check:
    entries = node.fields(
        required=("id", "name", "text"), optional=("hard_fail", "na", "by", "count", "params")
    )
    by: By = entries["by"].choice(get_args(By)) if "by" in entries else "judge"
    hard_fail: HardFail = "never"
    if "hard_fail" in entries:
        hard_fail = entries["hard_fail"].choice(get_args(HardFail))
    na = entries["na"].text().strip() if "na" in entries else ""
    count, params = _count(node, entries, by, layout)
    if by == "code" and hard_fail == "material":
        raise entries["hard_fail"].error("only a judge can say what is material")
    if by == "code" and COUNTERS[count].may_be_na != bool(na):
        can = "can" if COUNTERS[count].may_be_na else "cannot"
        raise node.error(f"the counter {count!r} {can} find N/A: 'na' says when, or is left out")
    return Check(
        id=_identifier(entries["id"]),
        name=_name(entries["name"]),
        text=entries["text"].text().strip(),
        hard_fail=hard_fail,
        na=na,
        by=by,
        count=count,
        params=params,
    )


def _count(
    node: Node, entries: Entries, by: By, layout: Layout | None
) -> tuple[str, Mapping[str, object]]:
    if by == "judge":
        for key in ("count", "params"):
            if key in entries:
                raise entries[key].error(f"only a check with 'by: code' has a {key!r}")
        return "", {}
    if "count" not in entries or "params" not in entries:
        raise node.error(
            f"a check with 'by: code' names in 'count' one of {', '.join(COUNTERS)}, "
            "and its 'params'"
        )
    count = entries["count"].choice(tuple(COUNTERS))
    if layout is None:
        raise node.error("a check with 'by: code' needs the rubric's 'response'")
    return count, COUNTERS[count].params(entries["params"], layout)


def _deduction(node: Node, layout: Layout | None, checks: Sequence[Check]) -> Deduction:
    entries = node.fields(
        required=("id", "name", "text", "points", "per"),
        optional=("cap", "needs_fail", "section", "evidence", "shows"),
    )
    points = entries["points"].integer()
    if not 1 <= points <= HIGHEST:
        raise entries["points"].error(f"points are a whole number from 1 to {HIGHEST}")
    cap = entries["cap"].integer() if "cap" in entries else None
    if cap is not None and cap < points:
        raise entries["cap"].error(f"the cap {cap} is below the points of one instance, {points}")
    per: Per = entries["per"].choice(get_args(Per))
    section = _section(entries["section"], layout) if "section" in entries else ""
    if per == "leg" and not section:
        raise node.error("a deduction per leg needs the 'section' that the legs stand in")
    evidence: EvidenceRule = "required"
    if "evidence" in entries:
        evidence = entries["evidence"].choice(get_args(EvidenceRule))
    return Deduction(
        id=_identifier(entries["id"]),
        name=_name(entries["name"]),
        text=entries["text"].text().strip(),
        points=points,
        per=per,
        cap=cap,
        needs_fail=_needed(entries, checks),
        section=section,
        evidence=evidence,
        shows=_shows(entries["shows"]) if "shows" in entries else None,
    )


def _needed(entries: Entries, checks: Sequence[Check]) -> str:
    if "needs_fail" not in entries:
        return ""
    return entries["needs_fail"].choice([check.id for check in checks if check.by == "judge"])


def _section(node: Node, layout: Layout | None) -> str:
    if layout is None:
        raise node.error("a deduction's 'section' needs the rubric's 'response'")
    return section_name(node, layout)


def _shows(node: Node) -> Shows:
    entries = node.fields(required=("regex", "words"))
    try:
        pattern = re.compile(entries["regex"].text())
    except re.error as error:
        raise entries["regex"].error(f"not a regular expression: {error}") from error
    return Shows(pattern, entries["words"].text().strip())


def _identifier(node: Node) -> str:
    name = node.text()
    if not name.isidentifier() or keyword.iskeyword(name):
        raise node.error(f"the id {name!r} is not a Python identifier")
    return name


def _name(node: Node) -> str:
    """A name that a line of feedback can begin with."""
    name = node.text().strip()
    if "\n" in name or ":" in name:
        raise node.error(f"the name {name!r} must be one line without a colon")
    return name


def _texts(node: Node) -> dict[str, str]:
    texts = {name: entry.text().strip() for name, entry in node.mapping().items()}
    if not texts:
        raise node.error("expected at least one entry")
    return texts


def _listed(node: Node) -> tuple[Node, ...]:
    if not node.sequence():
        raise node.error("expected at least one entry")
    return node.sequence()


def _distinct(ids: Sequence[str], nodes: Sequence[Node], taken: Iterable[str] = ()) -> None:
    seen = set(taken)
    for name, node in zip(ids, nodes, strict=True):
        if name in seen:
            raise node.error(f"the id {name!r} occurs twice")
        seen.add(name)
