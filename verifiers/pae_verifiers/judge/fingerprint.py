"""What a judgement rests on: two of one fingerprint were asked in the same way.

A model's name, requested or resolved, proves nothing about the version that a provider runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pae_verifiers.canonical import digest
from pae_verifiers.judge.chat import ChatRequest
from pae_verifiers.judge.prompts import Prompt
from pae_verifiers.rubric.model import Rubric


@dataclass(frozen=True)
class Fingerprint:
    """``rubric`` is the digest of what a judge is asked, weights and thresholds left out.

    ``parameters`` are those of the first request, without the ones in ``dropped``, which the
    provider refused. Digests are SHA-256 in hex.
    """

    prompt: str
    prompt_digest: str
    rubric: str
    parameters: Mapping[str, Any]
    dropped: tuple[str, ...]
    requested: str
    resolved: str

    def to_json(self) -> dict[str, Any]:
        """Its parts, and the ``digest`` over all of them."""
        parts = {
            "prompt": {"name": self.prompt, "digest": self.prompt_digest},
            "rubric": self.rubric,
            "parameters": dict(self.parameters),
            "dropped": list(self.dropped),
            "model": {"requested": self.requested, "resolved": self.resolved},
        }
        return {"digest": digest(parts), **parts}


def fingerprint(
    prompt: Prompt,
    rubric: Rubric,
    request: ChatRequest,
    *,
    dropped: Sequence[str],
    requested: str,
    resolved: str,
) -> Fingerprint:
    """The fingerprint of a judgement whose first request was ``request``."""
    gone = {text.split(" ")[0] for text in dropped if " " not in text}
    body = request.body(requested)
    return Fingerprint(
        prompt=prompt.name,
        prompt_digest=prompt.digest,
        rubric=rubric_digest(rubric),
        parameters={
            key: value
            for key, value in body.items()
            if key not in ("model", "messages") and key not in gone
        },
        dropped=tuple(dropped),
        requested=requested,
        resolved=resolved,
    )


def rubric_digest(rubric: Rubric) -> str:
    """The digest of a rubric's questions and of the reply that they ask for."""
    return digest([rubric.kind, rubric.described(), rubric.reply_schema()])
