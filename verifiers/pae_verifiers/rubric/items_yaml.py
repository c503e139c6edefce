"""Reading a rubric of the kind ``items``."""

from __future__ import annotations

import keyword
from collections.abc import Mapping
from fractions import Fraction
from typing import get_args

from pae_verifiers.judge import machine
from pae_verifiers.rubric.item import By, EvidenceRule, Item, Role
from pae_verifiers.rubric.items import ItemsRubric
from pae_verifiers.yamlfile import Node

DEFAULT_PENALTY = Fraction(1, 2)


def parse(root: Node) -> ItemsRubric:
    """The rubric that a YAML file describes. Raises RubricError with file and line."""
    entries = root.fields(required=("kind", "items"), optional=("sections", "all_required"))
    sections = tuple(
        node.fields(required=("heading",))["heading"].text()
        for node in (entries["sections"].sequence() if "sections" in entries else ())
    )
    items = tuple(_item(node, sections) for node in entries["items"].sequence())
    _distinct(items, entries["items"])
    total = sum((item.weight for item in items if item.role == "required"), Fraction(0))
    if total != 1:
        raise entries["items"].error(
            f"the weights of the required items sum to {float(total):g}, not 1"
        )
    strict = "all_required" in entries and entries["all_required"].boolean()
    return ItemsRubric(items, strict)


def _item(node: Node, sections: tuple[str, ...]) -> Item:
    entries = node.fields(
        required=("id", "role", "text"),
        optional=("weight", "penalty", "by", "check", "params", "evidence"),
    )
    role = entries["role"].choice(get_args(Role))
    by: By = entries["by"].choice(get_args(By)) if "by" in entries else "judge"
    evidence: EvidenceRule = (
        entries["evidence"].choice(get_args(EvidenceRule)) if "evidence" in entries else "required"
    )
    check, params = _check(node, entries, by, sections)
    return Item(
        id=_identifier(entries["id"]),
        role=role,
        text=entries["text"].text(),
        by=by,
        weight=_share(node, entries, "weight", role == "required"),
        penalty=_penalty(entries, role),
        evidence=evidence,
        check=check,
        params=params,
    )


def _identifier(node: Node) -> str:
    name = node.text()
    if not name.isidentifier() or keyword.iskeyword(name):
        raise node.error(f"the id {name!r} is not a Python identifier")
    return name


def _share(node: Node, entries: Mapping[str, Node], key: str, wanted: bool) -> Fraction:
    if wanted and key not in entries:
        raise node.error(f"a required item needs a {key}")
    if not wanted and key in entries:
        raise entries[key].error(f"only a required item has a {key}")
    return entries[key].positive_share() if wanted else Fraction(0)


def _penalty(entries: Mapping[str, Node], role: Role) -> Fraction:
    if role != "disallowed":
        if "penalty" in entries:
            raise entries["penalty"].error("only a disallowed item has a penalty")
        return Fraction(0)
    return entries["penalty"].positive_share() if "penalty" in entries else DEFAULT_PENALTY


def _check(
    node: Node, entries: Mapping[str, Node], by: By, sections: tuple[str, ...]
) -> tuple[str, Mapping[str, object]]:
    if by == "judge":
        for key in ("check", "params"):
            if key in entries:
                raise entries[key].error(f"only an item with 'by: code' has a {key!r}")
        return "", {}
    if "check" not in entries:
        raise node.error(f"an item with 'by: code' names a check: {', '.join(machine.CHECKS)}")
    name = entries["check"].choice(machine.CHECKS)
    params = entries.get("params", Node({}, node.file, node.line, node.error_type))
    return name, machine.CHECKS[name].params(params, sections)


def _distinct(items: tuple[Item, ...], node: Node) -> None:
    seen: set[str] = set()
    for item, entry in zip(items, node.sequence(), strict=True):
        if item.id in seen:
            raise entry.error(f"the id {item.id!r} occurs twice")
        seen.add(item.id)
