"""The equity switch rubric says all that its specification says, in numbers and in names."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from tests.verifiers.rubric.checklist.samples import LAYOUT

from pae_verifiers.rubric.checklist.rubric import ChecklistRubric

CHECKS = {
    "format": [
        ("Title format", "always", "", "judge"),
        ("Two-part structure", "always", "", "judge"),
        ("Preamble", "never", "", "judge"),
        ("Brevity", "never", "", "code"),
        ("Scenario framing", "never", "", "judge"),
        ("Translation block format", "never", "may be N/A", "code"),
    ],
    "bear_thesis_quality": [
        ("Substantive bear case present", "always", "", "judge"),
        ("Issuer-specific reasoning", "never", "", "judge"),
        ("Argument is coherent", "never", "", "judge"),
    ],
    "bull_thesis_quality": [
        ("Substantive bull case present", "always", "", "judge"),
        ("Issuer-specific reasoning", "never", "", "judge"),
        ("Argument is coherent", "never", "", "judge"),
    ],
    "evidence_alignment": [
        ("No silent fabrication", "material", "", "judge"),
        ("Citations match DIRECT rows", "never", "", "judge"),
        ("Weak claims handled per contract", "never", "", "judge"),
        ("Rationale fully decomposed", "never", "may be N/A", "judge"),
    ],
}
DEDUCTIONS = {
    "format": [
        ("Padding sentence", 5, "sentence", 15),
        ("Framing commitment dropped", 10, "sentence", None),
        ("Quotation marks in [NOTE] body", 10, "sentence", None),
        ("Data-dump in prose", 5, "leg", 10),
    ],
    "bear_thesis_quality": [
        ("Generic / name-swappable claims", 10, "sentence", None),
        ("Hedge-section content as bear evidence", 15, "sentence", None),
        ("Default rating cited as bear evidence", 10, "sentence", None),
        ("Tabular figure as standalone bear evidence", 10, "sentence", None),
        ("Analyst rationale paraphrased verbatim", 10, "leg", None),
        ("Hedge language on cited DIRECT claims", 5, "sentence", None),
        ("Declared revision omitted", 10, "instance", None),
        ("Event anchor omitted", 5, "instance", None),
    ],
    "bull_thesis_quality": [
        ("Generic / name-swappable claims", 10, "sentence", None),
        ("Speculative-upside content as bull evidence", 15, "sentence", None),
        ("Default rating cited as bull evidence", 10, "sentence", None),
        ("Tabular figure as standalone bull evidence", 10, "sentence", None),
        ("Analyst rationale paraphrased verbatim", 10, "leg", None),
        ("Hedge language on cited DIRECT claims", 5, "sentence", None),
        ("Declared revision omitted", 10, "instance", None),
        ("Event anchor omitted", 5, "instance", None),
    ],
    "evidence_alignment": [
        ("Citation drift", 10, "claim", 20),
        ("Tabular content quoted as evidence", 10, "row", None),
        ("Boilerplate quoted as evidence", 10, "row", None),
        ("CONTRADICTED row missing refuting quote", 5, "row", None),
        ("Schema violation", 5, "instance", None),
        ("Loop artifact in [VERIFICATION]", 10, "instance", None),
        ("Status meta-commentary in body", 10, "instance", None),
        ("Named external provider in prose", 5, "instance", None),
    ],
}
TAGS = [
    ("GENERIC", "—"),
    ("TAKE PROFIT", "switch-OUT"),
    ("REBALANCE ON RALLY", "switch-OUT"),
    ("REBALANCE ON PULLBACK", "switch-IN"),
    ("PREFERRED PICKS PULLBACK", "switch-OUT"),
    ("REMOVED COVERAGE", "switch-OUT"),
    ("DO NOT COVER STOCK", "switch-OUT"),
    ("ABOVE TP", "switch-OUT"),
    ("POST EARNINGS SWITCH", "switch-OUT"),
]


def asked(rubric: ChecklistRubric, name: str) -> str:
    """All that a judge is asked under one id, spaces made single."""
    shown: list[dict[str, Any]] = rubric.described()["dimensions"]
    entries = [entry for each in shown for entry in (*each["checks"], *each["deductions"])]
    found = next(entry for entry in entries if entry["id"] == name)
    return " ".join(json.dumps(found, ensure_ascii=False).split())


def test_the_checks(rubric: ChecklistRubric) -> None:
    assert {
        each.id: [(c.name, c.hard_fail, c.na and "may be N/A", c.by) for c in each.checks]
        for each in rubric.dimensions
    } == CHECKS


def test_the_deductions(rubric: ChecklistRubric) -> None:
    assert {
        each.id: [(d.name, d.points, d.per, d.cap) for d in each.deductions]
        for each in rubric.dimensions
    } == DEDUCTIONS


def test_the_baselines(rubric: ChecklistRubric) -> None:
    assert [each.baselines for each in rubric.dimensions] == [
        (90, 70, 50, 30),
        (90, 70, 40),
        (90, 70, 40),
        (90, 70, 50, 30),
    ]
    assert rubric.max_attainable == 90


def test_the_scenarios(rubric: ChecklistRubric) -> None:
    scenarios: Any = rubric.described()["reference"]["scenarios"]
    assert [(tag["tag"], tag["routes_to"]) for tag in scenarios["tags"]] == TAGS
    assert all(tag["commitments"] for tag in scenarios["tags"])


def test_the_layout(rubric: ChecklistRubric) -> None:
    assert rubric.layout is not None
    assert rubric.layout == replace(LAYOUT, missing=rubric.layout.missing)
    brevity = rubric.dimensions[0].checks[3]
    assert (brevity.params["max"], brevity.params["part_max"]) == (550, 250)


def test_an_omission_needs_no_excerpt_and_everything_else_does(rubric: ChecklistRubric) -> None:
    optional = [
        deduction.id
        for each in rubric.dimensions
        for deduction in each.deductions
        if deduction.evidence == "optional"
    ]
    assert optional == [
        "bear_revision_omitted",
        "bear_event_omitted",
        "bull_revision_omitted",
        "bull_event_omitted",
    ]


@pytest.mark.parametrize(
    ("name", "harbour"),
    [
        ("two_part_structure", "Two paragraphs and two bullet points are equally good."),
        ("preamble", "such a placeholder is neither a FAIL nor a deduction"),
        ("scenario_framing", "Free wording is what is wanted and never a FAIL"),
        ("scenario_framing", "this is a PASS, never N/A"),
        ("framing_commitment_dropped", "never for free wording alone"),
        ("data_dump", "Many figures alone are no instance"),
        ("bear_case_present", "a claim outside these counts"),
        ("bear_hedge_language", "To concede and then pivot is no hedge"),
        ("bull_hedge_language", "To concede and then pivot is no hedge"),
        ("bull_speculative_upside", "is not speculative and never an instance"),
        ("no_silent_fabrication", "A claim without support may stand in the note without a cit"),
        ("citations_match_direct_rows", "what is compared is the meaning and not the wording"),
        ("weak_claims_handled", "breaks this check and does not fulfil it"),
        ("rationale_decomposed", "BILATERAL"),
        ("citation_drift", "are demanded of the note and no drift"),
        ("schema_violation", "CONTEXT is a valid Origin"),
        ("named_provider", 'such as \\"sell-side coverage\\", is no instance'),
        ("named_provider", "我們認為 or 我们认为"),
    ],
)
def test_the_safe_harbours(rubric: ChecklistRubric, name: str, harbour: str) -> None:
    assert harbour in asked(rubric, name)


def test_a_judge_is_shown_neither_points_nor_baselines_nor_caps(rubric: ChecklistRubric) -> None:
    shown = json.dumps(rubric.described())
    for key in ("points", "cap", "baselines", "hard_fail", "max_attainable"):
        assert f'"{key}"' not in shown
    assert rubric.described()["dimensions"][0]["decided_elsewhere"] == [
        "Brevity",
        "Translation block format",
    ]


def test_a_judge_is_asked_about_14_checks_and_28_deductions(rubric: ChecklistRubric) -> None:
    assert rubric.size == 42
