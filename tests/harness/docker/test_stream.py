"""Taking an engine's parcels apart, however the network cuts them."""

from __future__ import annotations

import pytest

from pae_harness.sandbox.docker.stream import Parcels


def parcel(stream: int, payload: bytes) -> bytes:
    return bytes([stream, 0, 0, 0]) + len(payload).to_bytes(4, "big") + payload


SENT = parcel(1, b"one") + parcel(2, b"trouble") + parcel(1, b"") + parcel(1, b" two")


@pytest.mark.parametrize("size", [1, 2, 7, 8, 9, 11, 100])
def test_stdout_arrives_whole_in_pieces_of_any_size(size: int) -> None:
    parcels = Parcels()
    pieces = (SENT[at : at + size] for at in range(0, len(SENT), size))
    assert b"".join(map(parcels, pieces)) == b"one two"
    assert parcels.stderr == b"trouble"


def test_of_stderr_the_end_is_kept() -> None:
    parcels = Parcels()
    assert parcels(parcel(2, b"a" * 5000 + b"last words")) == b""
    assert len(parcels.stderr) == 4096
    assert parcels.stderr.endswith(b"last words")
