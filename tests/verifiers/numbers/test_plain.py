"""Plain text → Document."""

from __future__ import annotations

from pae_verifiers.numbers import plain


def test_paragraphs_are_parted_by_empty_lines() -> None:
    document = plain.render("a\nb\n\n  \nc\r\n\r\nd")
    assert [document.text[b.span.at : b.span.until] for b in document.blocks] == ["a\nb", "c", "d"]


def test_markup_is_text() -> None:
    assert plain.render("**a** <!-- b -->").text == "**a** <!-- b -->"


def test_list_items_have_the_line_before_as_lead_in() -> None:
    document = plain.render("As follows:\n- a\n- b\n")
    assert [(b.kind, b.lead_in) for b in document.blocks] == [
        ("paragraph", ""),
        ("list_item", "As follows:"),
        ("list_item", "As follows:"),
    ]


def test_invisible_characters_are_left_out_and_offsets_kept() -> None:
    document = plain.render("1\u200b2")
    assert (document.text, list(document.offsets), list(document.ends)) == ("12", [0, 2], [1, 3])


def test_empty() -> None:
    assert plain.render("").blocks == ()
