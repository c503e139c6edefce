"""One build on an engine: what it is asked, what it says, and nothing left of it if it fails.

The SDK's own call cannot be cut short: here the connection is closed, which ends the build.
"""

from __future__ import annotations

import json
import re
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING, Any

from pae_harness import owner
from pae_harness.errors import SandboxError
from pae_harness.oneline import shortened
from pae_harness.sandbox.docker.engine import (
    BUILD,
    BUILDER,
    LABEL,
    OWNER,
    AwayError,
    Engine,
    asking,
)
from pae_harness.sandbox.docker.reap import containers_with, remove_containers, remove_unfinished
from pae_harness.sandbox.docker.recipe import Recipe

if TYPE_CHECKING:
    from requests import Response

_ENGINES_OWN = ("Step ", "STEP ", "--->", "-->", "Removing intermediate container ")
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_SWEEP_SECONDS = 20.0
_LOOK_SECONDS = 0.1


class BuildError(SandboxError):
    """The Dockerfile cannot be built: another try would end the same way."""

    passing = False


def build(engine: Engine, recipe: Recipe, base: str) -> str:
    """Build ``recipe`` on the base image of id ``base`` and tag it; what the build said.

    Nothing without a name stays behind. Raises BuildError where the build fails or takes longer
    than the recipe allows, AwayError where the engine goes away.
    """
    mark = uuid.uuid4().hex
    said = ""
    failure: SandboxError | None = None
    try:
        said = _built(engine, recipe, base, mark)
    except SandboxError as error:
        failure = error
    finally:
        if not isinstance(failure, AwayError):
            with suppress(SandboxError):
                _sweep(engine, mark, looks=2 if failure else 1)
    if failure is not None:
        raise failure
    return said


def _built(engine: Engine, recipe: Recipe, base: str, mark: str) -> str:
    what = f"build the image for {recipe.kind} boxes"
    said: list[str] = []
    deadline = time.monotonic() + recipe.timeout
    late = f"it took more than {recipe.timeout:g} s"
    with (
        asking(what),
        _silence_is(late, said),
        closing(_post(engine, recipe, base, mark)) as response,
    ):
        if response.status_code >= 400:
            raise SandboxError(f"the container engine could not {what}: {_message(response)}")
        for line in _lines(response):
            error = late if time.monotonic() > deadline else str(line.get("error", "")).strip()
            if error:
                raise _failure(error, said)
            said.append(str(line.get("stream", "")))
    if not any(text.startswith("Successfully built ") for text in said):
        raise AwayError(f"the container engine hung up when asked to {what}: start it again")
    return "".join(said)


def _post(engine: Engine, recipe: Recipe, base: str, mark: str) -> Response:
    labels = {
        f"{LABEL}.kind": recipe.kind,
        f"{LABEL}.digest": recipe.digest(base),
        # In the Dockerfile: of labels in the request, Podman makes some of every layer.
        # What other people run or make on a finished image is theirs, and never reaped.
        OWNER: "",
        BUILD: "",
        BUILDER: str(owner.me()),
    }
    marks = {OWNER: str(owner.me()), BUILD: mark}
    asked = {
        "t": recipe.tag(base),
        # The bare id names the base on every engine.
        "buildargs": json.dumps({"BASE_IMAGE": base.removeprefix("sha256:")}),
        "nocache": "1",
        "rm": "1",
        "forcerm": "1",
        "pull": "0",
        **({} if recipe.network else {"networkmode": "none"}),
    }
    client = engine.client
    return client.post(
        f"{client.base_url}/v{client.api_version}/build",
        params=asked,
        data=recipe.context(marks, labels),
        headers={"Content-Type": "application/tar"},
        stream=True,
        timeout=recipe.timeout,  # of silence; in all, at most twice that
    )


def _message(response: Response) -> str:
    try:
        said = response.json()["message"]
    except (ValueError, KeyError, TypeError):
        said = response.text
    return shortened(str(said).strip(), most=300)


def _lines(response: Response) -> Iterator[Mapping[str, Any]]:
    """What a build says, one object a line; a torn one is the last."""
    for line in response.iter_lines(chunk_size=None):
        if line.strip():
            try:
                yield json.loads(line)
            except ValueError:
                return


@contextmanager
def _silence_is(late: str, said: Sequence[str]) -> Iterator[None]:
    """Turn the client's time-outs into the build's."""
    from requests.exceptions import ConnectionError as Gone
    from requests.exceptions import Timeout

    try:
        yield
    except Timeout:
        raise _failure(late, said) from None
    except Gone as error:
        # Between two pieces of an answer, the library has no better name for it.
        if "Read timed out" not in str(error):
            raise
        raise _failure(late, said) from None


def _failure(error: str, said: Sequence[str]) -> SandboxError:
    lines = [_COLOUR.sub("", line).strip() for line in "".join(said).splitlines()]
    spoken = [line for line in lines if line and not line.startswith(_ENGINES_OWN)]
    last = shortened(spoken[-1], most=200) if spoken else "nothing"
    full = "no space left" in f"{error} {last}".lower()
    advice = "; free space where the engine keeps images and containers" if full else ""
    sentence = (
        f"the image could not be built: {shortened(error, most=300)} (it last said: {last}){advice}"
    )
    return SandboxError(sentence) if full else BuildError(sentence)


def _sweep(engine: Engine, mark: str, looks: int) -> None:
    """Remove what has this build's mark and no name, until a build that was cut short is over."""
    deadline = time.monotonic() + _SWEEP_SECONDS
    label = f"{BUILD}={mark}"
    quiet = 0
    while quiet < looks and time.monotonic() < deadline:
        found = remove_containers(engine, containers_with(engine, label))
        found += remove_unfinished(engine, label, "anybody")
        quiet = 0 if found else quiet + 1
        if quiet < looks:
            time.sleep(_LOOK_SECONDS)
