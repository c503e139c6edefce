"""What a run spent on models, in a line."""

from __future__ import annotations

import pytest

from pae_harness.runs.spent import spending

AGENT = {"agent_calls": 12.0, "agent_prompt_tokens": 3000.0, "agent_completion_tokens": 400.0}


@pytest.mark.parametrize(
    ("usage", "line"),
    [
        ({}, ""),
        ({"agent_calls": 0.0}, ""),
        (AGENT, "agent: 12 calls, 3,400 tokens"),
        ({**AGENT, "agent_cost_usd": 0.012}, "agent: 12 calls, 3,400 tokens, $0.0120"),
        ({"agent_calls": 1.0}, "agent: 1 call"),
        ({"judge_calls": 0.0, "judge_reused": 2.0}, "judge: 0 calls, 2 reused"),
        ({**AGENT, "judge_calls": 5.0}, "agent: 12 calls, 3,400 tokens; judge: 5 calls"),
    ],
)
def test_only_what_is_known_is_told(usage: dict[str, float], line: str) -> None:
    assert spending(usage) == line
