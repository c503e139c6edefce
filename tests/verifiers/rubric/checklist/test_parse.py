"""Reading a checklist: one of another bank, and everything that can be wrong with it."""

from __future__ import annotations

from typing import Any, get_args

import jsonschema
import pytest
import yaml
from tests.verifiers.rubric.checklist.samples import NAME, SOURCE, FixedJudge

import pae_schemas
from pae_verifiers.errors import RubricError
from pae_verifiers.judge.candidate import Candidate
from pae_verifiers.numbers.markdown import render
from pae_verifiers.rubric.checklist.counted import COUNTERS
from pae_verifiers.rubric.checklist.model import (
    Check,
    Deduction,
    Dimension,
    HardFail,
    Layout,
    Per,
)
from pae_verifiers.rubric.checklist.rubric import ChecklistRubric
from pae_verifiers.rubric.grade import grade
from pae_verifiers.rubric.item import By, EvidenceRule
from pae_verifiers.rubric.load import load
from pae_verifiers.rubric.model import Case

FULL = """\
kind: checklist
about: A memo of the credit desk.
max_attainable: 100
response:
  sections: {memo: "## Memo"}
  missing: There is no memo.
  languages: ["[EN]", "[DE]"]
dimensions:
  - id: layout
    about: Is it laid out well?
    baselines: [80, 40]
    checks:
      - id: short
        name: Short
        by: code
        count: word_limits
        params: {section: memo, max: 9}
        text: At most nine words.
      - id: bilingual
        name: Bilingual
        by: code
        count: language_blocks
        params: {section: memo}
        na: It is in English alone.
        text: Both languages are there.
  - id: argument
    about: Does it convince?
    baselines: [100, 50]
    checks:
      - id: covenant
        name: Covenant
        hard_fail: always
        text: It names the covenant.
      - id: default
        name: Default
        hard_fail: material
        text: It says what a default costs.
    deductions:
      - id: slogan
        name: Slogan
        points: 30
        cap: 40
        per: leg
        section: memo
        needs_fail: default
        shows: {regex: "!", words: the exclamation mark}
        text: A slogan.
"""
MEMO = "## Memo\n\nThe leverage covenant holds! Buy! Now!\n"


def only_argument() -> str:
    head, rest = FULL.split("  - id: layout")
    return head + "  - id: argument" + rest.split("  - id: argument")[1]


def test_a_checklist_of_another_bank() -> None:
    rubric = load(FULL)
    assert isinstance(rubric, ChecklistRubric)
    assert (rubric.kind, rubric.size, rubric.max_attainable, rubric.files) == (
        "checklist",
        3,
        100,
        frozenset(),
    )
    assert rubric.layout == Layout({"memo": "## Memo"}, "There is no memo.", ("[EN]", "[DE]"))
    layout, argument = rubric.dimensions
    assert layout.checks[0] == Check(
        "short",
        "Short",
        "At most nine words.",
        by="code",
        count="word_limits",
        params={"section": "memo", "max": 9},
    )
    assert layout.checks[1].verdicts == ("PASS", "FAIL", "N/A")
    assert argument.checks[1] == Check(
        "default", "Default", "It says what a default costs.", hard_fail="material"
    )
    slogan = argument.deductions[0]
    assert slogan.shows is not None
    assert slogan.shows.pattern.pattern == "!"
    assert slogan == Deduction(
        "slogan", "Slogan", "A slogan.", 30, "leg", 40, "default", "memo", shows=slogan.shows
    )


def test_it_scores_by_its_own_figures() -> None:
    rubric = load(FULL)
    answer = {"justification": "so it is.", "evidence": []}
    reply = {
        "dimensions": [
            {"id": "layout", "checks": [], "deductions": [], "summary": "short."},
            {
                "id": "argument",
                "checks": [
                    {"id": "covenant", "verdict": "PASS", **answer},
                    {"id": "default", "verdict": "FAIL", **answer, "material": False},
                ],
                "deductions": [
                    {
                        "id": "slogan",
                        "instances": [{"specific": "it shouts.", "evidence": ["Buy!"]}],
                    }
                ],
                "summary": "loud.",
            },
        ]
    }
    jsonschema.validate(reply, rubric.reply_schema())
    graded = grade(rubric, FixedJudge(reply), Case(Candidate(render(MEMO))))
    assert [each["score"] for each in graded.details["dimensions"]] == [80, 20]
    assert graded.score is not None
    assert float(graded.score) == 0.5


