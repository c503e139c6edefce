"""``pae export harbor``: what an exported task folder holds, and where nothing secret may lie."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from pae_harness.main import main
from pae_harness.tasks.digests import tree_digest

WHEELS = ("--wheels", "3.11-x86_64")
STOCK = "python:3.12-slim-bookworm"


@pytest.fixture
def suite(tiny_suite: Path) -> Path:
    """The tiny suite with conventions, a receipt, and a further file of its oracle."""
    (tiny_suite / "tasks" / "CONVENTIONS.md").write_text("Numbers are dollars.\n")
    oracle = tiny_suite / "oracles" / "tiny-note"
    (oracle / "receipt.json").write_text("{}")
    (oracle / "note.py").write_text("print('a part of it')\n")
    return tiny_suite


def export(suite: Path, folder: Path, *more: str, wheels: tuple[str, ...] = WHEELS) -> int:
    tasks = ("--tasks", str(suite / "tasks"), "--sandbox", "local")
    return main(["export", "harbor", str(folder), *tasks, *wheels, *more])


def exported(suite: Path, folder: Path, *more: str) -> Path:
    """The folder of the tiny task's seed 1."""
    assert export(suite, folder, "-q", "-s", "1", *more) == 0
    return folder / "tiny-note-seed-1"


def record(task: Path) -> dict[str, Any]:
    return tomllib.loads((task / "task.toml").read_text())


def files(folder: Path) -> set[str]:
    return {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}


