"""The last step of an image's build, run in it: the box's user, and the supervisor byte-compiled.

It needs nothing but Python 3.9's standard library.
"""

# The image's Python runs this on its own: no pathlib is needed for three lines.
# ruff: noqa: PTH123

from __future__ import annotations

import compileall
import os
import py_compile
import sys

UID = 1000


def main() -> None:
    if sys.version_info < (3, 9):  # noqa: UP036
        sys.exit(f"python3 of the image is {sys.version.split()[0]}: boxes need 3.9 or newer")
    for path, line in (
        ("/etc/passwd", f"agent:x:{UID}:{UID}:agent:/home/agent:/bin/sh\n"),
        ("/etc/group", f"agent:x:{UID}:\n"),
    ):
        known = ""
        if os.path.exists(path):  # noqa: PTH110
            with open(path) as file:
                known = file.read()
        if f":{UID}:" not in known:
            with open(path, "a") as file:
                file.write(line)
    compileall.compile_dir(
        "/pae/supervisor",
        quiet=1,
        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
    )
    os.remove(__file__)  # noqa: PTH107
    # Read by the harness from the build's output.
    print("pae: python {}.{}".format(*sys.version_info[:2]))  # noqa: T201


main()
