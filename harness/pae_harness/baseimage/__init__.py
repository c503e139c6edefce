"""A small hermetic root file system from Debian's packages, and a container image of it.

A root's digest is the SHA-256 of its tar, and that tar is the image's only layer.
"""

from __future__ import annotations

from pae_harness.baseimage.root import Root, current_root

__all__ = ["Root", "current_root"]
