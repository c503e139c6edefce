"""A judge at work: what each verifier's box is given so that it can ask, and what came of it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from pae_harness.errors import UsageError
from pae_harness.judges import Judge, Spending, key_of
from pae_harness.result import TrialKey
from pae_harness.sandbox.protocol import Mount

if TYPE_CHECKING:
    from pae_harness.broker.broker import Broker
    from pae_harness.broker.grant import Grant
    from pae_harness.broker.replay import Records

# The broker's deadline comes before the verifier's own, so that the verifier can say why.
_SHARE = 0.95
_BUSY = (408, 429)
# A model that nobody waits for: code decides what it can, and the rest stays open.
_NOBODY = {
    "PAE_JUDGE": "model",
    "JUDGE_MODEL": "off",
    "JUDGE_BASE_URL": "unix:///nowhere",
    "JUDGE_DEADLINE_SEC": "0.001",
}


@dataclass(frozen=True)
class Access:
    """What one verifier's box is given for its judge."""

    env: Mapping[str, str]
    mounts: tuple[Mount, ...] = ()
    off: bool = False  # there is nobody to ask: what a judge would decide is not measured
    grant: Grant | None = None

    @property
    def usage(self) -> Mapping[str, float]:
        """What was spent so far."""
        return {} if self.grant is None else self.grant.usage

    @property
    def out_of_reach(self) -> bool:
        """Whether the model gave no answer, or none but that it is busy or broken, the last time
        that it was asked."""
        last = self.grant.exchanges[-1:] if self.grant is not None else ()
        return any(
            exchange.source == "upstream"
            and (exchange.status is None or exchange.status in _BUSY or exchange.status >= 500)
            for exchange in last
        )


class Judging:
    """A context in which trials are judged by ``judge``; safe to use from several threads.

    ``again`` says that kept outputs are judged once more. A broker runs only for a judge that is a
    model, or a replay. Raises UsageError, before anything is started, where a key or a price is
    missing or there is nothing to replay.
    """

    def __init__(
        self, judge: Judge, spending: Spending | None = None, *, again: bool = False
    ) -> None:
        self.judge, self._spending = judge, spending or Spending()
        use = self._spending.cache
        self._reads_cache = use == "always" or (use == "auto" and again)
        self._broker: Broker | None = None
        self._records: Records | None = None
        self._key = ""

    @property
    def name(self) -> str:
        return self.judge.name

    def require(self, environ: Mapping[str, str] = os.environ) -> None:
        """Find the key, the price and the records. Raises UsageError where one is missing."""
        if self.judge.kind in ("model", "replay") and sys.platform != "linux":
            raise UsageError(
                "a judge that is a model needs Linux: no socket of this machine can be in its boxes"
            )
        if self.judge.records is not None:
            from pae_harness.broker.replay import Records

            self._records = Records(self.judge.records)
        if self.judge.model is not None:
            self._key = key_of(self.judge.model, environ)
            self._spending.require_price(self.judge.model.name)

    def __enter__(self) -> Self:
        self._stack = ExitStack()
        if self.judge.kind in ("model", "replay"):
            from pae_harness.broker.broker import Broker

            self.require()
            model = self.judge.model
            price = self._spending.price(model.name) if model else None
            self._broker = self._stack.enter_context(Broker(model, self._key, price=price))
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    @contextmanager
    def access(self, key: TrialKey, folder: Path, seconds: float) -> Iterator[Access]:
        """Access for the trial ``key``, whose folder is ``folder``, within ``seconds``.

        Raises BrokerError where there can be none.
        """
        if self._broker is None:
            off = self.judge.kind == "off"
            yield Access(_NOBODY if off else {"PAE_JUDGE": self.name}, off=off)
            return
        model, records = self.judge.model, self._records
        replay = cache = None
        if records is not None:
            replay = records.of(key.path)
        elif model is not None and self._reads_cache:
            from pae_harness.broker.reply_cache import ReplyCache

            cache = ReplyCache(model.base_url, key.attempt)
        models = (model.name,) if model else records.models(key.path) if records else ()
        limit = min(seconds * _SHARE, self._spending.seconds or seconds)
        with self._broker.grant(
            folder,
            models=models,
            budget=self._spending.budget(),
            seconds=limit,
            replay=replay,
            cache=cache,
        ) as grant:
            env = {
                **grant.env,
                "PAE_JUDGE": "model",
                "JUDGE_PROMPT": self.judge.prompt,
                "JUDGE_DEADLINE_SEC": f"{limit:g}",
            }
            yield Access(env, (grant.mount,), grant=grant)

    def accepted(self, key: TrialKey, access: Access, details: Mapping[str, Any]) -> None:
        """Keep for other runs what the trial's verifier accepted. Raises RunFolderError."""
        model = self.judge.model
        if access.grant is None or model is None or self._spending.cache == "never":
            return
        from pae_harness.broker.reply_cache import ReplyCache, accepted_requests

        cache = ReplyCache(model.base_url, key.attempt)
        cache.keep(access.grant.exchanges, accepted_requests(details))

    def describe(self) -> dict[str, Any]:
        """What run.json says of the judge. Raises UsageError for records that cannot be read."""
        told: dict[str, Any] = {"name": self.name, "stand_in": self.judge.stand_in}
        model = self.judge.model
        if self.judge.kind in ("model", "replay"):
            from pae_verifiers.judge.prompts import load

            told["prompt"] = {"name": self.judge.prompt, "digest": load(self.judge.prompt).digest}
        if model is not None:
            told |= self._spending.describe(model)
        if self.judge.records is not None:
            from pae_harness.broker.replay import Records

            self._records = self._records or Records(self.judge.records)
            kept = ("model", "base_url", "provider")
            recorded = self._records.judge
            told |= {name: recorded[name] for name in kept if name in recorded}
            told |= {"replays": str(self.judge.records), "replayed_judge": recorded.get("name")}
        return told
