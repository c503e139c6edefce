"""Which family a model is of: a judge tends to like what its own kind writes."""

from __future__ import annotations

import re

# What the last part of a model's name begins with, or has between its separators.
_FAMILIES = {
    "gpt": r"(chat)?gpt|o[1-9]|davinci|codex",
    "claude": r"claude",
    "gemini": r"gemini|gemma|palm",
    "llama": r"(meta)?llama|codellama",
    "qwen": r"qwen|qwq|qvq",
    "mistral": r"(open)?mi[sx]tral|ministral|magistral|devstral|codestral|pixtral",
    "deepseek": r"deepseek",
    "grok": r"grok",
    "command": r"command|c4ai|aya",
    "phi": r"phi",
    "kimi": r"kimi|moonshot",
    "glm": r"(chat)?glm",
    "nova": r"nova",
    "granite": r"granite",
    "yi": r"yi",
    "minimax": r"minimax|abab",
}
_NAMES = {name: re.compile(rf"({pattern})(?![a-z])") for name, pattern in _FAMILIES.items()}


def family(model: str) -> str | None:
    """The family that a model's name tells, None where it tells none.

    ``model`` may have a provider before it (``google/gemini-…``, ``us.anthropic.claude-…``) or
    behind it (``…@openai``). A model distilled into another names both; the one whose weights it
    is tuned from comes last, and counts.
    """
    name = model.lower().rpartition("@")[0] or model.lower()
    words = [word for word in re.split(r"[^a-z0-9]+", name.rpartition("/")[2]) if word]
    found = [kind for word in words for kind, known in _NAMES.items() if known.match(word)]
    return found[-1] if found else None


def kinship(judge: str, candidate: str) -> str:
    """A warning where judge and candidate are of one family, else nothing."""
    shared = family(judge)
    if shared is None or shared != family(candidate):
        return ""
    return (
        f"the judge {judge} and the candidate {candidate} are both of the family {shared}: "
        "a judge tends to favour its own kind"
    )
