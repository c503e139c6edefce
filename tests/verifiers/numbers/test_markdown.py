"""Markdown → Document: what a reader sees, where it stands in the source, and how it is divided."""

from __future__ import annotations

import pytest

from pae_verifiers.numbers import markdown
from pae_verifiers.numbers.model import Block, Document

MEMO = """\
# Memo

## Costs

The costs were:

- trading, of which
  - spread
- tax

| Sleeve | Cost (USD) |
|---|--:|
| Bonds \\| bills | **12** |
| Cash |  |
"""


def shown(document: Document, block: Block) -> str:
    return document.text[block.span.at : block.span.until]


def blocks(source: str) -> list[tuple[str, str]]:
    document = markdown.render(source)
    return [(block.kind, shown(document, block)) for block in document.blocks]


def test_blocks_in_reading_order() -> None:
    assert blocks(MEMO) == [
        ("heading", "Memo"),
        ("heading", "Costs"),
        ("paragraph", "The costs were:"),
        ("list_item", "trading, of which"),
        ("list_item", "spread"),
        ("list_item", "tax"),
        ("table_cell", "Sleeve"),
        ("table_cell", "Cost (USD)"),
        ("table_cell", "Bonds | bills"),
        ("table_cell", "12"),
        ("table_cell", "Cash"),
        ("table_cell", ""),
    ]


def test_headings_above_a_block_outermost_first() -> None:
    last = markdown.render(MEMO).blocks[-1]
    assert last.headings == ("Memo", "Costs")


def test_heading_of_the_same_level_takes_the_place_of_the_one_before() -> None:
    document = markdown.render("# A\n\n## B\n\n## C\n\ntext")
    assert document.blocks[-1].headings == ("A", "C")


def test_list_item_has_its_lead_in() -> None:
    items = [block for block in markdown.render(MEMO).blocks if block.kind == "list_item"]
    assert [item.lead_in for item in items] == [
        "The costs were:",
        "The costs were: trading, of which",
        "The costs were:",
    ]


def test_table_has_the_paragraph_before_it_as_lead_in() -> None:
    document = markdown.render("As follows:\n\n| a | b |\n|---|---|\n| c | d |\n")
    assert {block.lead_in for block in document.blocks[1:]} == {"As follows:"}


def test_cell_knows_its_row_and_column() -> None:
    cell = markdown.render(MEMO).blocks[9]
    assert (cell.row, cell.row_label, cell.column) == (
        "Bonds | bills 12",
        "Bonds | bills",
        "Cost (USD)",
    )


def test_ordered_list_shows_its_numbers() -> None:
    assert blocks("3. a\n4. b\n") == [("list_item", "3. a"), ("list_item", "4. b")]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("a **b** *c* ~~d~~ `e`", "a b c d e"),
        ("a [b](c) ![d](e)", "a b d"),
        ("[a][b]\n\n[b]: c", "a"),
        ("a &lt; b &#49; \\% \\*", "a < b 1 % *"),
        ("a<br>b", "a\nb"),
        ("a <!-- b --> c", "a  c"),
        ("1\u200b2 \u2060a\ufeffb", "12 ab"),
        ("```\na\n  b\n```", "a\n  b"),
        ("    a\n    b", "a\nb"),
        ("> a\n> b", "a\nb"),
        ("a\n=\n\nb\n-", "a\n\nb"),
        ("<http://a.org>", "http://a.org"),
        ("a\\\nb  \nc", "a\nb  \nc"),
        ("<table><tr><td>5</td><td>6</td></tr></table>", "\n\n\t5\t\t6\t\n\n"),
        ("a[^1]\n\n[^1]: b", "a[^1]\n\n[^1]: b"),
        ("| a | b |\n|---|---|\n| `c` | *d* |", "a\tb\nc\td"),
        ("# a #\n", "a"),
        ("", ""),
    ],
)
def test_text_is_what_a_reader_sees(source: str, text: str) -> None:
    assert markdown.render(source).text == text


