"""A Harbor task's folder: what is read of it, and what is refused in one sentence."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.harness.harbor.conftest import DATA, edit

from pae_harness.errors import TaskError
from pae_harness.harbor.external_model import HarborTask, Healthcheck
from pae_harness.main import main
from pae_harness.sandbox.protocol import Limits
from pae_harness.tasks import Task, check, load
from pae_harness.tasks.external import is_external

TINY = DATA.parent / "tiny" / "tasks" / "tiny-note"


def loaded(folder: Path) -> HarborTask:
    task = load(folder)
    assert isinstance(task, HarborTask)
    return task


def test_a_harbor_task_is_told_from_one_of_this_suite(greet: Path, tiny: Task) -> None:
    assert is_external(greet)
    assert not is_external(TINY)
    (tiny.path / "tests" / "verifier.yaml").unlink()
    (tiny.path / "environment" / "generate.py").unlink()
    assert not is_external(tiny.path)  # a broken one of ours, not somebody else's


def test_the_limits_are_the_tasks(greet: Path, count_words: Path) -> None:
    assert loaded(greet).harbor.agent_limits == Limits(cpus=1, memory_mb=512, storage_mb=64)
    assert loaded(greet).agent_timeout_sec == 20.0
    edit(greet / "task.toml", "[agent]\ntimeout_sec = 20.0", "[agent]")
    edit(greet / "task.toml", 'memory = "512M"', 'memory = "2G"')
    assert loaded(greet).agent_timeout_sec == 3600.0
    assert loaded(greet).harbor.agent_limits.memory_mb == 2048


def test_the_tests_are_shared_unless_the_task_says_otherwise(
    greet: Path, count_words: Path
) -> None:
    assert (loaded(greet).harbor.shared, loaded(greet).harbor.bundled) == (True, False)
    separate = loaded(count_words).harbor
    assert (separate.shared, separate.bundled) == (False, True)
    assert separate.artifacts == ("/app/out/count.txt",)


def test_a_verifier_environment_means_separate(greet: Path) -> None:
    with (greet / "task.toml").open("a") as file:
        file.write("[verifier.environment]\nmemory_mb = 256\n")
    terms = loaded(greet).harbor
    assert (terms.shared, terms.bundled, terms.verifier_limits.memory_mb) == (False, False, 256)


def test_the_healthcheck(count_words: Path) -> None:
    assert loaded(count_words).harbor.healthcheck == Healthcheck(
        "test -s /app/data/text.txt", retries=2, interval=0.1
    )


def test_variables_are_settled_when_the_task_is_loaded(
    greet: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert loaded(greet).harbor.verifier_environment == {"WHOM": "world"}
    monkeypatch.setenv("GREET_WHOM", "moon")
    assert loaded(greet).harbor.verifier_environment == {"WHOM": "moon"}


def test_the_dockerfile_tells_where_work_begins(greet: Path) -> None:
    assert loaded(greet).harbor.agent.workdir == "/job"
    edit(greet / "task.toml", "cpus = 1", 'cpus = 1\nworkdir = "/elsewhere/"')
    assert loaded(greet).harbor.agent.workdir == "/elsewhere"


@pytest.mark.parametrize("version", ['schema_version = "1.0"', 'version = "1.0"', ""])
def test_every_version_1_is_read(greet: Path, version: str) -> None:
    edit(greet / "task.toml", 'schema_version = "1.2"', version)
    assert loaded(greet).name == "greet"


def test_a_key_that_means_nothing_here_means_nothing(greet: Path) -> None:
    edit(greet / "task.toml", "cpus = 1", "cpus = 1\nfuture = 3\ngpus = 0\nmcp_servers = []")
    assert check(greet) == []


TOML = [
    ('schema_version = "1.2"', 'schema_version = "2.0"', "1: schema_version must be of Harbor's"),
    ("cpus = 1", "cpus = 1\ngpus = 1", "the key 'gpus' in [environment] is not accepted: no box"),
    ("cpus = 1", 'cpus = 1\ntpu = {type = "v6e", topology = "2x4"}', "'tpu' in [environment] is"),
    ("cpus = 1", 'cpus = 1\nos = "Windows"', "every box here is a Linux one"),
    ("cpus = 1", 'cpus = 1\nnetwork_mode = "public"', "every box here is offline while it runs"),
    ("cpus = 1", 'cpus = 1\nnetwork_mode = "allowlist"', "every box here is offline"),
    ("cpus = 1", "cpus = 1\nallow_internet = true", "every box here is offline while it runs"),
    ("cpus = 1", 'cpus = 1\nmcp_servers = [{name = "x", url = "http://x"}]', "run no servers"),
    ("cpus = 1", 'cpus = 1\nskills_dir = "/skills"', "an agent brings its own folder"),
    ("timeout_sec = 20.0", 'timeout_sec = 20.0\nuser = "root"', "its own unprivileged user"),
    ("timeout_sec = 30.0", "timeout_sec = 30.0\nuser = 0", "its own unprivileged user"),
    ("timeout_sec = 20.0", "timeout_sec = 0", "agent.timeout_sec must be above 0, not 0"),
    ('"${GREET_WHOM:-world}"', '"${HOME_TOWN}"', "[verifier.env]: WHOM asks for HOME_TOWN"),
    ('"${GREET_WHOM:-world}"', '"${MY_API_KEY}"', "no box here is given a credential"),
    ('schema_version = "1.2"', 'artifacts = ["/etc/passwd"]', "lies where no box here can be"),
    ('schema_version = "1.2"', 'artifacts = ["/result.txt"]', "lies where no box here can be"),
    ('schema_version = "1.2"', 'artifacts = ["../x"]', "artifacts[0] must be a path without '..'"),
    (
        'schema_version = "1.2"',
        'artifacts = [{source = "/a/b", service = "db"}]',
        "the key 'service' in artifacts[0] is not accepted: a task here is one container",
    ),
    ("[verifier.env]", '[[verifier.collect]]\ncommand = "x"\n[verifier.env]', "the key 'collect'"),
    ("[metadata]", '[[steps]]\nname = "one"\n[metadata]', "a task here is one step"),
]


@pytest.mark.parametrize(("before", "after", "sentence"), TOML, ids=[t[1] for t in TOML])
def test_what_cannot_be_supported_is_refused(
    greet: Path, before: str, after: str, sentence: str
) -> None:
    edit(greet / "task.toml", before, after)
    with pytest.raises(TaskError) as caught:
        load(greet)
    assert sentence in str(caught.value)
    assert f"{greet / 'task.toml'}:" in str(caught.value)


COMPOSE = [
    "services: {main: {}, db: {image: postgres}}",
    "services: {main: {privileged: true}}",
    "services: {main: {network_mode: host}}",
    "services: {main: {build: {args: {X: 1}}}}",
    "services: {main: {init: true}}\nvolumes: {v: {}}",
]


@pytest.mark.parametrize("text", COMPOSE)
def test_a_compose_file_may_only_say_what_holds_here(greet: Path, text: str) -> None:
    path = greet / "environment" / "docker-compose.yaml"
    path.write_text("services:\n  main:\n    init: true\n    network_mode: none\n")
    assert check(greet) == []
    path.write_text(text)
    assert [str(error) for error in check(greet)] == [
        f"{path}: a task here is one container without services: only init, network_mode: none "
        "and build.network of the service main are accepted"
    ]


@pytest.mark.parametrize("name", ["instruction.md", "tests/test.sh", "environment/Dockerfile"])
def test_a_file_that_is_missing(greet: Path, name: str) -> None:
    (greet / name).unlink()
    assert str(check(greet)[0]).startswith(f"{greet / name}: is missing")


def test_a_link_is_refused(greet: Path) -> None:
    (greet / "tests" / "data").symlink_to("/etc/passwd")
    with pytest.raises(TaskError, match=r"data: is a link: a task folder holds plain files"):
        load(greet)


def test_a_volume_is_refused(greet: Path) -> None:
    with (greet / "environment" / "Dockerfile").open("a") as file:
        file.write("VOLUME /data\n")
    with pytest.raises(TaskError, match=r"Dockerfile:4: VOLUME makes a folder"):
        load(greet)


def test_no_variable_of_this_machine_is_in_a_task_that_does_not_ask(greet: Path) -> None:
    terms = loaded(greet).harbor
    passed = {**terms.environment, **terms.verifier_environment, **terms.solution_environment}
    assert set(passed) & set(os.environ) == set()


def test_check_takes_them(greet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(greet)]) == 0
    edit(greet / "task.toml", "cpus = 1", "cpus = 1\ngpus = 2")
    assert main(["check", str(greet)]) == 1
    assert "'gpus' in [environment] is not accepted: no box here has a GPU" in (
        capsys.readouterr().out
    )


def test_a_task_without_seeds_is_planned_once(
    greet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", str(greet), "-a", "nop", "-s", "3-5", "--dry-run"]) == 0
    assert capsys.readouterr().out == "greet/seed-3/nop\n"


def test_it_has_no_traps(greet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(greet), "-a", "trap:liar"]) == 2
    assert "task greet has no trap 'liar'" in capsys.readouterr().err
