"""The process that an agent's class runs in: ``python -m pae_harness.agents.child SPEC [FD]``.

Without a descriptor it only loads the class and says what it is.
"""

from __future__ import annotations

import ctypes
import hashlib
import inspect
import json
import os
import signal
import sys
import traceback
from importlib import import_module
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from pae_harness.agents.workplace import ModelAddress, Workplace
from pae_harness.errors import AgentLoadError

_PR_SET_PDEATHSIG = 1


def load(spec: str) -> Any:
    """The class that ``MODULE:CLASS`` names; ``python -m`` looks in the working folder first.

    Raises AgentLoadError.
    """
    module_name, _, name = spec.partition(":")
    try:
        module = import_module(module_name)
    except AgentLoadError:
        raise
    except Exception as error:
        if isinstance(error, ModuleNotFoundError) and error.name in _packages(module_name):
            raise AgentLoadError(
                f"there is no module {error.name!r} in {Path.cwd()}, nor is one installed"
            ) from error
        raise AgentLoadError(
            f"the module {module_name!r} cannot be imported: {type(error).__name__}: {error}"
        ) from error
    found = getattr(module, name, None)
    if not inspect.isclass(found):
        raise AgentLoadError(f"the module {module_name!r} has no class {name!r}")
    if not callable(getattr(found, "run", None)):
        raise AgentLoadError(f"the class {spec} has no method run(self, work)")
    return found


def _packages(module_name: str) -> list[str]:
    """``a``, ``a.b`` and ``a.b.c`` for ``a.b.c``."""
    parts = module_name.split(".")
    return [".".join(parts[:count]) for count in range(1, len(parts) + 1)]


def describe(spec: str) -> dict[str, str]:
    """``version``, or "unknown", and ``module``, the SHA-256 of the file that has the class.

    Raises AgentLoadError.
    """
    found = load(spec)
    source = inspect.getsourcefile(found)
    data = Path(source).read_bytes() if source else b""
    version = getattr(found, "version", "unknown")
    return {"version": str(version), "module": hashlib.sha256(data).hexdigest()}


def main(argv: list[str]) -> int:
    spec, *fd = argv
    if not fd:
        try:
            told = describe(spec)
        except AgentLoadError as error:
            told = {"error": str(error)}
        sys.stdout.write(f"\n{json.dumps(told)}\n")  # after whatever the import printed
        return 0
    _die_with_parent()
    with Connection(int(fd[0])) as orders:
        first = json.loads(orders.recv_bytes())
        model = first["model"]
        address = (
            ModelAddress(model["name"], Path(model["socket"]), model["token"]) if model else None
        )
        work = Workplace(orders, first["instruction"], first["seconds"], address)
        try:
            load(spec)().run(work)
        except Exception:  # noqa: BLE001 - somebody else's code ends here
            traceback.print_exc()
            return 1
    return 0


def _die_with_parent() -> None:
    """With the thread that started this, to be exact: it waits for this process."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() == 1:
            os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
