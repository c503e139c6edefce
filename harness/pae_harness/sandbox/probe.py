"""What this machine has of what the sandboxes need. Looks and tries; changes nothing."""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pae_harness.errors import SandboxError, SandboxUnavailableError
from pae_harness.sandbox import BACKENDS, open_sandbox
from pae_harness.sandbox.protocol import BoxSpec, Limits

_ENOUGH_BYTES = 1 << 30


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at; ``remedy`` is a sentence, empty where all is well."""

    name: str
    ok: bool
    detail: str
    remedy: str = ""


def findings() -> list[Finding]:
    """Everything ``pae doctor`` reports, the machine first and the sandboxes last."""
    looks: tuple[Callable[[], Finding], ...] = (
        python,
        bubblewrap,
        user_namespaces,
        control_groups,
        seccomp_filter,
        container_engine,
        hermetic_root,
        free_disk,
    )
    return [*(look() for look in looks), *map(sandbox, BACKENDS)]


def python() -> Finding:
    from pae_harness.sandbox.interpreter import base_interpreter

    version = platform.python_version()
    try:
        base = base_interpreter()
    except SandboxUnavailableError as error:
        return Finding("python", False, version, str(error))
    return Finding("python", True, f"{version}, {base.executable} in boxes without a root")


def bubblewrap() -> Finding:
    from pae_harness.sandbox.bwrap import find_bwrap

    try:
        found = find_bwrap()
    except SandboxUnavailableError as error:
        return Finding("bubblewrap", False, "not found", f"{error}.")
    version = ".".join(map(str, found.version))
    return Finding("bubblewrap", True, f"{version}, from {found.origin} ({found.path})")


def user_namespaces() -> Finding:
    """Only what the kernel's settings say; whether a box starts is the sandbox's own finding."""
    name = "user namespaces"
    most = _setting("user/max_user_namespaces")
    if most is None:
        remedy = "Use a kernel with CONFIG_USER_NS; the local sandbox cannot do without."
        return Finding(name, False, "this kernel has none", remedy)
    if most == 0:
        remedy = "Allow them: `sudo sysctl user.max_user_namespaces=10000`."
        return Finding(name, False, "user.max_user_namespaces is 0", remedy)
    if _setting("kernel/unprivileged_userns_clone") == 0:
        remedy = "Allow them: `sudo sysctl kernel.unprivileged_userns_clone=1`."
        return Finding(name, False, "forbidden to ordinary users", remedy)
    if _setting("kernel/apparmor_restrict_unprivileged_userns") == 1:
        remedy = (
            "If the local sandbox does not start: "
            "`sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0`, or an AppArmor "
            "profile for bwrap."
        )
        return Finding(name, True, f"{most} allowed, to programs with a profile", remedy)
    return Finding(name, True, f"{most} allowed")


def _setting(name: str) -> int | None:
    try:
        return int(Path("/proc/sys", name).read_text())
    except (OSError, ValueError):
        return None


def control_groups() -> Finding:
    from pae_harness.sandbox.cgroups import CONTROLLERS, own_parents

    parents = own_parents()
    have = [c for c in CONTROLLERS if c in parents.folders]
    remedy = (
        "Limits are watched instead; for cgroups run pae as root, or in a systemd session: "
        "`systemd-run --user --scope pae ...`."
    )
    if not have:
        return Finding("cgroups", False, "none is writable", remedy)
    detail = f"v{parents.version}: {', '.join(have)}"
    complete = len(have) == len(CONTROLLERS)
    return Finding("cgroups", complete, detail, "" if complete else remedy)


def seccomp_filter() -> Finding:
    from pae_harness.sandbox.seccomp import MACHINES

    machine = platform.machine()
    if machine not in MACHINES:
        known = " or ".join(MACHINES)
        remedy = f"The local sandbox has a filter for {known} only: use such a machine."
        return Finding("seccomp", False, f"no filter for {machine}", remedy)
    if not Path("/proc/sys/kernel/seccomp").exists():
        return Finding("seccomp", False, "this kernel has none", "Use one with CONFIG_SECCOMP.")
    return Finding("seccomp", True, machine)


def container_engine() -> Finding:
    """An engine that answers on its Unix socket."""
    from pae_harness.sandbox.docker.engine import connect

    try:
        engine = connect()
    except SandboxUnavailableError as error:
        client = shutil.which("docker") or shutil.which("podman")
        detail = f"{client} is there, no engine answers" if client else "neither client nor engine"
        return Finding("engine", False, detail, f"{error}; the local sandbox does without.")
    engine.client.close()
    return Finding("engine", True, f"{engine.name} {engine.version} at {engine.socket}")


def hermetic_root() -> Finding:
    """What local boxes consist of. The first look may fetch the verifier's wheels for a root."""
    from pae_harness.sandbox.local import choice

    try:
        chosen = choice()
    except SandboxUnavailableError as error:
        return Finding("root", False, "cannot be used", f"{error}.")
    if chosen.passed_over:
        return Finding("root", False, "passed over", f"{chosen.passed_over}.")
    root = chosen.system.root
    if root is None and os.environ.get("PAE_ROOT"):
        return Finding("root", True, "switched off by PAE_ROOT")
    if root is None:
        detail = "none, local boxes show this machine's own programs; `pae base-image` makes one"
        return Finding("root", True, detail)
    return Finding("root", True, f"{root.digest[:12]}, Python {root.python_version}, {root.path}")


def free_disk() -> Finding:
    here = Path.cwd()
    free = shutil.disk_usage(here).free
    detail = f"{free / (1 << 30):.1f} GiB free in {here}"
    if free >= _ENOUGH_BYTES:
        return Finding("disk", True, detail)
    return Finding("disk", False, detail, "Free a gigabyte, or run in another folder.")


def sandbox(name: str) -> Finding:
    """Start a box, run a command in it, and remove it."""
    title = f"sandbox {name}"
    spec = BoxSpec(limits=Limits(memory_mb=256, storage_mb=16))
    try:
        with open_sandbox(name).start(spec) as box:
            done = box.exec(["python3", "-I", "-c", "print(6 * 7)"], timeout=20)
            limits = ", ".join(f"{what} by {how}" for what, how in box.enforced.items())
    except SandboxError as error:
        return Finding(title, False, "no box starts", f"{error}.")
    if done.stdout != b"42\n":
        said = done.stderr.decode("utf-8", "replace").strip() or f"exit code {done.exit_code}"
        return Finding(title, False, "Python does not run in a box", f"It said: {said}.")
    return Finding(title, True, limits)
