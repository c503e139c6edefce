"""The rubric kind ``items``: required, optional and disallowed items."""

from __future__ import annotations

import keyword
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import Any, get_args

from pae_verifiers.judge import machine
from pae_verifiers.judge.evidence import evidence_faults, located
from pae_verifiers.rubric.item import By, EvidenceRule, Finding, Item, Role
from pae_verifiers.rubric.model import Case, Grade
from pae_verifiers.yamlfile import Node

DEFAULT_PENALTY = Fraction(1, 2)


@dataclass(frozen=True)
class ItemsRubric:
    """Items, of which the required ones' weights sum to 1.

    ``all_required`` is a strict gate: the metric is 0 unless every required item passes.
    """

    items: tuple[Item, ...]
    all_required: bool = False
    kind: str = "items"

    @cached_property
    def asked(self) -> tuple[Item, ...]:
        """The items that a judge decides."""
        return tuple(item for item in self.items if item.by == "judge")

    @property
    def size(self) -> int:
        return len(self.asked)

    @property
    def files(self) -> frozenset[str]:
        return machine.wanted_files(self.items)

    def described(self) -> list[dict[str, str]]:
        return [{"rubricId": i.id, "role": i.role, "criterion": i.text} for i in self.asked]

    def reply_schema(self) -> Mapping[str, Any]:
        """``{"criteria": [{rubricId, passed, rationale, evidence}]}``, item by item."""
        text = {"type": "string"}
        answers = [
            {
                "type": "object",
                "properties": {
                    "rubricId": {"const": item.id},
                    "passed": {"type": "boolean"},
                    "rationale": {**text, "minLength": 1},
                    "evidence": {"type": "array", "items": {**text, "minLength": 1}},
                },
                "required": ["rubricId", "passed", "rationale", "evidence"],
                "additionalProperties": False,
            }
            for item in self.asked
        ]
        criteria = {
            "type": "array",
            "prefixItems": answers,
            "items": False,
            "minItems": len(answers),
        }
        return {
            "type": "object",
            "properties": {"criteria": criteria},
            "required": ["criteria"],
            "additionalProperties": False,
        }

    def faults(self, reply: Mapping[str, Any], case: Case) -> tuple[str, ...]:
        ids = [item.id for item in self.asked]
        answered = [answer["rubricId"] for answer in reply.get("criteria", ())]
        if answered != ids:
            return (f"the answers are to {answered}, not to {ids}",)
        found: list[str] = []
        for item, answer in zip(self.asked, reply["criteria"], strict=True):
            wanted = item.wants_evidence(answer["passed"])
            shown = evidence_faults(answer["evidence"], case.candidate.source, wanted=wanted)
            found += [f"{item.id}: {fault}" for fault in shown]
        return tuple(found)

    def before(self, case: Case) -> Grade | None:
        return None

    def grade(self, reply: Mapping[str, Any], case: Case) -> Grade:
        answers = {answer["rubricId"]: answer for answer in reply.get("criteria", ())}
        findings = {
            item.id: machine.decide(item, case.candidate, case.present)
            if item.by == "code"
            else finding_of(answers[item.id])
            for item in self.items
        }
        score = self.metric({name: finding.passed for name, finding in findings.items()})
        source = case.candidate.source
        return Grade(
            score,
            details={"items": [_detail(item, findings[item.id], source) for item in self.items]},
        )

    def metric(self, passed: Mapping[str, bool]) -> Fraction:
        """The weight of the required items passed × ∏ (1 − penalty) over those triggered.

        ``passed`` has one answer per item id; optional items do not count.
        """
        gained = sum(
            (item.weight for item in self.items if item.role == "required" and passed[item.id]),
            Fraction(0),
        )
        if self.all_required and gained != 1:
            return Fraction(0)
        return gained * prod(
            (
                1 - item.penalty
                for item in self.items
                if item.role == "disallowed" and not passed[item.id]
            ),
            start=Fraction(1),
        )


def answer_of(item: Item, finding: Finding) -> dict[str, Any]:
    """A finding as a reply gives it."""
    return {
        "rubricId": item.id,
        "passed": finding.passed,
        "rationale": finding.rationale,
        "evidence": list(finding.evidence),
    }


def finding_of(answer: Mapping[str, Any]) -> Finding:
    """What one answer of a reply says."""
    return Finding(answer["passed"], answer["rationale"], tuple(answer["evidence"]))


def _detail(item: Item, finding: Finding, source: str) -> dict[str, Any]:
    return {
        "id": item.id,
        "role": item.role,
        "passed": finding.passed,
        "rationale": finding.rationale,
        "evidence": located(finding.evidence, source),
        "by": item.by,
    }


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
