"""The model that the agents of a run may ask: which, with whose key, and for how much."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from pae_harness.agents.model_access import FORWARDER, ModelAccess
from pae_harness.errors import UsageError
from pae_harness.judges import Spending, key_of

if TYPE_CHECKING:
    from pae_harness.broker.broker import Broker
    from pae_verifiers.judge.models import Model

RECORDS = "agent"  # the folder of a trial's exchanges


class AgentModel:
    """A context in which trials' agents are given ``model``; safe to use from several threads.

    Without a model there is no broker, and every access is None.
    """

    def __init__(self, model: Model | None = None, spending: Spending | None = None) -> None:
        self.model, self._spending = model, spending or Spending()
        self._broker: Broker | None = None
        self._key = ""

    @property
    def name(self) -> str:
        """As asked for, ``NAME@PROVIDER``, or empty."""
        return str(self.model) if self.model else ""

    def require(self, environ: Mapping[str, str] = os.environ) -> None:
        """Find the key and the price. Raises UsageError where one is missing."""
        if self.model is None:
            return
        if sys.platform != "linux":
            raise UsageError("--model needs Linux: no socket of this machine can be in a box here")
        self._key = key_of(self.model, environ)
        self._spending.require_price(self.model.name)

    def __enter__(self) -> Self:
        self._stack = ExitStack()
        if self.model is not None:
            from pae_harness.broker.broker import Broker

            self.require()
            price = self._spending.price(self.model.name)
            self._broker = self._stack.enter_context(Broker(self.model, self._key, price=price))
        return self

    def __exit__(self, *_: object) -> None:
        self._broker = None
        self._stack.close()

    @contextmanager
    def access(self, folder: Path, seconds: float) -> Iterator[ModelAccess | None]:
        """Access for one trial, kept below ``folder``. Raises BrokerError where there can be none.

        Its time begins now; ``seconds`` are those of the agent, and some for its box to start.
        """
        if self._broker is None or self.model is None:
            yield None
            return
        with self._broker.grant(
            folder,
            "agent",
            models=(self.model.name,),
            budget=self._spending.budget(),
            seconds=seconds,
        ) as grant:
            forwarder = grant.folder / FORWARDER
            shutil.copyfile(Path(__file__).with_name(FORWARDER), forwarder)
            forwarder.chmod(0o644)
            yield ModelAccess(grant)

    def describe(self) -> dict[str, Any]:
        """What run.json says of it; nothing where there is none."""
        if self.model is None:
            return {}
        return {"name": self.name, **self._spending.describe(self.model)}
