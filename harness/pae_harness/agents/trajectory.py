from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Command:
    argv: tuple[str, ...]
    cwd: str
    started: str
    seconds: float
    exit_code: int | None
    limit: str | None
    output: str


@dataclass(frozen=True)
class Head:
    agent: str
    version: str
    model: str
    session: str
    instruction: str


def write(path: Path, head: Head, commands: Sequence[Command], records: Path) -> None:
    import json

    path.write_text(json.dumps([c.__dict__ for c in commands], indent=1))