@pytest.mark.parametrize(
    "source",
    [
        MEMO,
        "a **b** &amp; \\% [c](d 'e') ![f](g)\n> h *i*\n",
        "1. a\n   > b\n   > c **d**\n\n2. e\n\n   f\n",
        "- [ ] a\n- *b*\n\n      code\n",
        "A line\r\nand **another**\r\n\r\n| a | b |\r\n|---|---|\r\n| c | d |\r\n",
        "\ta\n\n-\tb\n\n>\tc *d*\n",
        "## a ##\n\nb\n---\n",
        "## ## a\n\n#b\n\n#c\n===\n\n> 1. ### d 2 ##\n",
        "<div>\na <b>c</b>\n</div>\n",
        "~~~py\na\n~~~\n- ```\n  b\n  ```\n",
    ],
)
def test_every_letter_stands_where_its_offset_says(source: str) -> None:
    document = markdown.render(source)
    for char, start, end in zip(document.text, document.offsets, document.ends, strict=True):
        if char.isalnum():
            assert source[start:end] == char


def test_entity_and_escape_span_their_source() -> None:
    document = markdown.render("a&amp;\\%")
    assert [document.source[s:e] for s, e in zip(document.offsets, document.ends, strict=True)] == [
        "a",
        "&amp;",
        "\\%",
    ]


@pytest.mark.parametrize(
    ("source", "hidden"),
    [
        ("a <!-- b --> c", ["<!-- b -->"]),
        ("<!--\nb\n\nc\n-->\n", ["<!--\nb\n\nc\n-->"]),
        ("a\n\n<!-- never closed\n\nb", ["<!-- never closed\n\nb"]),
        ('[a](b "c")', ["c"]),
        ('![a](b "c")', ["c"]),
        ('[a]: b "c"', ["c"]),
        ("```c 5%\na\n```", ["c 5%"]),
        ("<script>a</script>\n", ["a"]),
        ('<i title="b">a</i>', ["b"]),
        ("<div hidden>\n\na *b*\n\n</div>\n\nc", ["a ", "b"]),
    ],
)
def test_hidden_text(source: str, hidden: list[str]) -> None:
    assert [item.text.strip() for item in markdown.render(source).hidden] == [
        text.strip() for text in hidden
    ]


@pytest.mark.parametrize(
    "source",
    ["> " * 60 + "5%", "- " * 60 + "5%", "".join("  " * i + "- a\n" for i in range(60)) + "5%"],
)
def test_text_below_the_deepest_nesting_is_not_lost(source: str) -> None:
    assert "5%" in markdown.render(source).text


def test_more_than_64_kilobytes_is_read_as_plain_text() -> None:
    source = "**a** " * 20_000
    assert markdown.render(source).text == source


def test_definition_spelled_like_a_footnote_is_a_footnote() -> None:
    assert markdown.render("[^1]: 5%").text == "[^1]: 5%"


def test_list_number_stands_on_its_own_line_even_where_its_digits_came_before() -> None:
    source = "Price fell 1.1% in May.\n\n1. **A sleeve** leaves.\n"
    document = markdown.render(source)
    item = document.blocks[-1]
    assert shown(document, item) == "1. A sleeve leaves."
    assert document.offsets[item.span.at] == source.index("1. **")


@pytest.mark.parametrize("source", ["> 1. a\n> 2. b\n", "1. x 2. y\n2. b\n", "10. a\n1. b\n"])
def test_every_list_number_is_found_in_order(source: str) -> None:
    document = markdown.render(source)
    starts = [document.offsets[block.span.at] for block in document.blocks]
    lines = source.splitlines()
    assert starts == [
        lines[0].index("1"),
        len(lines[0]) + 1 + next(at for at, char in enumerate(lines[1]) if char.isdigit()),
    ]


def test_block_says_whether_its_list_numbers_it() -> None:
    document = markdown.render("1. a\n\n   b\n\n- c\n\n1.\n\nd 1. e\n")
    assert [(shown(document, block), block.numbered) for block in document.blocks] == [
        ("1. a", True),
        ("b", False),
        ("c", False),
        ("d 1. e", False),
    ]
