"""Counting words, and telling Chinese prose from a name in Chinese."""

from __future__ import annotations

import pytest

from pae_verifiers.rubric.checklist.words import has_chinese_prose, words


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("freight rates fell 18%", 4),
        ("fell 18% [Marine_Q3.pdf], then", 4),
        ("rates — and margins", 4),
        ("# Switch from A to B", 5),
        ("- one two\n- three", 3),
        ("• one two\n1. three\n2) four", 4),
        ("> quoted twice", 2),
        ("**bold words** here", 3),
        ("before\n---\nafter", 2),
        ("```text\ninside\n```", 1),
        ("-14% since August", 3),
        ("運費下跌", 4),
        ("運費下跌18%，我們", 7),
        ("the carrier 北門海運 sails", 7),
        ("```a line of code that everybody reads```", 7),
        ("```text and a paragraph behind the fence", 7),
        ("~~~ text", 0),
        ("four&nbsp;words&#32;in&#x20;all", 4),
        ("AT&T and R&D", 3),
        ("four\u2800words\u3164in\uffa0all", 4),
    ],
)
def test_words(text: str, count: int) -> None:
    assert words(text) == count


@pytest.mark.parametrize(
    "line",
    [
        "亞歐航線運費第三季下跌18%，我們建議換馬。",
        "我们建议换马。",
        "新業務價值增長27%；由保障型產品帶動。",
        "亞歐航線運費第三季下跌兩成我們建議客戶轉換至銀港保險",
        "- 北門海運（2471 HK，香港，減持）：運費下跌18% [Marine_Q3.pdf]，我們建議換馬。",
        "Freight rates fell. 運費下跌，我們建議換馬。 We switch.",
    ],
)
def test_chinese_prose(line: str) -> None:
    assert has_chinese_prose(line)


@pytest.mark.parametrize(
    "line",
    [
        "Freight rates fell.",
        "PING AN INSURANCE (中國平安保險(集團)股份有限公司, 2318 HK, Hong Kong, BUY)",
        "中國平安",
        "Sales of 茅台, 五粮液 and 洋河 rose.",
        "PING AN INSURANCE GROUP (中國平安，2318 HK, Hong Kong, BUY) grew by 4.5% in 2025.",
    ],
)
def test_a_name_in_chinese_is_no_chinese_prose(line: str) -> None:
    assert not has_chinese_prose(line)
