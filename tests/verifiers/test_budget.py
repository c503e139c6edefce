"""A document that is too dear to read is a bad document; the verifier answers all the same."""

from __future__ import annotations

import re
import resource
import signal
import time
from collections.abc import Callable

import pytest

from pae_verifiers.budget import bounded
from pae_verifiers.errors import DocumentError


def forever() -> None:
    while True:
        sum(range(1000))


def catastrophic() -> None:
    re.match(r"(a|aa)+$", "a" * 100 + "b")


def sheltered() -> None:
    while True:
        try:
            forever()
        except Exception:  # noqa: BLE001 - what a task's rules may do
            continue


@pytest.mark.parametrize("work", [forever, catastrophic, sheltered])
def test_processor_time_is_bounded(work: Callable[[], None]) -> None:
    late = pytest.raises(DocumentError, match=r"takes longer than 0\.1 s to read")
    with late, bounded(cpu_seconds=0.1):
        work()


def test_waiting_costs_nothing() -> None:
    with bounded(cpu_seconds=0.1):
        time.sleep(0.3)


def test_memory_is_bounded() -> None:
    with pytest.raises(DocumentError, match="too much memory"), bounded(memory_bytes=1 << 30):
        bytearray(2 << 30)


def test_depth_is_bounded() -> None:
    def deeper() -> None:
        deeper()

    with pytest.raises(DocumentError, match="nested too deeply"), bounded():
        deeper()


def test_any_other_failure_stays_what_it_is() -> None:
    with pytest.raises(KeyError), bounded():
        raise KeyError("unit")


def test_nothing_is_left_behind() -> None:
    before = resource.getrlimit(resource.RLIMIT_DATA), signal.getsignal(signal.SIGPROF)
    with bounded():
        pass
    assert (resource.getrlimit(resource.RLIMIT_DATA), signal.getsignal(signal.SIGPROF)) == before
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)
