"""What ``${VAR}`` stands for in an external task's variables. Pure: the environment is passed in.

A box is given no credential, whoever asks for it: a task folder is somebody else's, and a box that
has no network has no use for one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_TEMPLATE = re.compile(r"\$\{([^}:]+)(?::-(.*))?\}")
_CREDENTIAL = re.compile(r"KEY|SECRET|TOKEN|PASSW|CREDENTIAL|AUTH|^PAE_|^AWS_|^DOCKER_", re.I)


def settle(variables: Mapping[str, str], environ: Mapping[str, str]) -> dict[str, str]:
    """The values of ``variables``: templates, as Harbor has them, are whole values.

    One whose variable is set takes it, else its default; of a variable that may hold a credential
    only the default counts. Raises ValueError, in words, where there is neither.
    """
    return {name: _value(name, text, environ) for name, text in variables.items()}


def _value(name: str, text: str, environ: Mapping[str, str]) -> str:
    found = _TEMPLATE.fullmatch(text)
    if found is None:
        return text
    wanted, default = found[1], found[2]
    secret = bool(_CREDENTIAL.search(wanted))
    if wanted in environ and not secret:
        return environ[wanted]
    if default is not None:
        return default
    if secret:
        raise ValueError(
            f"{name} asks for this machine's {wanted}, and no box here is given a credential: "
            f"write ${{{wanted}:-}} if the task can do without"
        )
    raise ValueError(f"{name} asks for {wanted}, which is not set and has no default: set it")
