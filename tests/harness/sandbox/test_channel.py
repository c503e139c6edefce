"""Frames, and who sent them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from socket import socket

import pytest

from pae_harness.errors import SandboxError
from pae_harness.sandbox.channel import Channel, ChannelClosedError, answer_sockets

Ends = tuple[socket, socket]


@pytest.fixture
def ends() -> Iterator[Ends]:
    """The harness's end of the answers, and the box's."""
    ours, theirs = answer_sockets()
    with ours, theirs:
        yield ours, theirs


@pytest.fixture
def commands() -> Iterator[int]:
    """The end of a pipe that a box would read its commands from; the other is a channel's."""
    read, write = os.pipe()
    yield write
    os.close(read)


def test_the_sender_of_an_answer_is_known(ends: Ends, commands: int) -> None:
    channel = Channel(os.fdopen(commands, "wb", 0), ends[0])
    ends[1].send(b"k\0\0\0\2hi")
    assert channel.receive(5) == (b"k", b"hi")
    assert channel.sender == os.getuid()
    channel.close()


def test_the_sender_is_known_of_a_box_that_was_faster_than_the_harness(
    ends: Ends, commands: int
) -> None:
    ends[1].send(b"H\0\0\0\0")
    channel = Channel(os.fdopen(commands, "wb", 0), ends[0])
    assert channel.receive(5) == (b"H", b"")
    assert channel.sender == os.getuid()
    channel.close()


def test_the_sender_is_known_of_a_box_that_has_gone(ends: Ends, commands: int) -> None:
    ends[1].send(b"H\0\0\0\0")
    ends[1].close()
    channel = Channel(os.fdopen(commands, "wb", 0), ends[0])
    channel.receive(5)
    assert channel.sender == os.getuid()
    with pytest.raises(ChannelClosedError):
        channel.receive(5)
    channel.close()


def test_a_frame_that_is_too_large_is_refused(ends: Ends, commands: int) -> None:
    channel = Channel(os.fdopen(commands, "wb", 0), ends[0])
    ends[1].send(b"k\xff\xff\xff\xff")
    with pytest.raises(SandboxError, match="too large"):
        channel.receive(5)
    channel.close()


def test_silence_is_not_waited_out(ends: Ends, commands: int) -> None:
    channel = Channel(os.fdopen(commands, "wb", 0), ends[0])
    ends[1].send(b"k\0\0")
    with pytest.raises(SandboxError, match="does not answer"):
        channel.receive(0.05)
    channel.close()
