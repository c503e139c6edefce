"""When to ask an endpoint again, and how long to wait before."""

from __future__ import annotations

import math
import random
import ssl
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

from pae_harness.broker.terms import Patience

AGAIN = frozenset({429, 500, 502, 503, 504, 529})


def wanted_wait(headers: Mapping[str, str]) -> float | None:
    """Seconds that a reply's Retry-After (or retry-after-ms) asks for, or None."""
    for name, scale in (("retry-after-ms", 1000), ("retry-after", 1)):
        try:
            seconds = float(headers[name]) / scale
        except (KeyError, ValueError):
            continue
        if not math.isnan(seconds):
            return max(0.0, seconds)
    try:
        return max(0.0, parsedate_to_datetime(headers["retry-after"]).timestamp() - time.time())
    except (KeyError, ValueError, OverflowError):
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
