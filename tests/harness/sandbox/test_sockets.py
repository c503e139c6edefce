"""A Unix socket in a mounted folder: the one thing outside that an offline box can be let reach."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pae_harness.sandbox.protocol import Box, Mount

Start = Callable[..., Box]

ASK = (
    "import socket; s = socket.socket(socket.AF_UNIX); s.settimeout(20); "
    "s.connect('/broker/broker.sock'); s.sendall(b'hello'); print(s.recv(99).decode())"
)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder with a socket that answers, behind one that only this user may enter."""
    private = tmp_path / "private"
    private.mkdir(mode=0o700)
    folder = private / "1"
    folder.mkdir()
    folder.chmod(0o755)
    with socket.socket(socket.AF_UNIX) as listener:
        here = os.open(folder, os.O_PATH)
        listener.bind(f"/proc/self/fd/{here}/broker.sock")
        os.close(here)
        (folder / "broker.sock").chmod(0o666)
        listener.listen()
        thread = threading.Thread(target=_serve, args=(listener,))
        thread.start()
        yield folder
        listener.shutdown(socket.SHUT_RDWR)
        thread.join()


def _serve(listener: socket.socket) -> None:
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        with connection:
            connection.sendall(b"heard " + connection.recv(99))


def _with(start: Start, folder: Path) -> Box:
    return start(mounts=(Mount(folder, "/broker"),))


def test_a_box_reaches_a_socket_in_a_mounted_folder(start: Start, folder: Path) -> None:
    done = _with(start, folder).exec(["python3", "-I", "-c", ASK], timeout=60)
    assert (done.exit_code, done.stdout) == (0, b"heard hello\n"), done.stderr


def test_a_socket_that_is_made_anew_is_reached_too(start: Start, folder: Path) -> None:
    box = _with(start, folder)
    (folder / "broker.sock").unlink()
    here = os.open(folder, os.O_PATH)
    with socket.socket(socket.AF_UNIX) as other:
        other.bind(f"/proc/self/fd/{here}/broker.sock")
        os.close(here)
        (folder / "broker.sock").chmod(0o666)
        other.listen()
        thread = threading.Thread(target=_serve, args=(other,))
        thread.start()
        done = box.exec(["python3", "-I", "-c", ASK], timeout=60)
        other.shutdown(socket.SHUT_RDWR)
        thread.join()
    assert (done.exit_code, done.stdout) == (0, b"heard hello\n"), done.stderr


@pytest.mark.parametrize(
    "attempt",
    [
        "touch /broker/new",
        "rm -f /broker/broker.sock",
        "mv /broker/broker.sock /broker/other",
        "mv /broker /other",
        "chmod 777 /broker",
        "chmod 600 /broker/broker.sock",
        "ln -s /tmp /broker/link",
        "python3 -Ic \"import socket; socket.socket(1).bind('/broker/mine.sock')\"",
    ],
)
def test_a_box_changes_nothing_in_that_folder(start: Start, folder: Path, attempt: str) -> None:
    box = _with(start, folder)
    assert box.exec(["sh", "-c", attempt], timeout=60).exit_code != 0
    assert [path.name for path in folder.iterdir()] == ["broker.sock"]
    assert (folder / "broker.sock").stat().st_mode & 0o777 == 0o666


def test_nothing_else_is_reachable_beside_it(start: Start, folder: Path) -> None:
    """Neither a TCP port of the host, nor an abstract socket, nor another host."""
    with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(socket.AF_UNIX) as abstract:
        name = f"\0pae-test-{os.getpid()}"
        abstract.bind(name)
        abstract.listen()
        program = (
            "import socket\n"
            f"places = [(2, ('127.0.0.1', {tcp.getsockname()[1]})), (1, {name!r}),\n"
            "          (2, ('192.0.2.1', 80)), (10, ('::1', 80))]\n"
            "for family, place in places:\n"
            "    s = socket.socket(family)\n"
            "    s.settimeout(5)\n"
            "    try: s.connect(place); print('reached', place)\n"
            "    except OSError as error: print('refused')\n"
            "print(sorted(name for _, name in socket.if_nameindex()))\n"
        )
        done = _with(start, folder).exec(["python3", "-I", "-c", program], timeout=60)
    assert done.stdout.decode().splitlines() == [*["refused"] * 4, "['lo']"], done.stderr
