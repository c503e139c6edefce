"""Agents and models: the tiny task in each sandbox, and an HTTP server that plays the model."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.fake_model import Answer, FakeModel, fake_model, said
from tests.harness.backends import Backend, have

from pae_harness import TrialResult, run_trial
from pae_harness.agents.model import AgentModel
from pae_harness.agents.naming import parse as parse_model
from pae_harness.judges import Spending
from pae_harness.sandbox.protocol import Sandbox
from pae_harness.solutions import parse
from pae_harness.tasks import Task

KEY = "sk-of-the-agent-0123456789"
# Asks for the fee's sentence as any client of OpenAI's API would, and writes what comes back.
ASK = """\
import json, os, urllib.request
def ask(text, path="/chat/completions", base=os.environ["OPENAI_BASE_URL"], **more):
    body = {"model": os.environ["OPENAI_MODEL"], "messages": [{"role": "user", "content": text}]}
    headers = {"content-type": "application/json",
               "authorization": "Bearer " + os.environ["OPENAI_API_KEY"]}
    request = urllib.request.Request(base + path, json.dumps(body | more).encode(), headers)
    return json.load(urllib.request.urlopen(request))
"""
NOTE = "/app/output/note.md"
Run = Callable[..., TrialResult]


@pytest.fixture(scope="session", params=["local", "docker"])
def backend(request: pytest.FixtureRequest) -> Backend:
    return have(request.param)


@pytest.fixture(scope="session")
def sandbox(backend: Backend) -> Sandbox:
    return backend.open()


@pytest.fixture(scope="session")
def local() -> Sandbox:
    """Where it makes no difference which box it is."""
    return have("local").open()


@pytest.fixture
def right(tiny: Task) -> Answer:
    """The reply that earns all: the fee of seed 1."""
    return said("The fee is $101.25.")


@pytest.fixture
def model(right: Answer) -> Iterator[FakeModel]:
    with fake_model(right) as server:
        yield server


@pytest.fixture
def run(tiny: Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run an agent on seed 1: a program for the box, or the source of a class ``Agent``."""
    monkeypatch.setenv("AGENT_API_KEY", KEY)
    monkeypatch.chdir(tmp_path)

    def trial(
        program: str = "",
        *,
        source: str = "",
        sandbox: Sandbox,
        model: FakeModel | None = None,
        spending: Spending | None = None,
        **options: object,
    ) -> TrialResult:
        folder = tmp_path / "agent"
        folder.mkdir(mode=0o755, exist_ok=True)
        (folder / "agent.py").write_text(ASK + program if model else program)
        (tmp_path / "some_agents.py").write_text(source)
        solution = (
            parse("some_agents:Agent")
            if source
            else parse("cmd:python3 -I /agent/agent.py", folder)
        )
        named = parse_model(f"fake-1@{model.url}") if model else None
        with AgentModel(named, spending) as agents:
            return run_trial(
                tiny,
                1,
                solution,
                sandbox=sandbox,
                model=agents,
                folder=tmp_path / "trial",
                **options,  # type: ignore[arg-type]
            )

    return trial


def steps(folder: Path) -> list[dict[str, object]]:
    """The steps of the trial's trajectory."""
    trajectory: list[dict[str, object]] = json.loads((folder / "trajectory.json").read_text())[
        "steps"
    ]
    return trajectory
