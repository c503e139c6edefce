"""The loop: one command of the harness after the other, until the harness is gone."""

# Pathlib costs a box's start.
# ruff: noqa: PTH101, PTH102, PTH103, PTH120, PTH123

from __future__ import annotations

import marshal
import os

from .command import run
from .limits import Limits
from .processes import sweep
from .tree import get, put
from .wire import receive, send

TYPE_CHECKING = False  # the real one would import typing, which costs more than all else here
if TYPE_CHECKING:
    from typing import Any

    Order = dict[str, Any]


def set_up(config: Order) -> None:
    for path, content in config["files"].items():
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)
    for path, mode in config["folders"]:
        os.mkdir(path)
        os.chmod(path, mode)


def main() -> None:
    """In a bubblewrap: the harness sees who sends the first frame."""
    os.umask(0o022)
    send(b"H")
    from .boxed import BoxedCommand

    serve(BoxedCommand)


def contain() -> None:
    """In a container, as its init: speaks only when spoken to, since nobody may listen yet."""
    os.umask(0o022)
    from .direct import DirectCommand, seal

    seal()
    serve(DirectCommand)


def serve(start: Any) -> None:
    """Until the harness hangs up; ``start`` is the class that starts a command."""
    config: Order = {}
    while True:
        kind, payload = receive()
        order = marshal.loads(payload) if payload else {}
        if kind == b"I":
            config = order
            set_up(config)
            limits = Limits(config)
            send(b"k", limits.grouped.encode())
        elif kind == b"X":
            run(config, order, limits, start)
        elif kind == b"P":
            put(order)
        elif kind == b"G":
            get(order)
        elif kind == b"K":
            done, _ = sweep()
            limits.spare()
            send(b"k" if done else b"!", b"" if done else b"some processes could not be killed")
