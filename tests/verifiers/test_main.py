"""The command that the box runs: files in, files out, exit status."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from tests.fake_model import Answer, FakeModel, fake_model, refused, said

from pae_verifiers.canonical import digest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.verifiers.conftest import Case

Edit = Callable[[str, str], None]


def command(
    case: Case, judge: str | None = None, **variables: str
) -> subprocess.CompletedProcess[str]:
    folders = {
        "--tests": case.tests,
        "--fixtures": case.fixtures,
        "--outputs": case.outputs,
        "--logs": case.logs,
    }
    arguments = [str(part) for pair in folders.items() for part in pair]
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PAE_J", "JUDGE_"))}
    environment |= variables
    return subprocess.run(
        [sys.executable, "-I", "-m", "pae_verifiers", *arguments],
        env=environment if judge is None else {**environment, "PAE_JUDGE": judge},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def written(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_reward_and_details_are_written(case: Case) -> None:
    done = command(case)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert written(case.logs) == ["details.json", "reward.json"]
    assert json.loads((case.logs / "reward.json").read_text()) == {
        "reward": 1.0,
        "numeric_consistency": 1.0,
        "judge_rubric": 1.0,
    }


def test_two_runs_write_the_same_bytes(case: Case) -> None:
    command(case)
    first = [(case.logs / name).read_bytes() for name in written(case.logs)]
    command(case, judge="rules")
    assert [(case.logs / name).read_bytes() for name in written(case.logs)] == first


def test_a_missing_document_is_a_reward_of_zero_and_no_failure(case: Case) -> None:
    case.memo.unlink()
    assert command(case).returncode == 0
    assert json.loads((case.logs / "reward.json").read_text())["reward"] == 0.0
    details = json.loads((case.logs / "details.json").read_text())
    assert details["reason"] == "there is no /app/output/memo.md"


def test_the_task_s_folders_are_left_as_they_were(case: Case) -> None:
    before = {path for path in case.root.rglob("*") if case.logs not in path.parents}
    command(case)
    after = {path for path in case.root.rglob("*") if case.logs not in path.parents}
    assert after - before == {case.logs}


@pytest.mark.parametrize(
    ("name", "old", "new", "sentence"),
    [
        ("verifier.yaml", "weight: 0.5", "weight: 0.6", "verifier.yaml:6: the weights sum to 1.1, "
         "not 1"),
        ("rubric.yaml", "weight: 0.5", "weight: 0.4", "rubric.yaml:3: the weights of the required "
         "items sum to 0.9, not 1"),
        ("facts.yaml", "facts:", "facts: [", "facts.yaml:3: not valid YAML: "),
        ("rules.py", "def says_why", "def says_y", "rules.py: there is no function "
         "says_why(candidate, facts)"),
        ("rules.py", "bool(found), ", "found[5], ", "rules.py: says_why raised IndexError: "),
    ],
)  # fmt: skip
def test_a_broken_task_is_one_sentence_and_no_reward(
    case: Case, name: str, old: str, new: str, sentence: str
) -> None:
    path = case.tests / name
    path.write_text(path.read_text().replace(old, new, 1))
    case.logs.mkdir()
    (case.logs / "reward.json").write_text('{"reward": 1.0}')  # as if left by someone
    done = command(case)
    assert done.returncode == 2
    assert done.stderr.startswith(f"pae_verifiers: {sentence}")
    assert done.stderr.count("\n") == 1
    assert written(case.logs) == []


def test_a_missing_source_is_the_task_s_fault(case: Case) -> None:
    (case.fixtures / "app/policy/ips.yaml").unlink()
    done = command(case)
    assert done.returncode == 2
    assert done.stderr.startswith("pae_verifiers: /app/policy/ips.yaml: cannot be read: ")


def test_a_broken_task_is_found_before_a_missing_document(case: Case) -> None:
    case.memo.unlink()
    (case.tests / "rules.py").write_text("says_why = polite = None\n")
    assert command(case).returncode == 2


def test_a_judge_that_there_is_not_is_one_sentence(case: Case) -> None:
    done = command(case, judge="some-model")
    assert done.returncode == 2
    assert done.stderr == (
        "pae_verifiers: there is no judge 'some-model'; there is: rules, model, replay:DIR, "
        "litellm:MODEL, NAME@PROVIDER, NAME@BASE_URL\n"
    )


# A model as the judge

REPLY = {
    "criteria": [
        {
            "rubricId": "says_why",
            "passed": True,
            "rationale": "A reason is given.",
            "evidence": ["because the mix had drifted"],
        },
        {"rubricId": "polite", "passed": False, "rationale": "No greeting.", "evidence": []},
        {"rubricId": "forecast", "passed": True, "rationale": "None.", "evidence": []},
    ]
}


def asking(model: FakeModel) -> dict[str, str]:
    return {"JUDGE_MODEL": "gm@openai", "JUDGE_BASE_URL": model.url, "JUDGE_API_KEY": "token"}


def test_a_model_judges_through_a_socket(case: Case) -> None:
    with fake_model(said(REPLY), at=case.root / "broker.sock") as model:
        done = command(case, judge="model", **asking(model))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert json.loads((case.logs / "reward.json").read_text()) == {
        "reward": 1.0,
        "numeric_consistency": 1.0,
        "judge_rubric": 1.0,
    }
    rubric = json.loads((case.logs / "details.json").read_text())["rubric"]
    assert rubric["judge"] == "gm@openai"
    assert rubric["judge_record"]["accepted"] == digest(model.seen[0].json)
    assert model.seen[0].headers["authorization"] == "Bearer token"


@pytest.mark.parametrize(
    ("reply", "sentence"),
    [
        (said("I think it is fine."), "the judge's reply cannot be used, nor its repair: the reply "
         "does not begin with a JSON object but with 'I think it is fine.'"),
        (refused("unknown token", 401), "the judge gm@openai is unavailable: HTTP 401: unknown "
         "token"),
    ],
)  # fmt: skip
def test_a_model_without_a_reply_of_use_leaves_details_and_no_reward(
    case: Case, reply: Answer, sentence: str
) -> None:
    with fake_model(reply) as model:
        done = command(case, judge="model", **asking(model))
    assert (done.returncode, done.stderr) == (3, f"pae_verifiers: quarantined: {sentence}\n")
    assert written(case.logs) == ["details.json"]
    details = json.loads((case.logs / "details.json").read_text())
    assert (details["status"], details["reason"]) == ("quarantined", sentence)
    assert details["not_measured"] == ["numeric_consistency", "judge_rubric"]
    assert details["numbers"]["numeric_consistency"] == 1.0


def test_a_broker_that_is_gone_leaves_no_reward(case: Case) -> None:
    address = f"unix://{case.root}/broker.sock"
    done = command(
        case, "model", JUDGE_MODEL="gm", JUDGE_BASE_URL=address, JUDGE_DEADLINE_SEC="0.2"
    )
    assert done.returncode == 3
    assert done.stderr == (
        f"pae_verifiers: quarantined: the judge gm is unavailable: {address} cannot be reached: "
        "[Errno 2] No such file or directory\n"
    )
    assert written(case.logs) == ["details.json"]


def test_a_zero_of_the_numbers_ends_it_without_a_call(
    case: Case, edit: Callable[[str, str], None]
) -> None:
    edit("$1,234.56", "$9,876.54")
    with fake_model(refused("broken", 500)) as model:
        done = command(case, judge="model", **asking(model))
    assert (done.returncode, model.seen) == (0, [])
    assert json.loads((case.logs / "reward.json").read_text()) == {
        "reward": 0.0,
        "numeric_consistency": 0.0,
    }


def test_a_model_that_is_not_named_is_found_before_anything_is_read(case: Case) -> None:
    case.memo.unlink()
    done = command(case, judge="model")
    assert done.returncode == 2
    assert done.stderr.startswith("pae_verifiers: the judge 'model' is not named: set JUDGE_MODEL")
    assert written(case.logs) == []


def test_a_task_s_reference_is_shown_to_the_model_alone(case: Case) -> None:
    (case.tests / "reference.md").write_text("What an expert would say.\n")
    with fake_model(said(REPLY)) as model:
        done = command(case, judge="model", **asking(model))
    assert done.returncode == 0
    assert "What an expert would say." in json.dumps(model.seen[0].json)
    assert "expert" not in (case.logs / "details.json").read_text()


def test_two_references_are_the_task_s_fault(case: Case) -> None:
    (case.tests / "reference.md").write_text("x")
    (case.tests / "reference.json").write_text("{}")
    done = command(case)
    assert (done.returncode, done.stderr) == (
        2,
        "pae_verifiers: there is one reference at most, not reference.json, reference.md\n",
    )


# What it costs


def test_heavy_packages_are_not_imported(case: Case) -> None:
    program = (
        "import sys; from pathlib import Path; from pae_verifiers.__main__ import run\n"
        f"root = Path({str(case.root)!r})\n"
        "score = run(root / 'tests', root / 'fixtures', root / 'outputs')\n"
        "assert score.reward == 1.0\n"
        "heavy = {'pint', 'jsonschema', 'httpx2', 'tenacity', 'rich', 'docker', 'asyncio', 'ssl'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"


def test_importing_the_package_imports_nothing_of_it() -> None:
    program = (
        "import sys, pae_verifiers; print(sorted(n for n in sys.modules if n.startswith('pae_')))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "['pae_verifiers']\n"
