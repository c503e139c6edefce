"""Which task folders are Harbor's, and not of this suite's kind."""

from __future__ import annotations

import tomllib
from pathlib import Path

_OURS = ("theme", "reward_type", "inputs", "outputs")


def is_external(folder: Path) -> bool:
    """Whether ``folder`` is a Harbor task that is not of this suite's kind.

    That has a verifier.yaml, a generator or a record of its own under [metadata].
    """
    ours = (folder / "tests" / "verifier.yaml", folder / "environment" / "generate.py")
    if any(path.exists() for path in ours):
        return False
    try:
        value = tomllib.loads((folder / "task.toml").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    metadata = value.get("metadata", {})
    return isinstance(metadata, dict) and not any(key in metadata for key in _OURS)
