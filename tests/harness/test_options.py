"""Options: one declaration each, and flag over environment over file over default."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from pae_harness import config, options, settings
from pae_harness.errors import UsageError


def resolve(*argv: str, environ: dict[str, str] | None = None, **told: object) -> settings.Resolved:
    parser = argparse.ArgumentParser()
    settings.add(parser, (options.TASKS, *options.RUN_OPTIONS))
    return settings.resolve(
        (options.TASKS, *options.RUN_OPTIONS), parser.parse_args(argv), environ or {}, told
    )


def test_a_default_holds_where_nothing_is_said() -> None:
    resolved = resolve()
    assert resolved["seeds"] == "1-5"
    assert resolved.sources["seeds"] == "default"


def test_the_file_wins_over_the_default() -> None:
    assert resolve(seeds="7")["seeds"] == "7"


def test_the_environment_wins_over_the_file() -> None:
    resolved = resolve(environ={"PAE_JOBS": "3"}, jobs=2)
    assert (resolved["jobs"], resolved.sources["jobs"]) == (3, "env")


def test_the_flag_wins_over_the_environment() -> None:
    resolved = resolve("-j", "4", environ={"PAE_JOBS": "3"})
    assert (resolved["jobs"], resolved.sources["jobs"]) == (4, "flag")


@pytest.mark.parametrize("text", ["true", "1", "yes"])
def test_a_switch_can_be_set_from_the_environment(text: str) -> None:
    assert resolve(environ={"PAE_KEEP": text})["keep"] is True


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (("-j", "0"), "--jobs: '0' is of no use: must be a whole number of at least 1"),
        (
            ("--timeout-scale", "-1"),
            "--timeout-scale: '-1' is of no use: must be a finite number above 0",
        ),
        (
            ("--timeout-scale", "nan"),
            "--timeout-scale: 'nan' is of no use: must be a finite number above 0",
        ),
        (("-j", "x"), "--jobs: 'x' is of no use: must be a whole number of at least 1"),
        (
            ("--timeout-scale", "inf"),
            "--timeout-scale: 'inf' is of no use: must be a finite number above 0",
        ),
        (
            ("--judge", "rule"),
            "--judge: 'rule' is of no use: unknown judge 'rule'; did you mean 'rules'?",
        ),
        (
            ("--judge", "m@opnai"),
            "--judge: 'm@opnai' is of no use: 'opnai' is neither a provider (openai, anthropic, "
            "gemini, openrouter, vllm, ollama, llama.cpp) nor an http(s) address",
        ),
    ],
)
def test_a_value_of_no_use_is_named_with_its_place(argv: tuple[str, ...], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        resolve(*argv)
    assert str(caught.value) == message


def test_the_variable_is_named_where_it_is_at_fault() -> None:
    with pytest.raises(UsageError, match=r"^PAE_ATTEMPTS: 'x' is of no use"):
        resolve(environ={"PAE_ATTEMPTS": "x"})


def test_the_nearest_config_file_is_read_and_its_paths_are_its_own(tmp_path: Path) -> None:
    (tmp_path / "pae.toml").write_text('tasks = "suite/tasks"\njobs = 2\n')
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    assert config.read_config(deep) == {"tasks": str(tmp_path / "suite" / "tasks"), "jobs": 2}


def test_an_unknown_key_of_the_config_file_names_the_nearest(tmp_path: Path) -> None:
    (tmp_path / "pae.toml").write_text("job = 2\n")
    with pytest.raises(UsageError, match="unknown key 'job'; did you mean 'jobs'"):
        config.read_config(tmp_path)


def test_a_config_file_that_is_not_toml_is_refused(tmp_path: Path) -> None:
    (tmp_path / "pae.toml").write_text("= 2\n")
    with pytest.raises(UsageError, match=r"pae\.toml: not TOML"):
        config.read_config(tmp_path)


@pytest.mark.parametrize(("variable", "near"), [("PAE_SEED", "PAE_SEEDS"), ("PAE_JOB", "PAE_JOBS")])
def test_a_misspelt_variable_names_the_nearest(variable: str, near: str) -> None:
    with pytest.raises(UsageError, match=f"{variable} is not known; did you mean {near}"):
        config.check_environment({variable: "7"})


def test_variables_that_are_known_or_of_others_pass() -> None:
    config.check_environment(
        {"PAE_SEED_SALT": "x", "PAE_CACHE": "/x", "PAE_SEEDS": "1", "HOME": "/"}
    )
