"""Does a task's Dockerfile do more than name the base image? The local sandbox builds nothing."""

from __future__ import annotations

import re

_HARMLESS = frozenset({"ARG", "LABEL", "WORKDIR", "USER", "CMD", "ENTRYPOINT", "MAINTAINER"})
_BASE = re.compile(
    r"(--platform=\S+\s+)?(\$BASE_IMAGE|\$\{BASE_IMAGE(:-[^}]*)?\})(\s+AS\s+\S+)?", re.I
)


def instructions(text: str) -> list[tuple[int, str, str]]:
    """``(line, INSTRUCTION, arguments)`` each, continuation lines joined, comments left out."""
    found: list[tuple[int, str, str]] = []
    start, pending = 0, ""
    for number, line in enumerate(text.splitlines(), start=1):
        stripped = line.strip()
        if not stripped or stripped.startswith("#"):  # also between continued lines
            continue
        start = start if pending else number
        pending = f"{pending} {stripped}".strip()
        if pending.endswith("\\"):
            pending = pending[:-1].rstrip()
            continue
        word, _, rest = pending.partition(" ")
        found.append((start, word.upper(), rest.strip()))
        pending = ""
    if pending:
        word, _, rest = pending.partition(" ")
        found.append((start, word.upper(), rest.strip()))
    return found


def installs_software(text: str) -> bool:
    """True where it runs, copies or sets anything, or builds on another image."""
    return any(
        not (word in _HARMLESS or (word == "FROM" and _BASE.fullmatch(rest)))
        for _, word, rest in instructions(text)
    )
