"""A grant: a folder for one box, with a socket that is there as long as the trial."""

from __future__ import annotations

import stat
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.fake_model import KEY, Answer, FakeModel
from tests.harness.broker.client import Client, until

from pae_harness.broker.broker import Broker
from pae_harness.broker.server import listen

Connect = Callable[..., Client]


def test_a_box_finds_what_it_needs_in_its_environment(connect: Connect) -> None:
    grant = connect().grant
    assert grant.env == {
        "JUDGE_API_KEY": grant.token,
        "JUDGE_BASE_URL": "unix:///broker/broker.sock",
        "JUDGE_MODEL": "small",
    }
    assert (grant.mount.source, grant.mount.target) == (grant.folder, "/broker")


def test_every_grant_has_its_own_token(connect: Connect) -> None:
    tokens = {connect().grant.token for _ in range(3)}
    assert len(tokens) == 3
    assert all(len(token) >= 40 and token.startswith("pae-") for token in tokens)


def test_other_users_of_the_host_cannot_come_by_it(connect: Connect) -> None:
    folder = connect().grant.folder
    assert stat.S_IMODE(folder.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(folder.stat().st_mode) == 0o755
    assert stat.S_IMODE((folder / "broker.sock").stat().st_mode) == 0o666
    assert [path.name for path in folder.iterdir()] == ["broker.sock"]


def test_nothing_of_it_stays(upstream: FakeModel, tmp_path: Path) -> None:
    with Broker(upstream.model, KEY) as broker:
        with broker.grant(tmp_path, models=["small"]) as grant:
            folder = grant.folder
            assert folder.is_dir()
        assert not folder.exists()
        assert folder.parent.is_dir()
    assert not folder.parent.exists()


def test_what_is_under_way_at_the_end_is_cancelled_and_recorded(
    upstream: FakeModel, tmp_path: Path
) -> None:
    upstream.answers = [Answer(hold=threading.Event())]
    with Broker(upstream.model, KEY) as broker, ThreadPoolExecutor(1) as pool:
        with broker.grant(tmp_path, models=["small"]) as grant:
            asked = pool.submit(Client(grant, tmp_path).ask)
            until(lambda: upstream.seen)
        assert len(list(tmp_path.glob("judge/*.json"))) == 1
        assert len(grant.exchanges) == 1
        assert asked.result().status == 503
    assert upstream.left.wait(20)


def test_grants_live_side_by_side(connect: Connect, upstream: FakeModel, tmp_path: Path) -> None:
    with Broker(upstream.model, KEY) as broker, ThreadPoolExecutor(8) as pool:

        def trial(number: int) -> int:
            folder = tmp_path / str(number)
            folder.mkdir()
            with broker.grant(folder, models=["small"]) as grant:
                return Client(grant, folder).ask().status

        assert list(pool.map(trial, range(24))) == [200] * 24
    assert len(upstream.seen) == 24


def test_a_socket_can_be_in_a_folder_whose_path_is_too_long_for_its_address(
    tmp_path: Path,
) -> None:
    deep = tmp_path / ("d" * 100) / ("e" * 100)
    deep.mkdir(parents=True)
    with listen(deep):
        assert (deep / "broker.sock").is_socket()


def test_an_error_within_a_trial_ends_its_grant(upstream: FakeModel, tmp_path: Path) -> None:
    with Broker(upstream.model, KEY) as broker:
        with (
            pytest.raises(RuntimeError, match="the trial failed"),
            broker.grant(tmp_path, models=["small"]) as grant,
        ):
            raise RuntimeError("the trial failed")
        assert not grant.folder.exists()
