"""The rebalance task's oracle, traps, rules and verifier, in this process."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Callable
from decimal import Decimal
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pae_verifiers import Score, config
from pae_verifiers.judge import rules
from pae_verifiers.numbers import facts, markdown
from pae_verifiers.numbers.model import Facts
from pae_verifiers.rubric import load as rubrics
from pae_verifiers.verify import Sources, verify
from pae_verifiers.yamlfile import parse

ORACLE = Path(__file__).parents[3] / "oracles" / "pf-judg-rebalance-memo"


@pytest.fixture(scope="session")
def oracle_folder() -> Path:
    return ORACLE


@pytest.fixture(scope="session")
def oracle_memo() -> Callable[[str], str]:
    """results.json as text → the oracle's memo."""
    memo = _module("memo").memo
    return cache(lambda results: str(memo(_parsed(results))))


@pytest.fixture(scope="session")
def trap_memo(oracle_memo: Callable[[str], str]) -> Callable[[str, str], str]:
    """A trap's name and results.json as text → the memo after the trap's edit."""
    edited = _module("edit").edited
    return lambda trap, results: str(edited(trap, oracle_memo(results), _parsed(results)))


@pytest.fixture(scope="session")
def known_facts(rebalance_task: Path) -> Callable[[str, str], Facts]:
    """results.json and ips.yaml as text → the facts that a memo may state."""
    text = (rebalance_task / "tests" / "facts.yaml").read_text("utf-8")
    nodes = parse(text, "facts.yaml").mapping()
    words = {key: node.plain() for key, node in nodes.items()}
    return lambda results, policy: facts.load(results, words, texts=[policy])


@pytest.fixture(scope="session")
def grade(
    rebalance_task: Path, known_facts: Callable[[str, str], Facts]
) -> Callable[[str, str, str], Score]:
    """A memo, results.json and ips.yaml, all as text → the task's own score."""
    tests = rebalance_task / "tests"
    settings = config.load((tests / "verifier.yaml").read_text("utf-8"))
    rubric = rubrics.load((tests / "rubric.yaml").read_text("utf-8"))
    judge = rules.load(tests / "rules.py")

    def score(memo: str, results: str, policy: str) -> Score:
        sources = Sources(known_facts(results, policy), json.loads(results))
        return verify(memo.encode(), settings, sources, rubric, judge)

    return score


@pytest.fixture(scope="session")
def apply_rule(
    rebalance_task: Path,
) -> Callable[[str, str, dict[str, Any]], rules.Finding]:
    """An item's id, a memo and results.json parsed → what the item's rule finds."""
    judge = rules.load(rebalance_task / "tests" / "rules.py")

    def find(item: str, memo: str, results: dict[str, Any]) -> rules.Finding:
        rule: Any = judge.rules[item]
        finding: rules.Finding = rule(rules.Candidate(markdown.render(memo)), results)
        assert all(quote and quote in memo for quote in finding.evidence)
        return finding

    return find


def _module(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"oracle_{name}", ORACLE / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    keep, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    spec.loader.exec_module(module)
    sys.dont_write_bytecode = keep
    return module


def _parsed(results: str) -> Any:
    return json.loads(results, parse_float=Decimal, parse_int=Decimal)
