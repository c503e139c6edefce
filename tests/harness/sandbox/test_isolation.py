"""What a command in a box can see and reach: nothing of the host beyond system and interpreter."""

from __future__ import annotations

import os
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.harness.backends import Backend

import pae_harness
from pae_harness.sandbox.protocol import Box

Python = Callable[[Box, str], str]

CONNECT = """
import socket
try:
    socket.create_connection(({host!r}, {port}), timeout=3)
    print("connected")
except OSError as error:
    print(type(error).__name__)
"""


def test_only_the_loopback_interface_exists(box: Box, python: Python) -> None:
    assert python(box, "import socket; print(socket.if_nameindex())") == "[(1, 'lo')]"


def test_the_hosts_loopback_is_refused(box: Box, python: Python) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        socket.create_connection(("127.0.0.1", port)).close()
        said = python(box, CONNECT.format(host="127.0.0.1", port=port))
    assert said == "ConnectionRefusedError"


def test_no_address_outside_is_reachable(box: Box, python: Python) -> None:
    assert python(box, CONNECT.format(host="192.0.2.1", port=80)) == "OSError"


def test_the_hosts_abstract_sockets_are_not_there(box: Box, python: Python) -> None:
    name = f"\0pae-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(name)
        listener.listen()
        said = python(
            box,
            f"import socket; s = socket.socket(socket.AF_UNIX); print(s.connect_ex({name!r}))",
        )
    assert said == "111"


def test_a_service_of_its_own_on_loopback_works(box: Box, python: Python) -> None:
    program = (
        "import socket; s = socket.create_server(('127.0.0.1', 0));"
        "socket.create_connection(s.getsockname()); print('connected')"
    )
    assert python(box, program) == "connected"


@pytest.mark.parametrize("folder", ["/var/tmp", "/srv", "/opt", "/home", "/run", "/root", "/tmp"])
def test_a_file_of_the_hosts_is_not_there(box: Box, python: Python, folder: str) -> None:
    if not os.access(folder, os.W_OK):
        pytest.skip(f"this user may not write in {folder}")
    with tempfile.NamedTemporaryFile(dir=folder) as file:
        assert python(box, f"import os; print(os.path.lexists({file.name!r}))") == "False"


@pytest.mark.parametrize("path", ["/etc/shadow", "/usr/src", "/sys/firmware", "/boot"])
def test_what_an_agent_has_no_use_for_is_not_there_or_shut(
    box: Box, python: Python, path: str
) -> None:
    program = (
        f"import os; path = {path!r}\n"
        "try: print(*(os.listdir(path) if os.path.isdir(path) else open(path)))\n"
        "except OSError: print()"
    )
    found = python(box, program).split()
    on_the_way = [part for part in Path(sys.base_prefix).parts if sys.base_prefix.startswith(path)]
    assert set(found) <= set(on_the_way)


def test_the_checkout_is_not_there(box: Box, python: Python) -> None:
    checkout = Path(pae_harness.__file__).parents[2]
    assert python(box, f"import os; print(os.path.exists({str(checkout)!r}))") == "False"


@pytest.mark.parametrize(
    "module", ["pae_harness", "pae_verifiers", "pae_schemas", "pytest", "pip", "yaml", "docker"]
)
def test_a_package_of_the_host_cannot_be_imported(box: Box, python: Python, module: str) -> None:
    assert python(box, f"import importlib.util as u; print(u.find_spec({module!r}))") == "None"


def test_no_folder_of_packages_holds_anything(box: Box, python: Python) -> None:
    program = (
        "import glob; print(*glob.glob('/usr/lib*/python3*/[ds]*t*-packages/*'),"
        "*glob.glob('/usr/local/lib/python3*/[ds]*t*-packages/*'))"
    )
    assert python(box, program) == ""


def test_python3_is_the_harnesses_own_version(backend: Backend, box: Box, python: Python) -> None:
    if backend.title != "local":
        pytest.skip("a root and a container have their own")
    version = ".".join(map(str, sys.version_info[:3]))
    assert python(box, "import platform; print(platform.python_version())") == version


def test_the_hosts_own_software_folder_is_hidden(
    backend: Backend, box: Box, python: Python
) -> None:
    if backend.title != "local":
        pytest.skip("a root and a container have their own")
    if sys.base_prefix == "/usr/local":
        pytest.skip("the interpreter itself lives there")
    programs = python(box, "import os; print(*sorted(os.listdir('/usr/local/bin')))")
    version = "{}.{}".format(*sys.version_info[:2])
    assert programs == f"python python3 python{version}"


def test_no_process_of_the_host_is_visible(box: Box, python: Python) -> None:
    program = (
        "import os; print(*sorted(int(n) for n in os.listdir('/proc') if n.isdigit()));"
        "print(open('/proc/1/cmdline').read().split(chr(0))[0])"
    )
    numbers, first = python(box, program).splitlines()
    assert len(numbers.split()) <= 3
    assert "pytest" not in first


