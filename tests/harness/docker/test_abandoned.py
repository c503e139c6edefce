"""An image whose builder died before it could name it."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing
from pathlib import Path

from tests.harness.docker.daemon import NOTHING, Daemon

from pae_harness.sandbox.docker.backend import DockerSandbox

BUILDS = """\
from pae_harness.sandbox import open_sandbox
from pae_harness.sandbox.protocol import BoxSpec

with open_sandbox("docker").start(BoxSpec()) as box:
    print(box.software)
"""


def test_a_finished_image_without_a_name_goes_and_one_made_from_it_stays(daemon: Daemon) -> None:
    environment = {"DOCKER_HOST": daemon.host, "HOME": str(Path.home())}
    argv = [sys.executable, "-c", BUILDS]
    image = subprocess.run(
        argv, env=environment, capture_output=True, text=True, check=True
    ).stdout.strip()
    with closing(daemon.engine().client) as client:
        host = client.create_host_config(network_mode="none")
        made = client.create_container(image, ["true"], entrypoint=[], host_config=host)["Id"]
        derived = client.commit(made)["Id"]
        client.remove_container(made)
        for tag in client.inspect_image(image)["RepoTags"]:
            client.remove_image(tag, force=True, noprune=True)
        DockerSandbox(daemon.engine())
        assert daemon.everything()["images"] == [derived]
        client.remove_image(derived)
        DockerSandbox(daemon.engine())
    assert daemon.everything() == NOTHING
