"""Running mmdebstrap: apt fetches and checks the packages, dpkg-deb unpacks them, nothing is run.

With ``--variant=extract`` no program of the new root ever runs, so no privilege is needed either:
an ordinary user gets the same root by ``--mode=chrootless``, without user namespaces.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

from pae_harness.baseimage.recipe import PACKAGE_LIST, PACKAGES
from pae_harness.baseimage.sources import Sources, without_login
from pae_harness.baseimage.tree import EPOCH
from pae_harness.errors import BaseImageError
from pae_harness.oneline import shortened

PROGRAM = "mmdebstrap"
_STOP_SECONDS = 10
# The extracted root has no dpkg database that would say what it is made of.
_LIST = (
    'for deb in "$1"/var/cache/apt/archives/*.deb; do '
    r"dpkg-deb -W --showformat='${Package}\t${Version}\t${Architecture}\n' "
    f'"$deb" || exit; done > "$1/{PACKAGE_LIST}"'
)


def require_mmdebstrap() -> str:
    """The path of mmdebstrap. Raises BaseImageError, saying what to install."""
    found = shutil.which(PROGRAM)
    if found is None:
        raise BaseImageError(
            f"{PROGRAM} is not on this machine: apt-get install {PROGRAM} (it fetches and unpacks "
            "Debian's packages)"
        )
    return found


def command(
    program: str, sources: Sources, settings: Path, target: Path, *, root: bool
) -> list[str]:
    """mmdebstrap's command line, which writes the unpacked packages as a tar to ``target``.

    ``settings`` is a file of apt's settings: a proxy's password is for no list of processes.
    """
    return [
        program,
        "--variant=extract",
        f"--mode={'root' if root else 'chrootless'}",
        "--format=tar",
        f"--include={','.join(PACKAGES)}",
        f"--extract-hook={_LIST}",
        f"--aptopt={settings}",
        "--",
        sources.suite,
        str(target),
        *sources.mirrors,
    ]


def unpack_packages(sources: Sources, folder: Path) -> Path:
    """Fetch, check and unpack the packages; return the tar in ``folder``, a scratch folder.

    Raises BaseImageError with apt's own reason. Whatever ends this, nothing of it runs on.
    """
    target = folder / "unpacked.tar"
    settings = folder / "apt.conf"
    settings.touch(0o600)
    settings.write_text("".join(f"{line}\n" for line in sources.settings), encoding="utf-8")
    argv = command(require_mmdebstrap(), sources, settings, target, root=os.geteuid() == 0)
    env = {
        **os.environ,
        "LC_ALL": "C",
        "SOURCE_DATE_EPOCH": str(EPOCH),
        "TMPDIR": str(folder),  # so that nothing stays behind where mmdebstrap is killed
    }
    with subprocess.Popen(
        argv,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        try:
            _, log = process.communicate()
        except BaseException:
            _end(process)
            raise
    if process.returncode:
        raise BaseImageError(failure(log.decode("utf-8", "replace"), sources))
    return target


def _end(process: subprocess.Popen[bytes]) -> None:
    """End mmdebstrap with its children, which a kill of it alone would leave."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
            process.wait(_STOP_SECONDS)
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            continue


def failure(log: str, sources: Sources) -> str:
    """One sentence for what mmdebstrap and apt wrote before they gave up."""
    return (
        f"cannot unpack Debian's packages of {sources.suite} from {sources.described}: "
        f"{shortened(reason(log.splitlines()))}{_hint(log)}"
    )


def reason(lines: Sequence[str]) -> str:
    """The first error: those after it only say that each step failed for the one before."""
    errors = [line.removeprefix("E: ") for line in lines if line.startswith("E: ")]
    found = errors or [line for line in lines if line.strip()][-1:] or ["it does not say why"]
    return without_login(re.sub(r"\s+", " ", found[0]).strip())


def _hint(log: str) -> str:
    hints = {
        "No space left on device": "free some space, or set TMPDIR to a larger disk",
        "NO_PUBKEY": "apt-get install debian-archive-keyring, or name its key in the mirror's line",
        "Could not resolve": "name a mirror that this machine reaches with --mirror",
        "Could not connect": "name a mirror that this machine reaches with --mirror",
        "Unable to connect": "name a mirror that this machine reaches with --mirror",
        "does not have a Release file": "name a suite that the mirror has with --suite",
        "Unable to locate package": "name a mirror of Debian itself with --mirror",
    }
    return next((f"; {hint}" for sign, hint in hints.items() if sign in log), "")
