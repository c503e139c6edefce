"""What an agent that is a Python class works with.

    from pae_harness.agents.workplace import Workplace

    class Writer:
        def run(self, work: Workplace) -> None:
            data = work.exec("cat results.json").stdout
            reply = work.complete([{"role": "user", "content": work.instruction + data}])
            work.write("/app/output/memo.md", reply["choices"][0]["message"]["content"])

The class runs in a process of its own beside ``pae``; its commands run in the offline box.
"""

from __future__ import annotations

import json
import time
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Protocol

_PIECE = 60_000  # bytes of a file that go in one command


class Agent(Protocol):
    """An agent: a class that can be made without arguments, with this one method.

    It returns when the work is done. ``version``, a string, may stand in the class. What it prints
    goes into agent.log; an exception that it lets pass is noted there, and what it wrote so far is
    verified all the same.
    """

    def run(self, work: Workplace) -> None: ...


class ModelError(Exception):
    """The model, or the broker in front of it, answered with an error, or not at all.

    ``status`` is HTTP's, or None. The broker has tried again already where that made sense.
    """

    def __init__(self, status: int | None, message: str) -> None:
        super().__init__(f"{status}: {message}" if status else message)
        self.status = status


@dataclass(frozen=True)
class Outcome:
    """How a command in the box ended.

    ``exit_code`` is None where it was killed; ``timed_out`` says that it ran into its own time.
    Each stream has its first 1 MiB; what is not UTF-8 is replaced.
    """

    exit_code: int | None
    stdout: str
    stderr: str
    seconds: float
    timed_out: bool
    truncated: bool


@dataclass(frozen=True)
class ModelAddress:
    """Where the model is asked from this process: chat completions over a Unix socket.

    ``token`` is of this trial and no key. The socket speaks HTTP as OpenAI's API does, at
    ``http://broker/v1``.
    """

    name: str
    socket: Path
    token: str


class Workplace:
    """The box, the clock and the model of one trial."""

    def __init__(
        self, orders: Connection, instruction: str, seconds: float, model: ModelAddress | None
    ) -> None:
        self.instruction = instruction
        self.model = model
        self._orders = orders
        self._ends = time.monotonic() + seconds

    @property
    def seconds_left(self) -> float:
        """Until the trial's time limit, at which this process is killed."""
        return max(0.0, self._ends - time.monotonic())

    def exec(
        self,
        command: str | Sequence[str],
        *,
        timeout: float | None = None,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        with_model: bool = False,
    ) -> Outcome:
        """Run a shell command, or an argv, in the box, and wait.

        ``cwd`` is /app by default. ``with_model`` gives it the model as OPENAI_BASE_URL and so on.
        Processes that it leaves behind end with it; files stay.
        """
        argv = ["sh", "-c", command] if isinstance(command, str) else list(command)
        told = self._order(argv, timeout=timeout, cwd=cwd, env=env, with_model=with_model)
        return Outcome(
            told["exit_code"],
            b64decode(told["stdout"]).decode("utf-8", "replace"),
            b64decode(told["stderr"]).decode("utf-8", "replace"),
            told["seconds"],
            told["timed_out"],
            told["truncated"],
        )

    def write(self, path: str, content: str | bytes) -> None:
        """Put a file into the box, as the agent's user; makes folders on the way.

        Raises OSError where that cannot be.
        """
        data = content.encode("utf-8") if isinstance(content, str) else content
        make = 'mkdir -p -- "$(dirname -- "$1")" && : > "$1"'
        self._must(["sh", "-c", make, "sh", path])
        for start in range(0, len(data), _PIECE):
            piece = b64encode(data[start : start + _PIECE]).decode("ascii")
            append = 'printf %s "$2" | base64 -d >> "$1"'
            self._must(["sh", "-c", append, "sh", path, piece])

    def read(self, path: str) -> bytes:
        """A file of the box, at most 1 MiB of it. Raises OSError where it cannot be read."""
        told = self._must(["cat", "--", path])
        if told["truncated"]:
            raise OSError(f"{path} has more than 1 MiB: read it in pieces with exec")
        return b64decode(told["stdout"])

    def complete(self, messages: Sequence[Mapping[str, Any]], **settings: Any) -> dict[str, Any]:
        """Ask the model: chat completions, with ``settings`` as further keys of the request.

        The reply's JSON object. Raises ModelError; without ``--model`` always.
        """
        if self.model is None:
            raise ModelError(None, "there is no model: give one with --model NAME@PROVIDER")
        import httpx2

        request = {"model": self.model.name, "messages": list(messages), **settings}
        transport = httpx2.HTTPTransport(uds=str(self.model.socket), verify=False)
        try:
            with httpx2.Client(transport=transport, timeout=self.seconds_left) as client:
                answer = client.post(
                    "http://broker/v1/chat/completions",
                    json=request,
                    headers={"authorization": f"Bearer {self.model.token}"},
                )
        except httpx2.HTTPError as error:
            raise ModelError(None, f"the broker did not answer: {error}") from error
        return _reply(answer.status_code, answer.content)

    def _order(self, argv: Sequence[str], **how: Any) -> dict[str, Any]:
        self._orders.send_bytes(json.dumps({"argv": list(argv), **how}).encode("utf-8"))
        told: dict[str, Any] = json.loads(self._orders.recv_bytes())
        return told

    def _must(self, argv: Sequence[str]) -> dict[str, Any]:
        told = self._order(argv)
        if told["exit_code"] != 0:
            said = b64decode(told["stderr"]).decode("utf-8", "replace").strip()
            raise OSError(said or f"{argv[0]} ended with exit code {told['exit_code']}")
        return told


def _reply(status: int, body: bytes) -> dict[str, Any]:
    try:
        told = json.loads(body)
    except (ValueError, RecursionError):
        told = None
    if status == 200 and isinstance(told, dict):
        return told
    error = told.get("error") if isinstance(told, dict) else None
    message = error.get("message") if isinstance(error, dict) else error
    raise ModelError(status, str(message or body[:200].decode("utf-8", "replace")))
