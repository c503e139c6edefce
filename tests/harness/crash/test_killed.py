"""``kill -9`` at random moments: no finished trial is lost or doubled, and nothing is left over."""

from __future__ import annotations

import random
import shutil
import time

import pytest
from tests.harness.crash.place import REWARDS, Place
from tests.harness.docker.daemon import NOTHING, Daemon
from tests.harness.waiting import wait_until

pytestmark = pytest.mark.slow
SEED = 20261201
LOCAL_RUNS, TWICE = 24, 3  # every third is killed once more while it is resumed: 32 kills
CONTAINER_RUNS = 9


def undisturbed(place: Place, out: str) -> float:
    """Run it to the end, twice as the first fills caches; how long that took."""
    assert place.run("run", "-o", f"{out}-first").code == 0
    began = time.monotonic()
    assert place.run("run", "-o", out).code == 0
    assert place.outcomes(out) == REWARDS
    return time.monotonic() - began


def test_local_runs_killed_at_random_moments(place: Place) -> None:
    chosen, length = random.Random(SEED), undisturbed(place, "whole")
    for number in range(LOCAL_RUNS):
        out = f"out-{number}"
        shutil.rmtree(place.root / "cache" / "fixtures")
        moments = [chosen.uniform(0, length)]
        place.kill(place.start("run", "-o", out), moments[0])
        before = place.whole_lines(out)
        if number % TWICE == 0 and (place.root / out / "run.json").is_file():
            moments.append(chosen.uniform(0, length))
            place.kill(place.start("resume", out), moments[1])
            again = place.whole_lines(out)
            assert again[: len(before)] == before, f"{number}: {moments}"
            before = again
        done = place.go_on(out)
        assert done.code == 0, f"{number}: {moments}: {done.said}"
        place.check_whole(out, before, f"{number}: {moments}")
        wait_until(lambda: not place.left(), f"{number}: {moments}: gone: {place.left()}")


def test_runs_in_containers_killed_at_random_moments(shared_cache: Place, daemon: Daemon) -> None:
    place = shared_cache
    place.environment = daemon.environment
    chosen, length = random.Random(SEED), undisturbed(place, "whole")
    for number in range(CONTAINER_RUNS):
        out, moment = f"out-{number}", chosen.uniform(0.2, length)
        place.kill(place.start("run", "-o", out), moment)
        before = place.whole_lines(out)
        done = place.go_on(out)
        assert done.code == 0, f"{number}: {moment}: {done.said}"
        place.check_whole(out, before, f"{number}: {moment}")
        wait_until(lambda: not place.left(), f"{number}: {moment}: gone: {place.left()}")
        assert daemon.everything() == NOTHING, f"{number}: {moment}"
