"""One event loop in a thread of its own, and one HTTP server per Unix socket on it."""

from __future__ import annotations

import asyncio
import os
import socket
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from pae_harness.broker.app import App
from pae_harness.broker.grant import SOCKET
from pae_harness.errors import BrokerError

_LONGEST = 100  # what a socket's address has room for, and a little less
_SECONDS = 60.0  # boxes may keep the loop busy for some, and none of them is to gain by it
_READ = 8192  # bytes taken in at once: in chunks of one byte they cost 30 ms
T = TypeVar("T")


class LoopThread:
    """An event loop that runs until ``stop``."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="pae-broker", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        self.loop.run_forever()
        left = asyncio.all_tasks(self.loop)
        for task in left:
            task.cancel()
        self.loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
        self.loop.run_until_complete(self.loop.shutdown_asyncgens())
        self.loop.close()

    def start(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Begin ``work`` on the loop, from any thread. Raises BrokerError where it has ended."""
        if not self._thread.is_alive():
            work.close()
            raise BrokerError("the broker has ended")
        return asyncio.run_coroutine_threadsafe(work, self.loop)

    def run(self, work: Coroutine[Any, Any, T], seconds: float = 0.0) -> T:
        """Do ``work``, which takes ``seconds`` by itself, and wait.

        Raises BrokerError where the loop does not get to it.
        """
        future = self.start(work)
        longest = seconds + _SECONDS
        try:
            return future.result(longest)
        except TimeoutError:
            future.cancel()
            raise BrokerError(f"the broker did not answer for {longest:g} s") from None

    def stop(self) -> None:
        """End the loop, once what it is at lets it; safe to call twice."""
        with suppress(RuntimeError):  # it has ended already
            self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(_SECONDS)


def listen(folder: Path) -> socket.socket:
    """A socket in ``folder`` that anybody who comes to it may connect to."""
    sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    path = folder / SOCKET
    try:
        if len(os.fsencode(path)) <= _LONGEST:
            sock.bind(str(path))
        else:
            # An address has 107 bytes: this one leads there by a shorter way.
            here = os.open(folder, os.O_PATH | os.O_DIRECTORY)
            try:
                sock.bind(f"/proc/self/fd/{here}/{SOCKET}")
            finally:
                os.close(here)
        path.chmod(0o666)  # the box's user is another one; who comes by the host is kept out above
    except BaseException:
        sock.close()
        raise
    return sock


class SocketServer:
    """HTTP on a socket, from ``start`` until ``stop``; both on the loop's thread."""

    def __init__(self, app: App, sock: socket.socket, connections: int) -> None:
        config = uvicorn.Config(
            app,
            http=_bounded(lambda: 0 if self._ended else connections),
            ws="none",
            lifespan="off",
            loop="none",
            log_config=None,
            log_level="critical",
            access_log=False,
            server_header=False,
            date_header=False,
            timeout_graceful_shutdown=1,
        )
        self._server, self._socket = uvicorn.Server(config), sock
        self._ended = False
        self._serving: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self._serving = asyncio.create_task(self._serve())
        while not self._server.started:
            if self._serving.done():
                self._serving.result()
                raise BrokerError("the broker's server ended before it began")
            await asyncio.sleep(0)

    async def _serve(self) -> None:
        with self._socket:
            await self._server.serve(sockets=[self._socket])

    def hear_no_more(self) -> None:
        """Take no connection and read nothing more; what is asked can still be answered."""
        self._ended = True
        for transport in self._transports():
            transport.pause_reading()

    async def stop(self) -> None:
        self._server.should_exit = True
        if self._serving is not None:
            await self._serving
        for transport in self._transports():
            transport.abort()

    def _transports(self) -> list[asyncio.Transport]:
        return [connection.transport for connection in self._server.server_state.connections]


def _bounded(connections: Callable[[], int]) -> type[H11Protocol]:
    """The protocol, for so many connections at once: each costs this process a descriptor.

    It reads little at a time, so that the loop comes round to all.
    """

    class Bounded(H11Protocol, asyncio.BufferedProtocol):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            self._taken = bytearray(_READ)
            if len(self.connections) >= connections():
                self.transport = transport
                transport.abort()
                return
            super().connection_made(transport)

        def get_buffer(self, sizehint: int) -> bytearray:
            return self._taken

        def buffer_updated(self, nbytes: int) -> None:
            self.data_received(bytes(self._taken[:nbytes]))

    return Bounded
