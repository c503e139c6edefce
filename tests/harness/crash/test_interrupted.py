"""Ctrl-C, once and twice: what runs is finished, or not, and the rest is for `pae resume`."""

from __future__ import annotations

import signal

import pytest
from tests.harness.crash.place import REWARDS, Place, ended
from tests.harness.waiting import wait_until

pytestmark = pytest.mark.slow


def test_once_finishes_what_runs_and_resume_runs_the_rest(place: Place) -> None:
    place.seconds = 4
    with place.start("run", "-o", "out") as process:
        wait_until(lambda: len(list((place.root / "out").glob(".drafts/*--*"))) == 2, "two run")
        other = place.run("resume", "out")
        assert (other.code, "another pae is writing to" in other.said) == (2, True)
        process.send_signal(signal.SIGINT)
        done = ended(process)
    assert done.code == 130
    assert (done.data["interrupted"], done.data["not_run"]) == (True, 2)
    before = place.whole_lines("out")
    assert len(before) == 2
    assert place.run("resume", "out").code == 0
    place.check_whole("out", before, "after Ctrl-C")
    assert place.left() == []


def test_twice_stops_now_and_resume_runs_the_rest(place: Place) -> None:
    place.seconds = 60
    with place.start("run", "-o", "out") as process:
        wait_until(lambda: len(list((place.root / "out").glob(".drafts/*--*"))) == 2, "two run")
        process.send_signal(signal.SIGINT)
        assert process.stderr is not None
        while b"Ctrl-C again to stop now" not in process.stderr.readline():
            pass
        process.send_signal(signal.SIGINT)
        done = ended(process)
    assert done.code == 130
    assert "4 of 4 trials did not end" in done.said
    assert place.whole_lines("out") == []
    assert sorted(path.name for path in (place.root / "out").iterdir()) == [
        *("run.json", "trials.jsonl")
    ]
    wait_until(lambda: not place.processes(), "its processes are gone")
    assert place.run("resume", "out", "--dry-run").data["trials"] == [
        f"tiny-note/seed-{seed}/cmd" for seed in REWARDS
    ]


def test_a_resumed_run_can_be_interrupted_too(place: Place) -> None:
    place.seconds = 1
    for verb, arguments in (("run", ("-o", "out")), ("resume", ("out", "-j", "1"))):
        with place.start(verb, *arguments) as process:
            wait_until(lambda: any((place.root / "out").glob(".drafts/*--*")), "one runs")
            process.send_signal(signal.SIGINT)
            assert ended(process).code == 130
    before = place.whole_lines("out")
    assert place.run("resume", "out").code == 0
    place.check_whole("out", before, "after two times Ctrl-C")
