"""A checklist as a judge is shown it: questions without points, which are none of its business."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pae_verifiers.rubric.checklist.model import Check, Comments, Deduction, Dimension

HOW_TO_ANSWER = (
    "Give every check the verdict PASS or FAIL. N/A is only for a check that says when it does "
    "not apply, and only then.",
    "Justify every verdict in one sentence, without line breaks; for a FAIL name the claim or "
    "row that fails and quote it as evidence, and quote nothing where the fault is an absence.",
    "For every deduction list each instance that you find, or none. What one instance is stands "
    "with the deduction: several signs of the same fault in one sentence, row or leg are one "
    "instance. Its 'specific' is one sentence that names what is wrong where.",
    "A deduction has as many instances as the document has, however many they are; caps are "
    "applied later, and so are points. Neither matters to your answer.",
    "An instance needs an excerpt, unless its deduction says that evidence is optional. Where a "
    "deduction names a section or says what an excerpt shows, one excerpt is from there and "
    "shows it.",
    "Where a check asks whether what fails is material, answer 'material'; in doubt it is.",
    "Sum every dimension up in one sentence.",
)


def described(
    about: str,
    dimensions: Sequence[Dimension],
    fields: Mapping[str, str],
    reference: Mapping[str, object],
    comments: Comments | None,
) -> dict[str, Any]:
    """The rubric as JSON data, without the checks that code decides."""
    shown: dict[str, Any] = {"about": about, "how_to_answer": list(HOW_TO_ANSWER)}
    if fields:
        shown["fields"] = dict(fields)
    if reference:
        shown["reference"] = dict(reference)
    shown["dimensions"] = [_dimension(dimension) for dimension in dimensions]
    if comments:
        shown["general_comments"] = {
            "about": comments.text,
            "categories": dict(comments.categories),
        }
    return shown


def _dimension(dimension: Dimension) -> dict[str, Any]:
    counted = [check.name for check in dimension.checks if check.by == "code"]
    return {
        "id": dimension.id,
        "about": dimension.text,
        "checks": [_check(check) for check in dimension.checks if check.by == "judge"],
        "deductions": [_deduction(deduction) for deduction in dimension.deductions],
        **({"decided_elsewhere": counted} if counted else {}),
    }


def _check(check: Check) -> dict[str, Any]:
    shown = {"id": check.id, "name": check.name, "passes_if": check.text}
    return {**shown, "not_applicable": check.na} if check.na else shown


def _deduction(deduction: Deduction) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "id": deduction.id,
        "name": deduction.name,
        "applies_to": deduction.text,
        "one_instance_is_one": deduction.per,
        "evidence": deduction.evidence,
    }
    if deduction.section:
        shown["excerpt_from_section"] = deduction.section
    if deduction.shows:
        shown["excerpt_shows"] = deduction.shows.words
    if deduction.needs_fail:
        shown["only_if_failed"] = deduction.needs_fail
    return shown
