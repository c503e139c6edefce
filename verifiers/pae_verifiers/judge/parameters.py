"""Parameters that a provider refuses: dropped or renamed, once each, and never in silence."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pae_verifiers.judge.answer import error_of
from pae_verifiers.judge.transport import Answer

STATUSES = (400, 422)
DROPPED = ("temperature", "reasoning_effort", "response_format")
RENAMED = {"max_tokens": "max_completion_tokens"}


def adapted(body: Mapping[str, Any], answer: Answer) -> tuple[dict[str, Any], str] | None:
    """The body without the parameter that ``answer`` refuses, and what was done, in a few words.

    None where the answer refuses nothing that can be given up.
    """
    if answer.status not in STATUSES:
        return None
    param, said = error_of(answer)
    name = _named(body, param, said)
    if name is None:
        return None
    rest = {key: value for key, value in body.items() if key != name}
    if name in RENAMED:
        return {**rest, RENAMED[name]: body[name]}, f"{name} (sent as {RENAMED[name]})"
    return rest, name


def _named(body: Mapping[str, Any], param: str, said: str) -> str | None:
    known = [name for name in (*DROPPED, *RENAMED) if name in body]
    if param:
        return next((name for name in known if param == name or param.startswith(f"{name}.")), None)
    places = {
        name: hit.start() for name in known if (hit := re.search(rf"(?<!\w){name}(?!\w)", said))
    }
    return min(places, key=lambda name: places[name], default=None)
