"""The checks that code decides: word limits, and the blocks of a translated note."""

from __future__ import annotations

import pytest

from pae_verifiers.judge.candidate import Candidate
from pae_verifiers.numbers.markdown import render
from pae_verifiers.rubric.checklist.counted import decide
from pae_verifiers.rubric.checklist.model import Finding
from pae_verifiers.rubric.checklist.rubric import ChecklistRubric
from pae_verifiers.rubric.checklist.sections import Response
from pae_verifiers.rubric.model import Case

TITLE = "Switch from A to B"  # five words
ZH, CN = "亞歐航線運費下跌，我們建議換馬。", "亚欧航线运费下跌，我们建议换马。"


def found(rubric: ChecklistRubric, check: str, note: str) -> Finding:
    assert rubric.layout is not None
    chosen = next(c for d in rubric.dimensions for c in d.checks if c.id == check)
    return decide(chosen, Response(f"[VERIFICATION]\n|t|\n\n[NOTE]\n\n{note}\n", rubric.layout))


def leg(words: int) -> str:
    return " ".join(["word"] * words)


@pytest.mark.parametrize(
    ("first", "second", "verdict", "why"),
    [
        (100, 90, "PASS", "note is 195 words, its longest part 100."),
        (275, 270, "PASS", "note is 550 words, its longest part 275."),
        (275, 271, "FAIL", "note is 551 words; it is above 550."),
        (276, 10, "FAIL", "note is 291 words; part 1 with 276 words is above about 250."),
        (10, 276, "FAIL", "note is 291 words; part 2 with 276 words is above about 250."),
        (300, 290, "FAIL", "note is 595 words; it is above 550; part 1 with 300 words is above "
         "about 250; part 2 with 290 words is above about 250."),
    ],
)  # fmt: skip
def test_brevity(rubric: ChecklistRubric, first: int, second: int, verdict: str, why: str) -> None:
    finding = found(rubric, "brevity", f"{TITLE}\n\n{leg(first)}\n\n{leg(second)}")
    assert (finding.verdict, finding.justification) == (verdict, why)


def test_brevity_of_bullet_points(rubric: ChecklistRubric) -> None:
    finding = found(rubric, "brevity", f"{TITLE}\n- {leg(276)}\n- {leg(3)}")
    assert finding.justification == ("note is 284 words; part 1 with 276 words is above about 250.")


def test_brevity_of_a_translated_note_is_that_of_its_english_block(
    rubric: ChecklistRubric,
) -> None:
    english = f"--- English ---\n{TITLE}\n\n{leg(200)}\n\n{leg(200)}"
    finding = found(rubric, "brevity", f"{english}\n--- 繁體中文 ---\n{ZH * 50}")
    assert finding.justification == "note is 405 words, its longest part 200."


def test_the_table_of_evidence_counts_for_nothing(rubric: ChecklistRubric) -> None:
    assert rubric.layout is not None
    source = f"[VERIFICATION]\n{leg(900)}\n[NOTE]\n{TITLE}\n\n{leg(9)}\n\n{leg(9)}"
    brevity = rubric.dimensions[0].checks[3]
    assert decide(brevity, Response(source, rubric.layout)).verdict == "PASS"


BLOCKS = f"--- English ---\nA.\n--- 繁體中文 ---\n{ZH}\n--- 简体中文 ---\n{CN}"


@pytest.mark.parametrize(
    ("note", "verdict", "why"),
    [
        ("A.\n\nB.", "N/A", "single-language response; no translation to lay out."),
        ("PING AN (中國平安保險(集團)股份有限公司): buy.", "N/A",
         "single-language response; no translation to lay out."),
        (BLOCKS, "PASS", "all 3 blocks are there, in order, under exact headers."),
        (BLOCKS.replace("\n", "\n\n"), "PASS",
         "all 3 blocks are there, in order, under exact headers."),
        (BLOCKS.replace("---\n", "---  \r\n"), "PASS",
         "all 3 blocks are there, in order, under exact headers."),
        ("--- English ---\nA.", "FAIL",
         "there is no '--- 繁體中文 ---'; there is no '--- 简体中文 ---'."),
        (f"--- English ---\nA.\n--- 繁體中文 ---\n{ZH}", "FAIL", "there is no '--- 简体中文 ---'."),
        (f"A.\n--- 繁體中文 ---\n{ZH}\n--- 简体中文 ---\n{CN}", "FAIL",
         "there is no '--- English ---'."),
        (BLOCKS.replace("--- English ---", "-- English --"), "FAIL",
         "the header '-- English --' is malformed."),
        (BLOCKS.replace("--- English ---", "**--- English ---**"), "FAIL",
         "the header '**--- English ---**' is malformed."),
        (BLOCKS.replace("--- 繁體中文 ---", "— 繁體中文 —"), "FAIL",
         "the header '— 繁體中文 —' is malformed."),
        (BLOCKS.replace("--- 简体中文 ---", "---简体中文---"), "FAIL",
         "the header '---简体中文---' is malformed."),
        (f"--- English ---\nA.\n--- 简体中文 ---\n{CN}\n--- 繁體中文 ---\n{ZH}", "FAIL",
         "the blocks are out of order or repeated."),
        (f"{BLOCKS}\n--- English ---\nA.", "FAIL", "the blocks are out of order or repeated."),
        (BLOCKS.replace(CN, ""), "FAIL", "nothing stands below '--- 简体中文 ---'."),
        (f"A.\n\n{ZH}", "FAIL",
         "there is no '--- English ---'; there is no '--- 繁體中文 ---'; "
         "there is no '--- 简体中文 ---'; translated text stands outside its block: "
         "'亞歐航線運費下跌，我們建議換馬。'."),
        (f"{CN}\n{BLOCKS}", "FAIL",
         "translated text stands outside its block: '亚欧航线运费下跌，我们建议换马。'."),
    ],
)  # fmt: skip
def test_translation_block_format(
    rubric: ChecklistRubric, note: str, verdict: str, why: str
) -> None:
    finding = found(rubric, "translation_block_format", note)
    assert (finding.verdict, finding.justification) == (verdict, why)


def test_a_judge_is_asked_about_neither(rubric: ChecklistRubric) -> None:
    asked = [check["id"] for check in rubric.described()["dimensions"][0]["checks"]]
    assert asked == ["title_format", "two_part_structure", "preamble", "scenario_framing"]


def test_a_response_without_a_section_is_refused_before_anything_else(
    rubric: ChecklistRubric,
) -> None:
    graded = rubric.before(Case(Candidate(render("[NOTE]\nSwitch from A to B\n"))))
    assert graded is not None
    assert (graded.status, graded.score) == ("not_evaluable", None)
    assert graded.reason == (
        "Please input both the analyst's original message and a complete equity switching "
        "response containing both [VERIFICATION] and [NOTE] sections to get started."
    )
