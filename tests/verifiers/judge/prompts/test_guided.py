"""The hardened prompt with the reply's schema beside it."""

from __future__ import annotations

from dataclasses import replace

from pae_verifiers.judge.candidate import Candidate
from pae_verifiers.judge.prompts import load
from pae_verifiers.numbers.markdown import render
from pae_verifiers.rubric.load import load as load_rubric
from pae_verifiers.rubric.model import Case

RUBRIC = load_rubric(
    "kind: items\nitems: [{id: says_why, role: required, weight: 1, text: It says why.}]\n"
)
CASE = Case(Candidate(render("We sold because it drifted.")))


def test_only_the_response_format_differs_from_the_hardened_prompt() -> None:
    guided = load("guided").request(RUBRIC, CASE)
    schema = {"name": "reply", "schema": RUBRIC.reply_schema()}
    assert guided.response_format == {"type": "json_schema", "json_schema": schema}
    plain = load("hardened").request(RUBRIC, CASE)
    assert replace(guided, response_format=plain.response_format) == plain


def test_the_repair_is_guided_too() -> None:
    guided = load("guided")
    asked = guided.request(RUBRIC, CASE)
    assert guided.repair(asked, "{", ("no JSON",)).response_format == asked.response_format


def test_its_digest_is_its_own_and_that_of_its_system_message() -> None:
    digests = {load(name).digest for name in ("guided", "hardened")}
    assert len(digests | {load("guided", "Be strict.").digest}) == 3
