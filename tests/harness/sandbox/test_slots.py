"""Slots: one holder each, given back by the kernel whatever happens."""

from __future__ import annotations

import subprocess
import sys

import pytest

from pae_harness.errors import SandboxUnavailableError
from pae_harness.sandbox import slots

HIGH, HIGHER = 976, 977  # far from where boxes that run meanwhile take theirs


def test_a_slot_has_one_holder() -> None:
    first = slots.claim(HIGH)
    assert first is not None
    assert slots.claim(HIGH) is None
    first.release()
    again = slots.claim(HIGH)
    assert again is not None
    again.release()


def test_two_boxes_get_two_slots() -> None:
    first, second = slots.take(), slots.take()
    assert first.number != second.number
    first.release()
    second.release()


def test_a_dead_process_holds_no_slot() -> None:
    program = (
        "import os; from pae_harness.sandbox import slots;"
        f"print(slots.claim({HIGHER}) is not None, flush=True); os.kill(os.getpid(), 9)"
    )
    done = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, check=False)
    assert done.stdout == b"True\n"
    slot = slots.claim(HIGHER)
    assert slot is not None
    slot.release()


@pytest.mark.parametrize(
    ("uid_map", "base"),
    [
        ("         0          0 4294967295\n", 2_000_000_000),
        ("0 1000 1\n1 100000 65536\n", 60_600),
        ("0 0 65536", 60_600),
    ],
)
def test_a_boxs_user_is_one_that_is_mapped(uid_map: str, base: int) -> None:
    assert slots._uid_base(uid_map) == base


def test_too_few_users_are_said_to_be_too_few() -> None:
    with pytest.raises(SandboxUnavailableError, match="ordinary user"):
        slots._uid_base("0 1000 1\n")
