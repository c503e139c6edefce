"""``pae tie`` and ``pae scan`` on a real terminal, and off one."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.harness.terminal import on_terminal, plain, styled

MEMO = "# Costs\r\n\r\nThe total cost was 0.35 bps\tand the tax $12.50, on 5 May 2026.\r\n"
RESULTS = '{"costs": {"total_bps": 35}, "tax_usd": 12.50, "traded": "2026-05-05"}'
GREEN, YELLOW, RED, DIM = "32", "1;33", "1;4;31", "2"
MISS = "line 3: 0.35 bps → source 35 bps at /costs/total_bps: unit_slip ×100"
SUMMARY = "numeric_consistency 0.0000: 1 matched, 1 not, 0 required facts missing"
LEGEND = [(GREEN, "matched"), (YELLOW, "mismatch"), (RED, "fabricated"), (DIM, "exempt")]


@pytest.fixture(autouse=True)
def files(own_place: None, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FORCE_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    Path("memo.md").write_bytes(MEMO.encode())
    Path("results.json").write_text(RESULTS)


def off_terminal(*argv: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "pae_harness", *argv], capture_output=True, text=True, timeout=60
    )
    assert done.stderr == ""
    return done.stdout


def test_each_number_has_the_colour_of_its_verdict() -> None:
    code, shown = on_terminal("tie", "memo.md", "results.json")
    assert code == 1
    assert styled(shown) == [
        (YELLOW, "0.35 bps"),
        (GREEN, "$12.50"),
        (DIM, "5 May 2026"),
        *LEGEND,
        (YELLOW, MISS),
    ]


def test_the_document_comes_first_then_what_misses() -> None:
    _, shown = on_terminal("tie", "memo.md", "results.json", columns=100)
    assert plain(shown).splitlines() == [
        "# Costs",
        "",
        "The total cost was 0.35 bps     and the tax $12.50, on 5 May 2026.",
        "",
        "matched  mismatch  fabricated  exempt",
        "",
        MISS,
        SUMMARY,
    ]


def test_quietly_only_what_misses() -> None:
    _, shown = on_terminal("tie", "-q", "memo.md", "results.json")
    assert plain(shown).splitlines() == [MISS, SUMMARY]


def test_off_a_terminal_only_what_misses() -> None:
    assert off_terminal("tie", "memo.md", "results.json").splitlines() == [MISS, SUMMARY]


def test_forced_colours_show_the_document_in_a_pipe_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "0.35 bps\x1b[0m" in off_terminal("tie", "memo.md", "results.json")


def test_all_that_ties_out_is_exit_0() -> None:
    Path("memo.md").write_text("The tax was $12.50.\n")
    code, shown = on_terminal("tie", "memo.md", "results.json")
    assert (code, styled(shown)) == (0, [(GREEN, "$12.50"), *LEGEND])


def test_no_color_leaves_what_is_no_colour() -> None:
    _, shown = on_terminal("tie", "memo.md", "results.json", NO_COLOR="1")
    assert styled(shown)[:2] == [("1", "0.35 bps"), ("2", "5 May 2026")]


def test_a_dumb_terminal_gets_no_sequence() -> None:
    _, shown = on_terminal("tie", "memo.md", "results.json", TERM="dumb")
    assert "\x1b" not in shown
    assert shown.startswith("# Costs\n")


@pytest.mark.parametrize("columns", [2, 7, 20, 39, 80, 200])
def test_a_number_keeps_its_colour_at_every_width(columns: int) -> None:
    memo = (
        "本年度總成本為 35 bps，約佔投資組合的一部分，並不包括稅項 $12.50。And then in English, at"
        " length, the tax was $12.50 again.\n\n| 項目 | cost |\n|---|--:|\n| 稅 tax | $12.50 |\n"
    )
    Path("memo.md").write_text(memo)
    _, shown = on_terminal("tie", "memo.md", "results.json", columns=columns)
    document = shown.split("matched")[0]
    numbers = "".join(text for _, text in styled(document))
    assert re.sub(r"\s", "", numbers) == "35bps" + 3 * "$12.50"
    assert re.sub(r"\s", "", plain(document)) == re.sub(r"\s", "", memo)


def test_no_line_is_wider_than_the_terminal() -> None:
    from rich.cells import cell_len

    Path("memo.md").write_text("總成本為約佔投資組合的一部分" * 9 + " cost $12.50 " * 30)
    _, shown = on_terminal("tie", "memo.md", "results.json", columns=41)
    document = plain(shown).split("\n\n")[0]
    assert max(map(cell_len, document.splitlines())) <= 41


def test_neither_document_nor_data_drive_the_terminal() -> None:
    Path("memo.md").write_text("cost \x1b]0;owned\x07 $5 \x9b31m \u202e7% \x1b[2J\n")
    Path("results.json").write_text('{"cost\\u001b[2J_\\u202e_usd": 500}')
    for argv in (("tie", "memo.md", "results.json"), ("scan", "memo.md")):
        _, shown = on_terminal(*argv)
        assert not re.search(r"[^\n\S ]|[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", plain(shown))


def test_what_looks_like_markup_is_text() -> None:
    Path("memo.md").write_text("[bold]cost[/bold] :smile: $12.50 [/]\n")
    _, shown = on_terminal("tie", "memo.md", "results.json")
    assert plain(shown).startswith("[bold]cost[/bold] :smile: $12.50 [/]\n")


def test_hidden_numbers_are_coloured_where_they_hide() -> None:
    Path("memo.md").write_text("Tax $12.50. <!-- was $41,137 -->\n")
    _, shown = on_terminal("tie", "memo.md", "results.json")
    assert (RED, "$41,137") in styled(shown)
    assert "line 1: $41,137 → in no source: fabricated, hidden from readers" in plain(shown)


def test_a_scan_colours_numbers_and_lists_them() -> None:
    Path("memo.md").write_text("It fell by 2.5% on 5 May 2026, a double-digit loss <!-- $7 -->\n")
    code, shown = on_terminal("scan", "memo.md")
    assert code == 0
    document, rest = shown.split("\n\n", 1)
    assert styled(document) == [
        (GREEN, "2.5%"),
        (DIM, "5 May 2026"),
        ("33", "double-digit"),
        (RED, "$7"),
    ]
    assert re.search(r"1 +2\.5% +-2\.5 +percent +quantity +sign from a word", plain(rest))


def test_off_a_terminal_a_scan_is_its_table() -> None:
    assert off_terminal("scan", "memo.md").splitlines()[1].split() == [
        "line", "text", "value", "unit", "kind", "notes",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("memo", "results", "why"),
    [
        ("The fee was 35%.", '{"fee_bps": 35}', "source 35 bps at /fee_bps: unit_slip ÷100"),
        ("The fee was 0.35.", '{"fee_pct": 0.35}', "unit_slip ÷100"),
        ("The fee was €35.", '{"fee_usd": 35}', "unit_slip (EUR for USD)"),
        ("The drift was 3.1%.", '{"drift_pp": 3.1}', "unit_slip (percent for percentage points)"),
        ("The fee was $99.", '{"fee_usd": 35}', "in no source: fabricated (its words are those of"),
    ],
)
def test_why_it_missed(memo: str, results: str, why: str) -> None:
    Path("memo.md").write_text(memo)
    Path("results.json").write_text(results)
    assert why in off_terminal("tie", "memo.md", "results.json")
