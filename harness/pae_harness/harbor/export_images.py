"""The Dockerfiles and Compose files of an exported task, as text."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from pathlib import PurePosixPath

from pae_harness.errors import VerifierError
from pae_harness.tasks.dockerfile import instructions

STOCK = "python:3.12-slim-bookworm"
CHOOSE = "choose.sh"
_BASE = re.compile(r"^(\s*ARG\s+BASE_IMAGE)\b.*$", re.M | re.I)
_CONTEXT = "COPY . /build\n"
# Run in verifier/, where the image's own Python says which wheels it takes.
CHOOSE_SCRIPT = """\
#!/bin/sh
set -eu
target=$(python3 -IB -c 'import platform, sys
print("cp%d%d-%s" % (*sys.version_info[:2], platform.machine()))')
if [ ! -d "wheelhouse/$target" ]; then
    echo "no wheels for $target in this export; it has:" wheelhouse/cp* >&2
    echo "export again with --wheels" >&2
    exit 1
fi
mv wheelhouse/any/*.whl "wheelhouse/$target"/*.whl wheelhouse/
"""


def agent_dockerfile(text: str, base: str, outputs: Sequence[str]) -> str:
    """The task's Dockerfile on ``base``, and on top the fixtures and the outputs' folders.

    The agent's image is all that an agent sees: neither generator nor tests are in its context.
    """
    folders = sorted({str(PurePosixPath(path).parent) for path in outputs})
    lines = [
        _on(text, base).rstrip("\n"),
        "USER root",
        "COPY fixtures/ /",
        f"RUN {shlex.join(['mkdir', '-p', *folders])}",
        "WORKDIR /app",
    ]
    if any(word == "ENTRYPOINT" for _, word, _ in instructions(text)):
        lines.append("ENTRYPOINT []")  # Harbor starts a command of its own
    return "\n".join(lines) + "\n"


def verifier_dockerfile(text: str, base: str, outputs: Sequence[str]) -> str:
    """The verifier's own Dockerfile ``text`` on ``base``, then the tests and pristine fixtures.

    Raises VerifierError where ``text`` does not begin with its whole context.
    """
    if text.count(_CONTEXT) != 1:
        raise VerifierError(f"verifiers/Dockerfile: there is not one {_CONTEXT.strip()!r} in it")
    chosen = f"COPY verifier/ /build\nRUN cd /build && sh {CHOOSE}\n"
    folders = sorted({str(PurePosixPath(path).parent) for path in outputs})
    return (
        _on(text, base).replace(_CONTEXT, chosen).rstrip("\n")
        + "\nCOPY fixtures/ /fixtures\nCOPY task/ /tests\nCOPY test.sh /tests/test.sh\n"
        + f"RUN {shlex.join(['mkdir', '-p', '/logs/verifier', *folders])}\n"
    )


def compose(*, network: bool, build_network: bool) -> str:
    """What Harbor's own Compose file is overlaid with: no network, in the box and in its build.

    ``init`` makes it end at once when it is stopped.
    """
    lines = ["services:", "  main:", "    init: true"]
    if not network:
        lines.append("    network_mode: none")
    if not build_network:
        lines += ["    build:", "      network: none"]
    return "\n".join(lines) + "\n"


def _on(text: str, base: str) -> str:
    return _BASE.sub(lambda found: f"{found[1]}={base}", text)
