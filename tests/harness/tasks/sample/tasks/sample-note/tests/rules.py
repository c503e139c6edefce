from collections.abc import Mapping
from typing import Any

from pae_verifiers.judge.rules import Candidate, Finding


def explains_why(candidate: Candidate, facts: Mapping[str, Any]) -> Finding:
    return Finding("because" in candidate.text, "looked for a reason", ("because",))


def market_forecast(candidate: Candidate, facts: Mapping[str, Any]) -> Finding:
    return Finding(not _heading(candidate.text), "looked for a forecast", ())


def _heading(text: str) -> bool:
    return "will rise" in text
