"""What an external task's tests say: reward.json before reward.txt, as Harbor reads them."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path

from pae_harness.errors import VerifierError


def read_reward(folder: Path) -> tuple[float, Mapping[str, float]]:
    """The reward that ``folder`` holds, and the other figures of reward.json that are in [0, 1].

    Raises VerifierError for no file, or one that is no reward from 0 to 1.
    """
    if (folder / "reward.json").is_file():
        return _from_json(_text(folder / "reward.json"))
    if (folder / "reward.txt").is_file():
        text = _text(folder / "reward.txt").strip()
        try:
            value = float(text)
        except ValueError:
            shown = text[:40] or "nothing"
            raise VerifierError(f"the verifier's reward.txt is no number: {shown}") from None
        return _in_range("reward.txt", "reward", value), {}
    raise VerifierError("the verifier wrote neither reward.json nor reward.txt")


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "replace")


def _from_json(text: str) -> tuple[float, Mapping[str, float]]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise VerifierError(f"the verifier's reward.json is not JSON: {error}") from None
    if not isinstance(value, dict) or not value:
        raise VerifierError("the verifier's reward.json is no object of numbers")
    for name, figure in value.items():
        if isinstance(figure, bool) or not isinstance(figure, int | float):
            raise VerifierError(f"reward.json: {name[:40]} is {str(figure)[:40]!r}, not a number")
    if "reward" not in value and len(value) > 1:
        names = ", ".join(sorted(value)[:5])
        raise VerifierError(f"reward.json has several figures and none is called reward: {names}")
    key = "reward" if "reward" in value else next(iter(value))
    reward = _in_range("reward.json", key, value[key])
    return reward, {name: float(v) for name, v in value.items() if name != "reward" and _unit(v)}


def _in_range(file: str, name: str, value: float) -> float:
    if not _unit(value):
        raise VerifierError(f"{file}: {name[:40]} is {str(value)[:40]}, outside 0 to 1")
    return float(value)


def _unit(value: float) -> bool:
    return math.isfinite(value) and 0 <= value <= 1
