"""How long to wait before an endpoint is asked again, and when that is of no use."""

from __future__ import annotations

import math
import random
import ssl
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime


def wanted_wait(headers: Mapping[str, str]) -> float | None:
    """Seconds, from 0 on, that Retry-After asks for by a number or a date; None for neither."""
    text = headers.get("retry-after", "").strip()
    try:
        seconds = float(text)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(text).timestamp() - time.time()
        except (ValueError, OverflowError):
            return None
    return max(0.0, seconds) if math.isfinite(seconds) else None


def wait(attempt: int, asked: float | None, *, first: float, longest: float) -> float:
    """Seconds to wait after the ``attempt``-th attempt, 1 for the first.

    At least ``asked``, what the endpoint asks for. Otherwise ``first``, doubled for each attempt up
    to ``longest``; half of it is left to chance, so that those who were refused together do not
    come back together.
    """
    if asked is not None:
        return asked + random.uniform(0, first / 2)
    step = min(longest, first * 2.0 ** (attempt - 1))
    return step / 2 + random.uniform(0, step / 2)


def is_untrusted(error: BaseException | None) -> bool:
    """Whether a failure to connect will be the same next time: the certificate is not trusted."""
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError):
            return True
        error = error.__cause__ or error.__context__
    return False
