"""A recorded exchange answers again, with nobody asked."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.fake_model import Answer, FakeModel, completion
from tests.harness.broker.client import Client, request

from pae_harness.broker.broker import Broker
from pae_harness.broker.replay import Records
from pae_harness.errors import UsageError

Connect = Callable[..., Client]
TRIAL = "task/seed-1/oracle"


@contextmanager
def replayed(run: Path, trial: str, folder: Path) -> Iterator[Client]:
    """A client of a grant that answers ``trial`` from the records below ``run``."""
    records = Records(run)
    with Broker(None) as broker:
        folder.mkdir()
        terms = {"models": records.models(trial), "replay": records.of(trial)}
        with broker.grant(folder, **terms) as grant:  # type: ignore[arg-type]
            yield Client(grant, folder)


def keep(client: Client, run: Path, trial: str = TRIAL) -> None:
    """Put a client's records where the run at ``run`` has them."""
    (run / trial).mkdir(parents=True)
    shutil.copytree(client.folder / "judge", run / trial / "judge")
    (run / trial / "trial.json").write_text("{}")


def test_the_same_request_has_the_same_reply(
    connect: Connect, upstream: FakeModel, tmp_path: Path
) -> None:
    upstream.answers = [completion("first"), completion("second"), Answer(400, b'{"e": 1}')]
    client = connect()
    asked = [client.ask(), client.ask(), client.ask(request("another"))]
    keep(client, tmp_path / "run")
    with replayed(tmp_path / "run", TRIAL, tmp_path / "again") as other:
        again = [other.ask(), other.ask(), other.ask(request("another"))]
        assert [(h.status, h.json) for h in again] == [(h.status, h.json) for h in asked]
        assert [record["source"] for record in other.records()] == ["replay"] * 3
        assert other.grant.usage == {"judge_calls": 0, "judge_reused": 3}
    assert len(upstream.seen) == 3


def test_a_stream_is_replayed_as_one(connect: Connect, upstream: FakeModel, tmp_path: Path) -> None:
    events = (b"data: 1\n\n", b"data: [DONE]\n\n")
    upstream.answers = [Answer(pieces=events, headers={"content-type": "text/event-stream"})]
    client = connect()
    client.ask(stream=True)
    keep(client, tmp_path / "run")
    with replayed(tmp_path / "run", TRIAL, tmp_path / "again") as other:
        heard = other.ask(stream=True)
    assert (heard.body, heard.headers["content-type"]) == (b"".join(events), "text/event-stream")


def test_what_is_not_recorded_is_refused(
    connect: Connect, upstream: FakeModel, tmp_path: Path
) -> None:
    client = connect()
    client.ask()
    keep(client, tmp_path / "run")
    with replayed(tmp_path / "run", TRIAL, tmp_path / "again") as other:
        heard = other.ask(request("never asked"))
        assert (heard.status, heard.code) == (404, "not_recorded")
        assert other.ask({**request(), "model": "large"}).status == 403
    assert len(upstream.seen) == 1


def test_another_trial_s_record_serves_where_there_is_no_own(
    connect: Connect, upstream: FakeModel, tmp_path: Path
) -> None:
    upstream.answers = [completion("own"), completion("the other's")]
    for trial in (TRIAL, "task/seed-1/nop"):
        client = connect()
        client.ask()
        keep(client, tmp_path / "run", trial)
    texts = []
    for number, trial in enumerate((TRIAL, "task/seed-1/nop", "task/seed-9/cmd")):
        with replayed(tmp_path / "run", trial, tmp_path / str(number)) as other:
            texts.append(other.ask().text)
    assert texts == ["own", "the other's", "the other's"]


def test_an_answer_that_nobody_heard_is_none(
    connect: Connect, upstream: FakeModel, tmp_path: Path
) -> None:
    client = connect()
    client.ask()
    (path,) = client.folder.glob("judge/*.json")
    path.write_text(json.dumps({**json.loads(path.read_text()), "status": None}))
    keep(client, tmp_path / "run")
    with replayed(tmp_path / "run", TRIAL, tmp_path / "again") as other:
        assert other.ask().code == "not_recorded"


def test_an_answer_under_another_question_s_name_is_none(
    connect: Connect, upstream: FakeModel, tmp_path: Path
) -> None:
    client = connect()
    upstream.answers = [completion("no"), completion("yes")]
    client.ask()
    client.ask(request("Is it good?"))
    no, yes = sorted(client.folder.glob("judge/*.json"))
    no.write_bytes(yes.read_bytes())
    keep(client, tmp_path / "run")
    with replayed(tmp_path / "run", TRIAL, tmp_path / "again") as other:
        assert other.ask().code == "not_recorded"


def test_what_an_agent_left_is_no_record(connect: Connect, tmp_path: Path) -> None:
    client = connect()
    client.ask()
    run = tmp_path / "run"
    forged = run / TRIAL / "output" / "app" / "judge"
    shutil.copytree(client.folder / "judge", forged)
    (run / TRIAL / "trial.json").write_text("{}")
    with pytest.raises(UsageError, match="holds no records"):
        Records(run)


def test_the_model_is_the_run_s_own(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text('{"judge": {"name": "m@x", "model": "m"}}')
    assert Records(tmp_path).models(TRIAL) == ("m",)


def test_a_folder_without_records_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no records of a judge that is a model"):
        Records(tmp_path)