def test_there_is_a_folder_per_task_and_seed(
    suite: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert export(suite, tmp_path / "out", "-s", "1-2") == 0
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == [
        "tiny-note-seed-1",
        "tiny-note-seed-2",
    ]
    assert "2 tasks for Harbor" in capsys.readouterr().out


def test_a_folder_is_a_whole_task_of_harbors(suite: Path, tmp_path: Path) -> None:
    task = exported(suite, tmp_path / "out")
    assert files(task) >= {
        "task.toml",
        "instruction.md",
        "environment/Dockerfile",
        "environment/docker-compose.yaml",
        "environment/fixtures/app/data/results.json",
        "solution/solve.sh",
        "solution/note.py",
        "tests/Dockerfile",
        "tests/docker-compose.yaml",
        "tests/test.sh",
        "tests/task/verifier.yaml",
        "tests/task/rules.py",
        "tests/fixtures/app/data/results.json",
        "tests/verifier/requirements.txt",
        "tests/verifier/pae_verifiers/__main__.py",
        "tests/verifier/pae_schemas/facts.schema.json",
    }


def test_the_record_is_harbors_with_a_verifier_of_its_own(suite: Path, tmp_path: Path) -> None:
    found = record(exported(suite, tmp_path / "out"))
    assert found["schema_version"] == "1.4"
    assert found["artifacts"] == ["/app/output/note.md"]
    assert found["task"]["name"] == "tests/tiny-note-seed-1"
    assert found["metadata"]["category"] == "quant-finance"
    own = found["metadata"]["pae"]
    assert (own["theme"], own["seed"], own["judge"]) == ("Test", 1, "rules, a stand-in")
    assert found["agent"] == {"timeout_sec": 20.0}
    assert found["verifier"] == {
        "timeout_sec": 60.0,
        "environment_mode": "separate",
        "env": {"JUDGE_API_KEY": "${JUDGE_API_KEY:-}", "PAE_JUDGE": "rules"},
    }
    assert found["environment"] == {
        "build_timeout_sec": 60.0,
        "cpus": 1,
        "memory_mb": 256,
        "storage_mb": 64,
    }


def test_a_variable_without_a_default_gets_one(suite: Path, tmp_path: Path) -> None:
    path = suite / "tasks" / "tiny-note" / "task.toml"
    path.write_text(path.read_text().replace("${JUDGE_API_KEY:-}", "${JUDGE_API_KEY}"))
    found = record(exported(suite, tmp_path / "out"))
    assert found["verifier"]["env"]["JUDGE_API_KEY"] == "${JUDGE_API_KEY:-}"


def test_the_instruction_has_the_conventions(suite: Path, tmp_path: Path) -> None:
    task = exported(suite, tmp_path / "out")
    text = (task / "instruction.md").read_text()
    assert text.endswith("\n\nNumbers are dollars.\n")
    assert (task / "environment" / "fixtures" / "app" / "instruction.md").read_text() == text


def test_each_seed_has_its_own_data_and_the_verifier_a_copy(suite: Path, tmp_path: Path) -> None:
    assert export(suite, tmp_path / "out", "-q", "-s", "1,3") == 0
    for seed, fee in ((1, 101.25), (3, 103.25)):
        for half in ("environment", "tests"):
            place = tmp_path / "out" / f"tiny-note-seed-{seed}" / half / "fixtures"
            data = json.loads((place / "app" / "data" / "results.json").read_text())
            assert data == {"fee_usd": fee}


def test_nothing_that_decides_lies_where_an_agent_sees_it(suite: Path, tmp_path: Path) -> None:
    task = exported(suite, tmp_path / "out")
    assert files(task / "environment") == {
        "Dockerfile",
        "docker-compose.yaml",
        "fixtures/app/data/results.json",
        "fixtures/app/instruction.md",
    }


def test_neither_generator_nor_traps_are_exported_at_all(suite: Path, tmp_path: Path) -> None:
    task = exported(suite, tmp_path / "out")
    assert files(task / "solution") == {"solve.sh", "note.py"}
    assert not [name for name in files(task) if re.search(r"generate|trap(?!s\.schema)", name)]
    assert "traps" not in (task / "task.toml").read_text()


def test_no_box_and_no_build_has_a_network(suite: Path, tmp_path: Path) -> None:
    task = exported(suite, tmp_path / "out")
    offline = (
        "services:\n  main:\n    init: true\n    network_mode: none\n"
        "    build:\n      network: none\n"
    )
    for half in ("environment", "tests"):
        assert (task / half / "docker-compose.yaml").read_text() == offline
    # Harbor's own mode needs two images from a registry.
    assert "network_mode" not in (task / "task.toml").read_text()


def test_a_task_that_builds_with_a_network_still_does(suite: Path, tmp_path: Path) -> None:
    path = suite / "tasks" / "tiny-note" / "task.toml"
    path.write_text(path.read_text() + 'build_network_mode = "public"\n')
    task = exported(suite, tmp_path / "out")
    overlay = (task / "environment" / "docker-compose.yaml").read_text()
    assert overlay == "services:\n  main:\n    init: true\n    network_mode: none\n"


def test_a_model_as_judge_gives_the_verifier_alone_a_network(suite: Path, tmp_path: Path) -> None:
    task = exported(suite, tmp_path / "out", "--judge", "gpt-9@https://judge.example/v1")
    assert record(task)["verifier"]["env"] == {
        "PAE_JUDGE": "model",
        "JUDGE_MODEL": "gpt-9",
        "JUDGE_BASE_URL": "https://judge.example/v1",
        "JUDGE_API_KEY": "${JUDGE_API_KEY:-}",
    }
    assert "network_mode: none" in (task / "environment" / "docker-compose.yaml").read_text()
    assert (task / "tests" / "docker-compose.yaml").read_text() == (
        "services:\n  main:\n    init: true\n    build:\n      network: none\n"
    )


def test_no_key_is_ever_written(
    suite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUDGE_API_KEY", "sk-very-secret")
    task = exported(suite, tmp_path / "out", "--judge", "gpt-9@openai")
    assert not [p for p in task.rglob("*") if p.is_file() and b"sk-very" in p.read_bytes()]


def test_the_images_are_built_on_the_image_that_was_named(suite: Path, tmp_path: Path) -> None:
    task = exported(suite, tmp_path / "out", "--base-image", "corp/python:7")
    for half in ("environment", "tests"):
        lines = (task / half / "Dockerfile").read_text().splitlines()
        assert [line for line in lines if line.startswith("ARG")] == [
            "ARG BASE_IMAGE=corp/python:7"
        ]


def test_the_agents_image_has_data_and_the_outputs_folder(suite: Path, tmp_path: Path) -> None:
    dockerfile = suite / "tasks" / "tiny-note" / "environment" / "Dockerfile"
    dockerfile.write_text(dockerfile.read_text() + 'ENTRYPOINT ["sleep"]\n')
    task = exported(suite, tmp_path / "out")
    assert (task / "environment" / "Dockerfile").read_text() == (
        f"ARG BASE_IMAGE={STOCK}\nFROM ${{BASE_IMAGE}}\n"
        'ENTRYPOINT ["sleep"]\nUSER root\nCOPY fixtures/ /\nRUN mkdir -p /app/output\n'
        "WORKDIR /app\nENTRYPOINT []\n"
    )


def test_software_of_the_tasks_own_comes_along(suite: Path, tmp_path: Path) -> None:
    environment = suite / "tasks" / "tiny-note" / "environment"
    (environment / "tool").mkdir()
    (environment / "tool" / "words.txt").write_text("one\n")
    with (environment / "Dockerfile").open("a") as file:
        file.write("COPY tool/ /opt/tool/\n")
    task = exported(suite, tmp_path / "out")
    assert (task / "environment" / "tool" / "words.txt").read_text() == "one\n"


def test_the_verifier_brings_its_wheels(suite: Path, tmp_path: Path) -> None:
    task = exported(suite, tmp_path / "out")
    wheels = {p.parent.name: p for p in (task / "tests" / "verifier").rglob("*.whl")}
    assert set(wheels) == {"any", "cp311-x86_64"}


def test_a_folder_of_wheels_a_target(suite: Path, tmp_path: Path) -> None:
    both = ("--wheels", "3.11-x86_64,3.12-x86_64")
    assert export(suite, tmp_path / "out", "-q", "-s", "1", wheels=both) == 0
    house = tmp_path / "out" / "tiny-note-seed-1" / "tests" / "verifier" / "wheelhouse"
    assert {p.name for p in house.iterdir()} == {"any", "cp311-x86_64", "cp312-x86_64"}
    names = [p.name for p in house.rglob("*.whl")]
    assert len(names) == len(set(names))


def test_the_bytes_are_the_same_every_time(suite: Path, tmp_path: Path) -> None:
    first = exported(suite, tmp_path / "first")
    assert tree_digest(first) == tree_digest(exported(suite, tmp_path / "second"))


def test_as_json(suite: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    task = exported(suite, tmp_path / "out", "--json")
    shown = capsys.readouterr()
    assert json.loads(shown.out) == {
        "judge": "rules",
        "base_image": STOCK,
        "tasks": [{"task": "tiny-note", "seed": 1, "path": str(task), "digest": tree_digest(task)}],
    }
    assert shown.err == ""


@pytest.mark.parametrize("kind", ["folder", "file"])
def test_what_is_there_is_never_written_over(
    suite: Path, tmp_path: Path, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    mine = out / "mine" if kind == "folder" else out
    mine.parent.mkdir(exist_ok=True)
    mine.write_text("kept")
    assert export(suite, out) == 2
    assert f"{out} already holds something" in capsys.readouterr().err
    assert mine.read_text() == "kept"


MISTAKES = [
    (("--judge", "gpt-9"), "no model: give NAME@PROVIDER"),
    (("--judge", "qwen@ollama"), "http://127.0.0.1:11434/v1 is this machine's loopback"),
    (("--base-image", "a b"), "'a b' cannot be an image's name"),
    (("--wheels", "312"), "'312' is not of the form 3.12-x86_64"),
    (("--wheels", "3.9-x86_64"), "there is no verifier for Python 3.9 on x86_64"),
    (("-s", "5-1"), "counts down"),
]


@pytest.mark.parametrize(("more", "sentence"), MISTAKES, ids=[m[1] for m in MISTAKES])
def test_each_mistake_is_a_sentence_and_writes_nothing(
    suite: Path,
    tmp_path: Path,
    more: tuple[str, ...],
    sentence: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    wheels = () if "--wheels" in more else WHEELS
    assert export(suite, tmp_path / "out", *more, wheels=wheels) == 2
    assert sentence in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_another_harness_is_not_known(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "harbour", str(tmp_path / "out")]) == 2
    assert capsys.readouterr().err == ("pae: there is no export 'harbour'; did you mean harbor?\n")


def test_a_broken_task_is_exported_nowhere(suite: Path, tmp_path: Path) -> None:
    (suite / "tasks" / "tiny-note" / "instruction.md").unlink()
    assert export(suite, tmp_path / "out") == 2
    assert not (tmp_path / "out").exists()


def test_a_task_that_is_harbors_needs_no_export(
    greet: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", "harbor", str(tmp_path / "out"), str(greet)]) == 2
    assert f"{greet} is a Harbor task already" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
