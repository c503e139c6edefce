"""What reading one document may cost. One that takes more is not evaluable: were it to end the
verifier instead, an agent could write such a document to have no result in place of a bad one."""

from __future__ import annotations

import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from pae_verifiers.errors import DocumentError

CPU_SECONDS = 20.0  # an honest memo takes a fraction of one
MEMORY_BYTES = 1 << 30


class _Spent(BaseException):
    """Nothing that handles exceptions on the way may take it for one of its own."""


@contextmanager
def bounded(cpu_seconds: float = CPU_SECONDS, memory_bytes: int = MEMORY_BYTES) -> Iterator[None]:
    """Raise DocumentError where the block takes too much processor time, memory or depth.

    Processor time is this process's own, so a busy machine and a slow judge cost nothing. For the
    main thread only.
    """

    def stop(number: int, frame: FrameType | None) -> None:
        raise _Spent

    before = resource.getrlimit(resource.RLIMIT_DATA)
    most = before[1]
    allowed = memory_bytes if most == resource.RLIM_INFINITY else min(memory_bytes, most)
    handler = signal.signal(signal.SIGPROF, stop)
    resource.setrlimit(resource.RLIMIT_DATA, (allowed, most))
    # Again every second, in case the first was raised where Python ignores exceptions.
    signal.setitimer(signal.ITIMER_PROF, cpu_seconds, 1)
    try:
        yield
    except _Spent:
        raise DocumentError(f"the document takes longer than {cpu_seconds:g} s to read") from None
    except RecursionError:
        raise DocumentError("the document is nested too deeply to read") from None
    except MemoryError:
        raise DocumentError("the document takes too much memory to read") from None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, handler)
        resource.setrlimit(resource.RLIMIT_DATA, before)
