"""Where the sections of a response begin and end, and what they consist of."""

from __future__ import annotations

import pytest
from tests.verifiers.rubric.checklist.samples import LAYOUT

from pae_verifiers.rubric.checklist.sections import Response


def response(source: str) -> Response:
    return Response(source, LAYOUT)


def note(body: str) -> Response:
    return response(f"[VERIFICATION]\n|t|\n[NOTE]\n{body}")


def texts(given: Response, spans: tuple[tuple[int, int], ...]) -> list[str]:
    return [given.source[start:end] for start, end in spans]


@pytest.mark.parametrize(
    "source",
    [
        "[VERIFICATION]\ntable\n[NOTE]\nprose",
        "Here you are:\n\n[VERIFICATION]\r\ntable\r\n\r\n[NOTE]\r\nprose\r\n",
        "[VERIFICATION]\rtable\r[NOTE]\rprose",
        "## [VERIFICATION]\ntable\n## [NOTE]\nprose",
        "**[VERIFICATION]**\ntable\n**[NOTE]:**\nprose",
        "  [VERIFICATION]  \ntable\n> [NOTE]\nprose",
        "```\n[VERIFICATION]\ntable\n[NOTE]\nprose\n```",
        "[NOTE]\nprose\n[VERIFICATION]\ntable",
        "[VERIFICATION] evidence table\n|t|\n[NOTE] Switch from A to B",
    ],
)
def test_both_sections_are_there(source: str) -> None:
    assert response(source).missing() == ()


@pytest.mark.parametrize(
    ("source", "missing"),
    [
        ("", ("verification", "note")),
        ("A memo about something else.", ("verification", "note")),
        ("[VERIFICATION]\ntable", ("note",)),
        ("[NOTE]\nprose", ("verification",)),
        ("[VERIFICATION]\ntable\n[NOTE]\n \n", ("note",)),
        ("[VERIFICATION]\n[NOTE]\nprose", ("verification",)),
        ("[Verification]\ntable\n[note]\nprose", ("verification", "note")),
        ("VERIFICATION\ntable\nNOTE\nprose", ("verification", "note")),
        ("As [VERIFICATION] and [NOTE] will show,", ("verification", "note")),
        ("[VERIFICATION]table\n[NOTE](there)", ("verification", "note")),
        ("| [VERIFICATION] |\n| [NOTE] |", ("verification", "note")),
    ],
)
def test_a_section_that_is_missing_or_empty(source: str, missing: tuple[str, ...]) -> None:
    assert response(source).missing() == missing


def test_a_section_ends_where_the_next_begins() -> None:
    given = response("x\n[VERIFICATION]\nrow\n[NOTE]\nprose")
    places = {word: given.source.index(word) for word in ("x", "row", "prose")}
    assert [given.holds("verification", at) for at in places.values()] == [False, True, False]
    assert [given.holds("note", at) for at in places.values()] == [False, False, True]
    assert given.holds("", places["x"])


def test_a_repeated_marker_begins_its_section_again() -> None:
    given = response("[NOTE]\na\n[VERIFICATION]\nb\n[NOTE]\nc")
    assert [given.holds("note", given.source.index(word)) for word in "abc"] == [True, False, True]


def test_a_marker_that_no_reader_sees_is_none() -> None:
    given = response("[VERIFICATION]\nrow\n[NOTE]\na\n<!--\n[VERIFICATION]\n-->\nb")
    assert [given.holds("note", given.source.index(word)) for word in ("a\n", "b")] == [True, True]
    assert response("<!--\n[VERIFICATION]\nrow\n-->\n[NOTE]\na").missing() == ("verification",)


def test_the_body_is_what_stands_below_the_title() -> None:
    given = note("\nSwitch from A to B\n\nFirst leg\ngoes on.\n\nSecond leg.\n")
    assert texts(given, given.body("note")) == ["First leg\ngoes on.", "Second leg."]


def test_a_title_needs_no_blank_line_below_it() -> None:
    given = note("# Switch from A to B\nFirst leg.\n\nSecond leg.")
    assert texts(given, given.body("note")) == ["First leg.", "Second leg."]


def test_an_underlined_title_is_one_line() -> None:
    given = note("Switch from A to B\n=====\nFirst leg.\n\nSecond leg.")
    assert texts(given, given.body("note")) == ["First leg.", "Second leg."]


def test_bullet_points_are_parts_and_what_is_indented_belongs_to_them() -> None:
    given = note("Title\n- A: sell.\n  - as rates fall\n\n  and fleets grow\n- B: buy.\n• C.")
    assert texts(given, given.body("note")) == [
        "- A: sell.\n  - as rates fall\n\n  and fleets grow",
        "- B: buy.",
        "• C.",
    ]


def test_lines_that_nobody_broke_are_paragraphs() -> None:
    first, second = "word " * 50, "next " * 50
    given = note(f"Title\n{first}\n{second}\nand on.")
    assert texts(given, given.body("note")) == [first, second, "and on."]


def test_a_rule_parts_paragraphs_and_is_none() -> None:
    given = note("Title\n\nFirst.\n---\nSecond.")
    assert texts(given, given.body("note")) == ["First.", "Second."]


def test_a_section_with_a_title_alone_has_no_body() -> None:
    assert note("Title").body("note") == ()


def test_the_english_block_is_judged_with_what_stands_before_it() -> None:
    given = note("Title\n--- English ---\nOne.\n\n--- 繁體中文 ---\n二。\n--- 简体中文 ---\n三。")
    assert "".join(texts(given, given.judged("note"))) == "TitleOne."
    assert texts(given, given.body("note")) == ["One."]


def test_english_below_another_language_s_header_is_judged() -> None:
    given = note(
        "Title\n--- English ---\nOne.\n--- 繁體中文 ---\nMuch more.\n--- English ---\nTwo."
    )
    assert texts(given, given.judged("note")) == ["", "Title", "One.", "Much more.", "Two."]


def test_chinese_without_its_header_is_not_judged() -> None:
    given = note(
        "Title\n\nSell the insurer (中國平安).\n\n--- Traditional ---\n\n換馬\n\n運費下跌，換馬。"
    )
    assert texts(given, given.body("note")) == [
        "Sell the insurer (中國平安).",
        "--- Traditional ---",
    ]


def test_a_note_in_chinese_alone_is_judged_as_it_is() -> None:
    given = note("--- 繁體中文 ---\n換馬\n\n二。")
    assert texts(given, given.body("note")) == ["二。"]


def test_the_legs_are_those_of_every_language() -> None:
    given = note("Title\n\n--- English ---\nA.\n\nB.\n--- 繁體中文 ---\n甲。\n\n乙。")
    assert texts(given, given.legs("note")) == ["Title", "A.", "B.", "甲。", "乙。"]


@pytest.mark.parametrize(
    "header",
    [
        "--- English ---",
        "-- English --",
        "\u3000English\xa0",
        "**English**",
        "### English",
        "English",
        "— ENGLISH —",
    ],
)
def test_a_language_s_name_on_a_line_of_its_own_begins_a_block(header: str) -> None:
    blocks = note(f"Title\n{header}\nOne.").blocks("note")
    assert [block.header for block in blocks] == ["", header.strip()]


def test_a_language_s_name_in_a_sentence_begins_none() -> None:
    assert len(note("Title\nEnglish and 繁體中文 readers\n--- Welsh ---").blocks("note")) == 1
