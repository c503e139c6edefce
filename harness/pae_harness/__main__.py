"""``python -m pae_harness`` is ``pae``."""

from pae_harness.main import run

run()
