"""Which judge a name stands for, and what is said where it stands for none."""

from __future__ import annotations

import json
import os
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path

import pytest
from tests.fake_model import fake_model, said

from pae_verifiers.errors import VerifierInputError
from pae_verifiers.judge.candidate import Candidate
from pae_verifiers.judge.model import ModelJudge
from pae_verifiers.judge.protocol import Judge
from pae_verifiers.judge.select import check, select
from pae_verifiers.numbers.markdown import render
from pae_verifiers.rubric.item import Item
from pae_verifiers.rubric.items import ItemsRubric
from pae_verifiers.rubric.model import Case

RUBRIC = ItemsRubric((Item("says_why", "required", "It says why.", weight=Fraction(1)),))
CASE = Case(Candidate(render("We sold because it drifted.\n")))
REPLY = {
    "criteria": [
        {"rubricId": "says_why", "passed": True, "rationale": "It does.", "evidence": ["because"]}
    ]
}


def chosen(name: str, **environ: str) -> Judge:
    return select(name, Path("nowhere"), RUBRIC, environ=environ)


@pytest.mark.parametrize(
    "name",
    ["rules", "model", "gm@openai", "a/b@http://h/v1", "litellm:x/y", "replay:runs/1"],
)
def test_a_name_that_can_stand_for_a_judge_is_let_through(name: str) -> None:
    check(name)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "oracle",
            "there is no judge 'oracle'; there is: rules, model, replay:DIR, litellm:MODEL, "
            "NAME@PROVIDER, NAME@BASE_URL",
        ),
        ("replay:", "there is no judge 'replay:'; there is: rules, "),
        ("gm@opnai", "'opnai' is neither a provider (openai, "),
        ("@openai", "'@openai' is no model: "),
    ],
)
def test_another_name_is_refused(name: str, message: str) -> None:
    with pytest.raises(VerifierInputError) as caught:
        check(name)
    assert str(caught.value).startswith(message)


def test_a_model_is_called_by_its_name_and_provider() -> None:
    judge = chosen("gm@openai", OPENAI_API_KEY="sk-0123456789")
    assert isinstance(judge, ModelJudge)
    assert (judge.name, judge.model, judge.prompt.name) == ("gm@openai", "gm", "hardened")


def test_the_environment_may_say_how_a_model_is_asked() -> None:
    judge = chosen("gm@ollama", JUDGE_PROMPT="guided")
    assert isinstance(judge, ModelJudge)
    assert judge.prompt.name == "guided"


def test_an_unknown_way_to_ask_is_refused() -> None:
    with pytest.raises(VerifierInputError, match="'gentle', not one of hardened, guided, seed"):
        chosen("gm@ollama", JUDGE_PROMPT="gentle")


def test_a_provider_that_wants_a_key_says_where_it_may_stand() -> None:
    with pytest.raises(VerifierInputError) as caught:
        chosen("gm@gemini")
    assert str(caught.value) == (
        "gm@gemini needs a key: set JUDGE_API_KEY or GEMINI_API_KEY or GOOGLE_API_KEY"
    )


def test_a_server_of_one_s_own_needs_none() -> None:
    assert chosen("qwen@ollama").name == "qwen@ollama"


def test_the_judge_s_own_key_goes_before_the_provider_s() -> None:
    with fake_model(said(REPLY)) as model:
        judge = chosen(f"gm@{model.url}", JUDGE_API_KEY="sk-judge-0123", OPENAI_API_KEY="sk-openai")
        assert judge.judge(RUBRIC, CASE).reply == REPLY
    assert judge.name == f"gm@{model.url}"
    assert model.seen[0].json["model"] == "gm"
    assert model.seen[0].headers["authorization"] == "Bearer sk-judge-0123"


def test_the_environment_may_name_model_address_and_key() -> None:
    with fake_model(said(REPLY)) as model:
        judge = chosen(
            "model", JUDGE_MODEL="gm", JUDGE_BASE_URL=model.url, JUDGE_API_KEY="token-01"
        )
        assert judge.judge(RUBRIC, CASE).reply == REPLY
    assert judge.name == f"gm@{model.url}"
    assert model.seen[0].headers["authorization"] == "Bearer token-01"


def test_the_address_may_be_a_broker_s_socket(tmp_path: Path) -> None:
    with fake_model(said(REPLY), at=tmp_path / "broker.sock") as model:
        judge = chosen("model", JUDGE_MODEL="gm@openai", JUDGE_BASE_URL=model.url)
        assert judge.judge(RUBRIC, CASE).reply == REPLY
    assert (judge.name, model.seen[0].json["model"]) == ("gm@openai", "gm")


def test_behind_a_socket_a_bare_name_is_enough(tmp_path: Path) -> None:
    judge = chosen("model", JUDGE_MODEL="gm", JUDGE_BASE_URL=f"unix://{tmp_path}/broker.sock")
    assert judge.name == "gm"


def test_the_environment_may_name_a_provider_instead_of_an_address() -> None:
    judge = chosen("model", JUDGE_MODEL="gm@openai", JUDGE_API_KEY="sk-0123456789")
    assert judge.name == "gm@openai"


def test_a_provider_s_own_key_is_not_sent_to_another_address() -> None:
    with fake_model(said(REPLY)) as model:
        judge = chosen(
            "model",
            JUDGE_MODEL="gm@openai",
            JUDGE_BASE_URL=model.url,
            OPENAI_API_KEY="sk-0123456789",
        )
        judge.judge(RUBRIC, CASE)
    assert judge.name == "gm@openai"
    assert "authorization" not in model.seen[0].headers


