"""Putting an image into a container engine."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from pae_harness.errors import BaseImageError
from pae_harness.oneline import shortened

if TYPE_CHECKING:
    import docker


def load(client: docker.APIClient, archive: Iterable[bytes], tag: str) -> str:
    """Load ``archive`` and return the id that the engine gives to its image ``tag``.

    Docker's containerd store numbers images in a way of its own, so that only there this is not
    the digest of the configuration. Raises BaseImageError with the engine's own words.
    """
    from docker.errors import DockerException
    from requests.exceptions import RequestException

    try:
        for message in client.load_image(archive, quiet=True):
            if "error" in message:
                raise BaseImageError(_refused(message["error"]))
        return str(client.inspect_image(tag)["Id"])
    except (DockerException, RequestException) as error:
        raise BaseImageError(_refused(error)) from error


def _refused(why: object) -> str:
    said = shortened(str(why), most=300)
    room = "no space left" in said.lower()
    advice = "; free some space where the engine keeps its images" if room else ""
    return f"the root is made, but the container engine did not load the image: {said}{advice}"