def test_the_harnesses_environment_is_in_no_process(
    start: Callable[..., Box], python: Python, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAE_TEST_SECRET", "sesame-4711")
    program = (
        "import glob, os; print(os.environ);"
        "print([open(p, 'rb').read() for p in glob.glob('/proc/[0-9]*/environ')"
        " if os.access(p, os.R_OK)]);"
        "print([open(p, 'rb').read() for p in glob.glob('/proc/[0-9]*/cmdline')])"
    )
    seen = python(start(), program)
    assert "LANG=C.UTF-8" in seen
    assert "sesame-4711" not in seen
    assert "PAE_TEST_SECRET" not in seen


def test_inits_environment_is_empty_or_shut(box: Box, python: Python) -> None:
    program = "try: print(open('/proc/1/environ', 'rb').read())\nexcept PermissionError: print(b'')"
    assert python(box, program) == "b''"


def test_no_descriptor_is_inherited(box: Box, python: Python) -> None:
    # The third is the listing's own.
    assert python(box, "import os; print(*os.listdir('/proc/self/fd'))") == "0 1 2 3"


def test_stdin_is_empty(box: Box, python: Python) -> None:
    assert python(box, "import sys; print(repr(sys.stdin.read()))") == "''"


def test_the_command_is_an_ordinary_user_in_the_box(box: Box, python: Python) -> None:
    assert python(box, "import os; print(os.getuid(), os.getgid(), os.getgroups())").startswith(
        "1000 1000"
    )


def test_the_command_has_no_capabilities(box: Box, python: Python) -> None:
    program = (
        "print(*{l.split()[1] for l in open('/proc/self/status') if l.startswith('Cap')});"
        "print([l.split()[1] for l in open('/proc/self/status') if l.startswith('NoNewPrivs')])"
    )
    assert python(box, program) == "0000000000000000\n['1']"


def test_the_command_is_an_unprivileged_user_on_the_host(start: Callable[..., Box]) -> None:
    box, mark = start(), f"86{os.getpid()}"
    thread = threading.Thread(target=lambda: box.exec(["sleep", mark], timeout=600))
    thread.start()
    owners = _owners_of(mark)
    box.kill()
    thread.join()
    assert owners
    assert 0 not in owners


def _owners_of(word: str) -> set[int]:
    """The host's uids of processes that have ``word`` as an argument, waiting for one."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        found = set()
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                words = (folder / "cmdline").read_bytes().split(b"\0")
                if words[0] == b"sleep" and word.encode() in words:
                    found.add(folder.stat().st_uid)
            except OSError:
                continue
        if found:
            return found
        time.sleep(0.05)
    return set()


@pytest.mark.parametrize(
    "path",
    ["/x", "/usr/x", "/etc/x", "/usr/local/x", "/dev/x", "/proc/x", "/run/x", "/var/tmp/x"],
)
def test_everything_but_the_writable_folders_is_read_only(
    box: Box, python: Python, path: str
) -> None:
    program = f"import errno\ntry: open({path!r}, 'w')\nexcept OSError as e: print(e.errno)"
    assert python(box, program) in ("30", "13", "2")


@pytest.mark.parametrize(
    "attempt",
    [
        "open(place + '/new_module.py', 'w')",
        "os.remove(os.__file__)",
        "os.chmod(os.__file__, 0o777)",
        # It may be a link to a file, or even a folder, that is not there.
        "os.makedirs(os.path.dirname(custom), exist_ok=True); open(custom, 'w')",
    ],
)
def test_the_interpreter_is_read_only(box: Box, python: Python, attempt: str) -> None:
    program = (
        "import os\nplace = os.path.dirname(os.__file__)\n"
        "custom = os.path.realpath(place + '/sitecustomize.py')\n"
        f"try: {attempt}\nexcept OSError as e: print(e.errno)"
    )
    assert python(box, program) == "30"


def test_no_setting_of_the_kernel_can_be_changed(box: Box, python: Python) -> None:
    """Not even those of the box's own namespaces, which it would be the owner of."""
    program = (
        "import os\nfor folder, _, files in os.walk('/proc/sys'):\n"
        "    for name in files:\n"
        "        try: os.close(os.open(f'{folder}/{name}', os.O_WRONLY)); print(folder, name)\n"
        "        except OSError: pass"
    )
    assert python(box, program) == ""


@pytest.mark.parametrize("path", ["/tmp/x", "/app/x", "/dev/shm/x"])
def test_the_writable_folders_are_writable(box: Box, python: Python, path: str) -> None:
    program = f"import os; open({path!r}, 'w').write('1'); os.remove({path!r}); print('done')"
    assert python(box, program) == "done"


def test_no_terminal_can_be_reached(box: Box, python: Python) -> None:
    program = "try: open('/dev/tty')\nexcept OSError as e: print(e.errno)"
    assert python(box, program) == "6"