def test_a_checklist_may_be_counted_by_code_alone() -> None:
    layout = FULL.split("  - id: argument")[0].replace("attainable: 100", "attainable: 80")
    rubric = load(layout)
    assert rubric.size == 0
    graded = grade(rubric, None, Case(Candidate(render(MEMO))))
    assert graded.score == 1
    assert graded.details["dimensions"][0]["feedback"] == (
        "- Short: PASS — memo is 6 words, its longest part 0.\n"
        "- Bilingual: N/A — single-language response; no translation to lay out.\n"
        "Deductions: none.\n"
        "Score: 80 - 0 = 80.\n"
        "Summary: every check was counted by code."
    )


def test_a_checklist_needs_no_sections() -> None:
    plain = only_argument()
    plain = plain[: plain.index("response:")] + plain[plain.index("dimensions:") :]
    plain = plain.replace("        section: memo\n", "").replace("per: leg", "per: sentence")
    rubric = load(plain)
    assert rubric.before(Case(Candidate(render("Anything.")))) is None


def test_a_dimension_needs_no_deductions() -> None:
    rubric = load(FULL)
    assert isinstance(rubric, ChecklistRubric)
    assert rubric.dimensions[0].deductions == ()
    assert isinstance(rubric.dimensions[0], Dimension)


@pytest.mark.parametrize("source", [FULL, SOURCE], ids=["another bank's", NAME])
def test_the_schema_lets_it_pass(source: str) -> None:
    assert faults(yaml.safe_load(source)) == []


def faults(rubric: Any) -> list[str]:
    validator = jsonschema.Draft202012Validator(pae_schemas.load("rubric_checklist"))
    return [fault.message for fault in validator.iter_errors(rubric)]


def test_the_names_are_those_of_the_schema() -> None:
    parts: Any = pae_schemas.load("rubric_checklist")["$defs"]
    check, deduction = (parts[name]["properties"] for name in ("check", "deduction"))
    assert check["hard_fail"]["enum"] == list(get_args(HardFail))
    assert check["by"]["enum"] == list(get_args(By))
    assert check["count"]["enum"] == list(COUNTERS)
    assert deduction["per"]["enum"] == list(get_args(Per))
    assert deduction["evidence"]["enum"] == list(get_args(EvidenceRule))


