"""The container engine is restarted under a run: its trials are tried again, at the latest by
`pae resume`."""

from __future__ import annotations

import json

import pytest
from tests.harness.crash.place import REWARDS, Place, ended
from tests.harness.docker.daemon import NOTHING, Daemon
from tests.harness.waiting import wait_until

from pae_harness.sandbox.docker.backend import DockerSandbox

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("retries", ["0", "2"])
def test_a_restarted_engine_costs_no_trial(
    shared_cache: Place, mortal: Daemon, retries: str
) -> None:
    place = shared_cache
    place.environment, place.seconds = mortal.environment, 3
    with place.start("run", "-o", "out", "--retries", retries) as process:
        wait_until(lambda: mortal.runs("sleep 3"), "an agent works")
        mortal.kill()
        mortal.start()
        done = ended(process)
    if retries == "0":
        assert done.code == 3
        before = place.whole_lines("out")
        done = place.run("resume", "out")
        assert place.whole_lines("out")[: len(before)] == before
    assert done.code == 0, done.said
    results = {row["seed"]: (row["outcome"], row["reward"]) for row in done.data["results"]}
    assert results == REWARDS
    tries = [row["tries"] for row in map(json.loads, place.whole_lines("out")) if row["tries"]]
    assert tries
    assert all(len(reasons) == 1 for reasons in tries)
    assert place.left() == []
    DockerSandbox(mortal.engine())  # the next start
    assert mortal.everything() == NOTHING
