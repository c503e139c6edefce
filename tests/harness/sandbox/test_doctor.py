"""``pae doctor``: what it looks at and how it says it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pae_harness.commands.doctor import doctor, report
from pae_harness.sandbox.docker.engine import sockets
from pae_harness.sandbox.probe import Finding


def test_a_machine_with_a_sandbox_is_well(capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor(as_json=False) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines if not line.startswith(" ")] == [
        "python",
        "bubblewrap",
        "user",
        "cgroups",
        "seccomp",
        "engine",
        "root",
        "disk",
        "sandbox",
        "sandbox",
    ]
    assert lines[-1].startswith("sandbox local    ok ")


def test_the_same_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor(as_json=True) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["ok"] is True
    assert {"name", "ok", "detail", "remedy"} == set(said["checks"][0])
    assert all(check["ok"] or check["remedy"].endswith(".") for check in said["checks"])


def test_what_is_missing_comes_with_its_remedy() -> None:
    found = [Finding("disk", True, "9 GiB"), Finding("bubblewrap", False, "not found", "Get it.")]
    assert report(found) == [
        "disk        ok       9 GiB",
        "bubblewrap  missing  not found",
        "                     Get it.",
    ]


def test_docker_host_names_the_only_socket_to_try() -> None:
    assert sockets({"DOCKER_HOST": "unix:///x/y.sock"}, 7) == [Path("/x/y.sock")]


def test_rootless_engines_are_tried_after_the_systems() -> None:
    assert sockets({}, 7)[:2] == [
        Path("/var/run/docker.sock"),
        Path("/run/user/7/docker.sock"),
    ]