# (old, new, what parsing says, whether the schema finds it too)
WRONG = [
    ("about: A memo of the credit desk.\n", "", "1: the key 'about' is missing", True),
    ("about: A memo", "abuot: x\nabout: A memo", "2: unknown key 'abuot'; did you mean 'about'?",
     True),
    ("max_attainable: 100", "max_attainable: 90", "3: max_attainable is 90, but the best baseline "
     "is 100", False),
    ("max_attainable: 100", "max_attainable: high", "3: expected a whole number", True),
    ('sections: {memo: "## Memo"}', "sections: {}", "5: expected at least one entry", True),
    ('sections: {memo: "## Memo"}', "sections: [memo]", "5: expected a mapping", True),
    ('  missing: There is no memo.\n', "", "4: the key 'missing' is missing", True),
    ('"[EN]"', '"---"', "7: a language's header must name it", False),
    ("id: layout", "id: argument", "26: the id 'argument' occurs twice", False),
    ("id: layout", "id: dimensions", "9: the id 'dimensions' occurs twice", False),
    ("id: layout", "id: general_comments", "9: the id 'general_comments' occurs twice", False),
    ("id: layout", "id: the layout", "9: the id 'the layout' is not a Python identifier", True),
    ("id: layout", "id: class", "9: the id 'class' is not a Python identifier", False),
    ("[80, 40]", "[]", "11: expected at least one entry", True),
    ("[80, 40]", "[80, 90]", "11: more FAILs cannot earn more: 90 follows 80", False),
    ("[80, 40]", "[101, 40]", "11: a baseline is a whole number from 0 to 100, not 101", True),
    ("[80, 40]", "[80, -1]", "11: a baseline is a whole number from 0 to 100, not -1", True),
    ("[80, 40]", "[80, 40.5]", "11: expected a whole number", True),
    ("[80, 40]", "[0]", "11: the first baseline, for no FAIL, must be above 0", False),
    ("[80, 40]", "[80, 40, 20, 10]", "11: there are 4 baselines for 0 to 2 FAILs", False),
    ("name: Short", "name: 'Short: indeed'", "14: the name 'Short: indeed' must be one line "
     "without a colon", True),
    ("count: word_limits", "count: word_limit", "16: 'word_limit' is not one of word_limits, "
     "language_blocks; did you mean 'word_limits'?", True),
    ("        count: word_limits\n", "", "13: a check with 'by: code' names in 'count' one of "
     "word_limits, language_blocks, and its 'params'", True),
    ("section: memo, max: 9", "section: mem, max: 9", "17: 'mem' is not one of memo", False),
    ("section: memo, max: 9", "section: memo", "17: the key 'max' is missing", True),
    ("max: 9", "max: 0", "17: max must be at least 1", True),
    ("max: 9", "max: 9, part_slack: 1", "17: part_slack is for a part_max", True),
    ("max: 9", "max: 9, part_max: 0", "17: part_max must be at least 1", True),
    ("max: 9", "max: 9, parts: 3", "17: unknown key 'parts'", True),
    ("        text: At most nine words.", "        na: Never.\n        text: x", "13: the counter "
     "'word_limits' cannot find N/A", True),
    ("        na: It is in English alone.\n", "", "19: the counter 'language_blocks' can find N/A",
     True),
    ('["[EN]", "[DE]"]', '["[EN]"]', "23: the counter 'language_blocks' needs at least two "
     "response languages", False),
    ("        by: code\n        count: language_blocks", "        count: language_blocks",
     "21: only a check with 'by: code' has a 'count'", True),
    ("        text: It names the covenant.", "        by: code\n        text: x", "30: a check "
     "with 'by: code' names in 'count'", True),
    ("hard_fail: always", "hard_fail: yes", "32: 'True' is not one of never, always, material",
     True),
    ("        by: code\n        count: word", "        by: code\n        hard_fail: material\n"
     "        count: word", "16: only a judge can say what is material", True),
    ("id: default", "id: covenant", "34: the id 'covenant' occurs twice", False),
    ("points: 30", "points: 0", "41: points are a whole number from 1 to 100", True),
    ("points: 30", "points: -5", "41: points are a whole number from 1 to 100", True),
    ("cap: 40", "cap: 20", "42: the cap 20 is below the points of one instance, 30", False),
    ("per: leg", "per: page", "43: 'page' is not one of sentence, row, leg, claim, instance", True),
    ("        section: memo\n        needs", "        needs", "39: a deduction per leg needs the "
     "'section' that the legs stand in", True),
    ("        section: memo\n        needs", "        section: memos\n        needs",
     "44: 'memos' is not one of memo", False),
    ("needs_fail: default", "needs_fail: short", "45: 'short' is not one of covenant, default",
     False),
    ('regex: "!"', 'regex: "("', "46: not a regular expression: missing ), unterminated "
     "subpattern", False),
    ("shows: {regex", "shows: {pattern", "46: unknown key 'pattern'", True),
    ("        text: A slogan.\n", "", "39: the key 'text' is missing", True),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "message", "in_schema"), WRONG)
def test_a_wrong_checklist_is_refused_with_its_line(
    old: str, new: str, message: str, in_schema: bool
) -> None:
    assert old in FULL
    wrong = FULL.replace(old, new, 1)
    with pytest.raises(RubricError) as caught:
        load(wrong, "desk.yaml")
    assert str(caught.value).startswith(f"desk.yaml:{message}")
    assert bool(faults(yaml.safe_load(wrong))) == in_schema


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("fields: {}\n", "1: expected at least one entry"),
        ("fields: {dimensions: x}\n", "1: the field 'dimensions' has another use"),
        ("fields: {layout: x}\n", "10: the id 'layout' occurs twice"),
        ("fields: {issuer: ''}\n", "1: expected text"),
        ("reference: [1]\n", "1: expected a mapping"),
        ("comments: {text: x}\n", "1: unknown key 'text'"),
        ("comments: {about: x, categories: {}}\n", "1: expected at least one entry"),
    ],
)
def test_what_is_optional_is_checked_too(more: str, message: str) -> None:
    with pytest.raises(RubricError) as caught:
        load(more + FULL)
    assert str(caught.value).startswith(f"rubric.yaml:{message}")


@pytest.mark.parametrize("key", ["count", "section"])
def test_sections_are_needed_where_they_are_named(key: str) -> None:
    source = FULL if key == "count" else only_argument()
    plain = source[: source.index("response:")] + source[source.index("dimensions:") :]
    with pytest.raises(RubricError, match="needs the rubric's 'response'"):
        load(plain)
