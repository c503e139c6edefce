"""The broker itself: holds the key, opens a socket for each trial, and closes it again."""

from __future__ import annotations

import itertools
import shutil
import tempfile
from collections.abc import Callable, Coroutine, Iterator, Sequence
from concurrent.futures import Future, wait
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import cache as once
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from pae_harness.broker import control
from pae_harness.broker.app import App
from pae_harness.broker.conversation import Conversation, Known
from pae_harness.broker.exchange import Exchange
from pae_harness.broker.grant import Grant, Role
from pae_harness.broker.ledger import Ledger
from pae_harness.broker.server import LoopThread, SocketServer, listen
from pae_harness.broker.terms import Budget, Patience, Price, Sizes
from pae_harness.broker.upstream import Upstream
from pae_harness.errors import BrokerError
from pae_harness.scratch import scratch_prefix
from pae_verifiers.judge.records import FOLDER
from pae_verifiers.judge.redact import Redactor

if TYPE_CHECKING:
    from pae_verifiers.judge.models import Model


class Broker:
    """A context in which trials can be granted access to ``model``; safe to use from many threads.

    Without a ``model`` nothing is asked of anybody: grants answer from what is known already.
    """

    def __init__(
        self,
        model: Model | None,
        key: str = "",
        *,
        price: Price | None = None,
        patience: Patience | None = None,
        sizes: Sizes | None = None,
    ) -> None:
        self._model, self._key, self._price = model, key, price
        self._patience, self._sizes = patience or Patience(), sizes or Sizes()
        self._redactor = Redactor(key)
        self._upstream: Upstream | None = None
        self._numbers = itertools.count(1)
        self._stopping: list[Future[None]] = []

    def __repr__(self) -> str:
        return f"Broker({self._model})"

    def __enter__(self) -> Self:
        self._stack = ExitStack()
        # Only this user can come by the folder above, so that a socket in it can be open to all.
        try:
            self._folder = Path(tempfile.mkdtemp(prefix=scratch_prefix("broker")))
        except OSError as error:
            raise BrokerError(f"the broker cannot begin: {error}") from error
        self._stack.callback(shutil.rmtree, self._folder, ignore_errors=True)
        self._thread = LoopThread()
        self._stack.callback(self._thread.stop)
        if self._model is not None:
            self._upstream = upstream = self._thread.run(self._connect(self._model))
            self._stack.callback(self._disconnect, upstream)
        self._stack.callback(self._wait_for_servers)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _wait_for_servers(self) -> None:
        wait(self._stopping, timeout=5)

    def _disconnect(self, upstream: Upstream) -> None:
        with suppress(BrokerError):  # then it goes with the process
            self._thread.run(upstream.close())

    async def _connect(self, model: Model) -> Upstream:
        return Upstream(model, self._key, self._redactor, self._patience, self._sizes)

    @contextmanager
    def grant(
        self,
        folder: Path,
        role: Role = "judge",
        *,
        models: Sequence[str],
        budget: Budget | None = None,
        seconds: float | None = None,
        replay: Known | None = None,
        cache: Known | None = None,
    ) -> Iterator[Grant]:
        """Access for one trial, whose exchanges are kept in a folder below ``folder``.

        It ends after ``seconds``, by default the broker's own deadline. ``replay`` answers alone,
        ``cache`` what it can. Raises BrokerError where there can be no socket. In the end all that
        is under way is cancelled, and everything is recorded.
        """
        deadline = self._patience.deadline if seconds is None else seconds
        exchanges: list[Exchange] = []
        place = self._folder / str(next(self._numbers))
        converse = partial(
            Conversation,
            price=self._price,
            redactor=self._redactor,
            records=folder / (FOLDER if role == "judge" else role),
            exchanges=exchanges,
            light=role == "agent",
        )
        try:
            grant = Grant.prepare(place, models, role, exchanges)
            conversation = converse(
                upstream=None if replay else self._upstream,
                replay=replay,
                cache=cache,
                ledger=Ledger(budget or Budget(), self._price),
                seconds=deadline,
            )
            # A judge's verifier is the project's own; an agent is anybody's.
            offline = role == "agent"
            app = App(grant.token, models, conversation, self._sizes, offline=offline)
            server = SocketServer(app, listen(place), self._sizes.connections)
        except OSError as error:
            shutil.rmtree(place, ignore_errors=True)
            raise BrokerError(f"the broker cannot open a socket: {error}") from error
        try:
            self._thread.run(_open(conversation, server))
            end = partial(_end, app, server)
            yield replace(grant, _trouble=once(partial(self._trouble, end, exchanges, converse)))
        finally:
            try:
                self._thread.run(_end(app, server))
            finally:
                with suppress(BrokerError):
                    self._stopping.append(self._thread.start(server.stop()))
                grant.remove()

    def _trouble(
        self,
        end: Callable[[], Coroutine[Any, Any, None]],
        exchanges: Sequence[Exchange],
        converse: Callable[..., Conversation],
    ) -> str:
        model, upstream = self._model, self._upstream
        if model is None or upstream is None:
            return ""
        patience, pause = control.brief(self._patience), self._patience.longest_wait

        def begin() -> Conversation:
            return converse(
                upstream=upstream.with_patience(patience),
                replay=None,
                cache=None,
                ledger=Ledger(Budget(), None),
                seconds=patience.deadline,
                asking="control",
            )

        async def ask() -> str:
            await end()
            return await control.trouble(exchanges, begin, model, pause)

        longest = control.ROUNDS * (patience.deadline + pause)
        return self._redactor.text(self._thread.run(ask(), longest))


async def _end(app: App, server: SocketServer) -> None:
    server.hear_no_more()
    await app.end()


async def _open(conversation: Conversation, server: SocketServer) -> None:
    conversation.begin()
    await server.start()
