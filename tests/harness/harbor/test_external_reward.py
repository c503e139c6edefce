"""What an external task's tests leave: a number from 0 to 1, or no result at all."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from pae_harness.errors import VerifierError
from pae_harness.harbor.external_reward import read_reward

GOOD: list[tuple[dict[str, str], float, Mapping[str, float]]] = [
    ({"reward.txt": "1"}, 1.0, {}),
    ({"reward.txt": " 0.25\n"}, 0.25, {}),
    ({"reward.json": '{"reward": 0.5}'}, 0.5, {}),
    ({"reward.json": '{"accuracy": 0.5}'}, 0.5, {"accuracy": 0.5}),
    ({"reward.json": '{"reward": 1, "style": 0.5, "seconds": 12}'}, 1.0, {"style": 0.5}),
    ({"reward.json": '{"reward": 0}', "reward.txt": "1"}, 0.0, {}),
]


@pytest.mark.parametrize(("files", "reward", "metrics"), GOOD)
def test_a_reward(
    tmp_path: Path, files: dict[str, str], reward: float, metrics: Mapping[str, float]
) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    assert read_reward(tmp_path) == (reward, metrics)


BAD = [
    ({}, "wrote neither reward.json nor reward.txt"),
    ({"reward.txt": ""}, "reward.txt is no number: nothing"),
    ({"reward.txt": "passed"}, "reward.txt is no number: passed"),
    ({"reward.txt": "2"}, "reward.txt: reward is 2.0, outside 0 to 1"),
    ({"reward.txt": "nan"}, "reward.txt: reward is nan, outside 0 to 1"),
    ({"reward.json": "{"}, "reward.json is not JSON"),
    ({"reward.json": "[1]"}, "reward.json is no object of numbers"),
    ({"reward.json": "{}"}, "reward.json is no object of numbers"),
    ({"reward.json": '{"reward": true}'}, "reward is 'True', not a number"),
    ({"reward.json": '{"reward": "1"}'}, "reward is '1', not a number"),
    ({"reward.json": '{"reward": 1e999}'}, "reward is inf, outside 0 to 1"),
    ({"reward.json": '{"reward": -0.1}'}, "reward is -0.1, outside 0 to 1"),
    ({"reward.json": '{"a": 1, "b": 1}'}, "none is called reward: a, b"),
]


@pytest.mark.parametrize(("files", "sentence"), BAD, ids=[b[1] for b in BAD])
def test_no_reward_is_no_zero(tmp_path: Path, files: dict[str, str], sentence: str) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    with pytest.raises(VerifierError) as caught:
        read_reward(tmp_path)
    assert sentence in str(caught.value)
