"""What the documentation shows is what there is."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import indent

import pytest

from pae_harness import run_trial
from pae_harness.errors import (
    EXIT_INTERRUPTED,
    NothingSelectedError,
    SandboxError,
    UsageError,
)
from pae_harness.main import EXIT_BUG, main
from pae_harness.options import AGENT, AGENT_DIR, MIN_REWARD, PASS_AT, RUN_OPTIONS, TASKS
from pae_harness.settings import Option
from pae_harness.solutions import Solution
from pae_verifiers.rubric.load import shipped_names

ROOT = Path(__file__).parents[1]
TINY = ROOT / "tests" / "harness" / "data" / "tiny"
README = (ROOT / "README.md").read_text(encoding="utf-8")


def page(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("path", sorted(p.relative_to(TINY) for p in TINY.rglob("*.*")), ids=str)
def test_the_smallest_task_is_printed_as_it_is(path: Path) -> None:
    if (TINY / path).is_file():
        assert f"\n{(TINY / path).read_text(encoding='utf-8')}```\n" in page("adding-a-task.md")


@pytest.mark.parametrize("seed", [1, 4])
def test_the_agent_of_the_readme_earns_what_it_says(tmp_path: Path, seed: int) -> None:
    code = re.search(r"```python\n(import json\n.*?)```", README, re.S)
    earned = re.search(r"It earns (0\.\d{3}) on each seed", README)
    assert code and earned
    (tmp_path / "write.py").write_text(code[1], encoding="utf-8")
    tmp_path.chmod(0o755)  # as root, the box's user is another
    agent = Solution("cmd:python3 /agent/write.py", tmp_path)
    result = run_trial(ROOT / "tasks" / "pf-judg-rebalance-memo", seed, agent)
    assert (result.reason, f"{result.reward or 0:.3f}") == ("", earned[1])


def test_the_readme_opens_with_what_the_demo_says(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo"]) == 0
    assert f"\n\n{indent(capsys.readouterr().out, '    ')}\n" in README


def test_the_readme_shows_every_trap() -> None:
    traps = {path.stem for path in (ROOT / "oracles" / "pf-judg-rebalance-memo").glob("traps/*.sh")}
    assert set(re.findall(r"^ +trap:(\w+) ", README, re.M)) == traps


@pytest.mark.parametrize(
    "option",
    [TASKS, AGENT, AGENT_DIR, MIN_REWARD, PASS_AT, *RUN_OPTIONS],
    ids=lambda o: str(o.name),
)
def test_every_option_has_its_row(option: Option) -> None:
    flags = r"`, `".join(map(re.escape, option.flags))
    assert re.search(
        rf"^\| `{flags}( [A-Z]+)?` \| `{option.name}` \|", page("command-line.md"), re.M
    )


def test_every_exit_code_has_its_row() -> None:
    codes = {0, 1, EXIT_BUG, EXIT_INTERRUPTED}
    codes |= {error.exit_code for error in (UsageError, SandboxError, NothingSelectedError)}
    assert {int(n) for n in re.findall(r"^\| (\d+) \|", page("command-line.md"), re.M)} == codes


@pytest.mark.parametrize("name", shipped_names())
def test_every_rubric_of_the_package_has_a_row_for_what_it_must_be_given(name: str) -> None:
    assert re.search(rf"^\| `{name}` \|", page("rubrics.md"), re.M)


@pytest.mark.parametrize(
    "path", ["README.md", "CONTRIBUTING.md", *(f"docs/{p.name}" for p in (ROOT / "docs").iterdir())]
)
def test_every_link_leads_somewhere(path: str) -> None:
    text = (ROOT / path).read_text(encoding="utf-8")
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", text):
        assert ((ROOT / path).parent / target).exists(), target
