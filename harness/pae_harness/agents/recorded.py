"""The records of a trial's exchanges, one at a time: requests have megabytes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_NAME = re.compile(r"(\d+)-[0-9a-f]{64}\.json")


@dataclass(frozen=True)
class Record:
    """The file of an exchange: its data, or why it cannot be read."""

    name: str
    number: int
    data: Mapping[str, Any] = field(default_factory=dict)
    why: str = ""


def read(folder: Path) -> Iterator[Record]:
    """The records of a folder in the order of their numbers, one at a time."""
    found = {path: match for path in _listed(folder) if (match := _NAME.fullmatch(path.name))}
    for path, match in sorted(found.items(), key=lambda item: (int(item[1][1]), item[0].name)):
        name, number = path.name, int(match[1])
        try:
            data = json.loads(path.read_bytes())
        except (ValueError, RecursionError) as error:
            why = "it is nested too deep" if isinstance(error, RecursionError) else str(error)
            yield Record(name, number, why=why)
            continue
        if isinstance(data, dict) and isinstance(data.get("source"), str):
            yield Record(name, number, data)
        else:
            yield Record(name, number, why="it is no record of an exchange")


def _listed(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except FileNotFoundError:
        return []
