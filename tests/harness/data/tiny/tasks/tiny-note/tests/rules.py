from collections.abc import Mapping
from typing import Any

from pae_verifiers.judge.rules import Candidate, Finding


def names_the_fee(candidate: Candidate, facts: Mapping[str, Any]) -> Finding:
    """The word is there."""
    said = "fee" in candidate.source
    return Finding(said, "the fee is named" if said else "no fee", ("fee",) if said else ())
