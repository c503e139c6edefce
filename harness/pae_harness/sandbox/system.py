"""Where a box's programs come from: this machine, or a root that ``pae base-image`` made."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pae_harness.baseimage.root import Root
from pae_harness.sandbox.interpreter import Interpreter, base_interpreter, root_interpreter
from pae_harness.sandbox.supervisor import boxed, main

# Not all of /usr: people keep checkouts in /usr/src.
_USR = ("bin", "sbin", "lib", "lib32", "lib64", "libx32", "libexec", "include", "share")
_ETC = ("alternatives", "ssl/certs", "pki/tls/certs", "ld.so.cache", "localtime", "mime.types")
SUPERVISOR = Path(main.__file__).parent
_COMPILED = (boxed, main)  # imported here, they lie there as byte code for the harness's own Python


@dataclass(frozen=True)
class System:
    """The programs of a box. ``root`` is None for this machine's own.

    ``supervisor`` is the folder of the supervisor's package, byte-compiled for ``python``.
    """

    python: Interpreter
    supervisor: Path
    root: Root | None = None

    @property
    def base(self) -> str:
        """The folder on the host that holds its /usr; empty for the host's own."""
        return "" if self.root is None else str(self.root.path)

    @property
    def software(self) -> str:
        """As ``Box.software`` has it."""
        return "" if self.root is None else f"root:{self.root.digest}"

    @property
    def usr(self) -> tuple[str, ...]:
        """What a command sees of /usr: all of a root's, of this machine's only software."""
        if self.root is not None:
            return ("/usr",)
        places = ("/usr", "/usr/local") if self.python.owns_usr_local else ("/usr",)
        return tuple(f"{place}/{name}" for place in places for name in _USR)

    @property
    def etc(self) -> tuple[str, ...]:
        """What a command sees of /etc, but for users, groups and hosts."""
        return ("/etc",) if self.root is not None else tuple(f"/etc/{name}" for name in _ETC)

    @property
    def masks_usr_local(self) -> bool:
        """Whether /usr/local is somebody's own, and a box gets another."""
        return self.root is None and not self.python.owns_usr_local


def own_system() -> System:
    """This machine's. Raises SandboxUnavailableError where its Python cannot be used."""
    return System(base_interpreter(), SUPERVISOR)


def root_system(root: Root, compiled_supervisor: Path) -> System:
    return System(root_interpreter(root), compiled_supervisor, root)
