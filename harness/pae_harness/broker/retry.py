"""When to ask an endpoint again, and how long to wait before."""

from __future__ import annotations

import random
import ssl
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

from pae_harness.broker.terms import Patience

AGAIN = frozenset({429, 500, 502, 503, 504, 529})


def wanted_wait(headers: Mapping[str, str]) -> float | None:
    """Seconds that a reply's Retry-After (or retry-after-ms) asks for, or None."""
    try:
        return max(0.0, float(headers["retry-after-ms"]) / 1000)
    except (KeyError, ValueError):
        pass
    text = headers.get("retry-after", "")
    try:
        return max(0.0, float(text))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except ValueError:
        return None


def wait(patience: Patience, attempt: int, asked: float | None) -> float:
    """Seconds to wait after the ``attempt``-th attempt, 1 for the first.

    At least what the endpoint asks for; otherwise half fixed and half chance, so that trials that
    were refused together do not come back together.
    """
    step = min(patience.longest_wait, patience.first_wait * 2 ** (attempt - 1))
    own = step / 2 + random.uniform(0, step / 2)
    return own if asked is None else asked + random.uniform(0, patience.first_wait / 2)


def is_hopeless(error: BaseException | None) -> bool:
    """Whether a failure to connect will be the same next time: the certificate is not trusted."""
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError):
            return True
        error = error.__cause__ or error.__context__
    return False
