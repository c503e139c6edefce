"""For every test: signals as a terminal would deliver them.

A shell's background job and nohup ignore SIGINT and SIGHUP, and every child inherits that; tests
that send these signals to a child would wait for ever.
"""

from __future__ import annotations

import signal

signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
