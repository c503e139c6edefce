"""A broker between a real endpoint and a real Unix socket."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from tests.fake_model import KEY, FakeModel, fake_model
from tests.harness.broker.client import Client

from pae_harness.broker.broker import Broker
from pae_harness.broker.terms import Patience

QUICK = Patience(deadline=20, attempt=5, first_wait=0.001, longest_wait=0.01, attempts=4)


@pytest.fixture
def upstream() -> Iterator[FakeModel]:
    """The endpoint: its answers, and what it was asked."""
    with fake_model() as served:
        yield served


@pytest.fixture
def connect(upstream: FakeModel, tmp_path: Path) -> Iterator[Callable[..., Client]]:
    """Open a broker and a grant, and give a client of it; ``broker`` holds the broker's options."""
    with ExitStack() as stack:
        folders = iter(range(1, 100))

        def begin(broker: dict[str, Any] | None = None, **terms: Any) -> Client:
            options = {"key": KEY, "patience": QUICK, **(broker or {})}
            opened = stack.enter_context(Broker(upstream.model, **options))
            folder = tmp_path / f"trial-{next(folders)}"
            folder.mkdir()
            terms = {"models": ["small"], **terms}
            return Client(stack.enter_context(opened.grant(folder, **terms)), folder)

        yield begin