def test_an_environment_that_names_no_model_is_told_how() -> None:
    with pytest.raises(VerifierInputError) as caught:
        chosen("model", JUDGE_BASE_URL="http://127.0.0.1:1/v1")
    assert str(caught.value).startswith(
        "the judge 'model' is not named: set JUDGE_MODEL to NAME@PROVIDER (openai, "
    )


@pytest.mark.skipif(find_spec("litellm") is not None, reason="litellm is installed")
def test_litellm_is_asked_for_where_it_is_missing() -> None:
    with pytest.raises(VerifierInputError) as caught:
        chosen("litellm:bedrock/claude")
    assert "pip install 'portfolio-agent-evals[litellm]'" in str(caught.value)


# Replay


def record(path: Path, request: object, reply: object, status: int = 200) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    answer = {"text": reply} if isinstance(reply, str) else {"reply": reply}
    path.write_text(json.dumps({"request": request, "sha256": "wrong", "status": status, **answer}))


def recorded(folder: Path, *replies: object, model_name: str = "gm") -> list[object]:
    """Judge over HTTP with these replies, and keep the exchanges below ``folder``."""
    with fake_model(*(said(reply) for reply in replies)) as model:
        chosen(f"{model_name}@{model.url}").judge(RUBRIC, CASE)
    for number, (asked, reply) in enumerate(zip(model.seen, replies, strict=True)):
        record(folder / f"{number}.json", asked.json, json.loads(said(reply).body))
    return [asked.json for asked in model.seen]


def test_a_recorded_judgement_is_replayed_without_a_network(tmp_path: Path) -> None:
    recorded(tmp_path / "runs/a/task/seed-1/oracle/judge", "no JSON", REPLY)
    judge = chosen(f"replay:{tmp_path}")
    judgement = judge.judge(RUBRIC, CASE)
    assert (judge.name, judgement.reply) == ("gm@replay", REPLY)
    assert [a["purpose"] for a in judgement.record["attempts"]] == ["first", "repair"]


def test_a_pipe_among_the_records_holds_nothing_up(tmp_path: Path) -> None:
    recorded(tmp_path / "judge", REPLY)
    os.mkfifo(tmp_path / "judge/1.json")
    assert chosen(f"replay:{tmp_path}").judge(RUBRIC, CASE).reply == REPLY


def test_a_record_with_a_number_that_json_lacks_is_named(tmp_path: Path) -> None:
    record(tmp_path / "judge/0.json", {"temperature": float("nan")}, "yes")
    with pytest.raises(VerifierInputError, match=r"0\.json: no record of an exchange"):
        chosen(f"replay:{tmp_path}")


def test_a_completion_is_replayed_rather_than_the_failure_before_it(tmp_path: Path) -> None:
    (body,) = recorded(tmp_path / "judge", REPLY)
    record(tmp_path / "judge/9.json", body, {"error": {"message": "slow down"}}, 429)
    record(tmp_path / "judge/00.json", body, "<html>", 502)
    assert chosen(f"replay:{tmp_path}").judge(RUBRIC, CASE).reply == REPLY


def test_a_refused_parameter_is_replayed_too(tmp_path: Path) -> None:
    (body,) = recorded(tmp_path / "judge", REPLY)
    assert isinstance(body, dict)
    record(tmp_path / "judge/0.json", body, {"error": {"message": "no temperature"}}, 400)
    fewer = {key: value for key, value in body.items() if key != "temperature"}
    record(tmp_path / "judge/1.json", fewer, json.loads(said(REPLY).body))
    judgement = chosen(f"replay:{tmp_path}").judge(RUBRIC, CASE)
    assert (judgement.reply, judgement.record["dropped"]) == (REPLY, ["temperature"])


def test_a_request_that_nobody_recorded_leaves_no_score(tmp_path: Path) -> None:
    recorded(tmp_path / "judge", REPLY)
    other = Case(Candidate(render("We sold because it fell.\n")))
    judgement = chosen(f"replay:{tmp_path}").judge(RUBRIC, other)
    assert judgement.status == "quarantined"
    assert judgement.reason == (
        f"the judge gm@replay is unavailable: no exchange below {tmp_path} has this request: the "
        "document, the rubric, the prompt, the model or their settings are others"
    )


def test_of_several_recorded_models_one_must_be_named(tmp_path: Path) -> None:
    recorded(tmp_path / "a/judge", REPLY)
    recorded(tmp_path / "b/judge", REPLY, model_name="other")
    with pytest.raises(VerifierInputError) as caught:
        chosen(f"replay:{tmp_path}")
    assert str(caught.value) == (
        f"{tmp_path}: the models asked there are gm, other; set JUDGE_MODEL to one of them"
    )
    assert chosen(f"replay:{tmp_path}", JUDGE_MODEL="other@openai").name == "other@replay"


def test_only_files_in_folders_called_judge_are_records(tmp_path: Path) -> None:
    recorded(tmp_path / "verifier", REPLY)
    with pytest.raises(VerifierInputError, match="no recorded exchange is below it"):
        chosen(f"replay:{tmp_path}")


def test_nothing_that_an_agent_wrote_is_a_record(tmp_path: Path) -> None:
    trial = tmp_path / "task/seed-1/oracle"
    recorded(trial / "output/app/judge", REPLY)
    (trial / "trial.json").write_text("{}")
    with pytest.raises(VerifierInputError, match="no recorded exchange is below it"):
        chosen(f"replay:{tmp_path}")


def test_a_record_that_is_no_json_is_named(tmp_path: Path) -> None:
    (tmp_path / "judge").mkdir()
    (tmp_path / "judge/1.json").write_text("{")
    with pytest.raises(VerifierInputError, match=r"judge/1\.json: no record of an exchange"):
        chosen(f"replay:{tmp_path}")
