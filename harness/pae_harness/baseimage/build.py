"""From Debian's packages to a root in the cache, step by step."""

from __future__ import annotations

import json
import shutil
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pae_harness.baseimage import recipe
from pae_harness.baseimage.debootstrap import require_mmdebstrap, unpack_packages
from pae_harness.baseimage.programs import add_made_files
from pae_harness.baseimage.root import FOLDER, KIND, MANIFEST, Manifest, is_whole, mark_current
from pae_harness.baseimage.sources import Sources
from pae_harness.baseimage.tree import Tree, read_tar, unpack, write_tar
from pae_harness.cache import cache_root, cached_folder, require_cache
from pae_harness.disk import refusal, remedy
from pae_harness.errors import BaseImageError, RunFolderError
from pae_harness.scratch import scratch_prefix

Say = Callable[[str], None]


@dataclass(frozen=True)
class Built:
    """A root that was just made: its folder in the cache, and its tar, in a scratch folder.

    ``unpacked_bytes`` is the sum of its files, ``tar_bytes`` the size of ``tar``.
    """

    folder: Path
    manifest: Manifest
    tar: Path
    tar_bytes: int
    unpacked_bytes: int


@contextmanager
def built_root(sources: Sources, say: Say) -> Iterator[Built]:
    """Make a root from ``sources``, tell each step, and clean up what is not in the cache.

    Raises BaseImageError, and UsageError where the cache cannot be written.
    """
    require_mmdebstrap()
    require_cache()
    scratch = None
    try:
        scratch = Path(tempfile.mkdtemp(prefix=scratch_prefix("base-image")))
        scratch.chmod(0o755)  # apt fetches as another user than root
        yield _build(sources, scratch, say)
    except OSError as error:
        raise BaseImageError(
            f"cannot write the root: {refusal(error, scratch or Path(tempfile.gettempdir()))}; "
            f"{remedy(error, 'set TMPDIR to a folder that can be written')}"
        ) from error
    except RunFolderError as error:
        raise BaseImageError(str(error)) from error
    finally:
        if scratch is not None:
            shutil.rmtree(scratch, ignore_errors=True)


def _build(sources: Sources, scratch: Path, say: Say) -> Built:
    say(f"fetching and unpacking packages of {sources.suite} from {sources.described}")
    unpacked = unpack_packages(sources, scratch)
    try:
        raw = read_tar(unpacked)
        packages = recipe.package_list(raw)
        tree = recipe.finished(raw)
    except (ValueError, KeyError, tarfile.TarError) as error:
        raise BaseImageError(
            f"the packages of {sources.suite} are not those that a root is made from: {error}; "
            "choose another --suite"
        ) from error
    unpacked.unlink()
    say(f"compiling Python {recipe.python_version(packages)}, from {len(packages)} packages")
    fs = scratch / FOLDER
    fs.mkdir()
    fs.chmod(0o755)
    unpack(tree, fs)
    tree = add_made_files(tree, fs)
    tar = scratch / "root.tar"
    with tar.open("wb") as out:
        digest, size = write_tar(tree, out)
    manifest = Manifest(
        digest=digest,
        suite=sources.suite,
        architecture=recipe.architecture(packages),
        packages={name: version for name, (version, _) in packages.items()},
        python=recipe.python_version(packages),
    )
    say(f"root {digest[:12]}")
    return Built(keep(tree, manifest), manifest, tar, size, _bytes(tree))


def _bytes(tree: Tree) -> int:
    return sum(len(entry.data) for entry in tree.values())


def keep(tree: Tree, manifest: Manifest) -> Path:
    """Put a root in the cache, make it the current one, and return its folder.

    Raises BaseImageError where the cache cannot be written.
    """

    def fill(draft: Path) -> None:
        (draft / FOLDER).mkdir()
        (draft / FOLDER).chmod(0o755)
        unpack(tree, draft / FOLDER)
        text = json.dumps(manifest.to_json(), indent=2) + "\n"
        (draft / MANIFEST).write_text(text, encoding="utf-8")
        (draft / MANIFEST).chmod(0o644)

    folder = cache_root() / KIND / manifest.digest
    try:
        if folder.is_dir() and not is_whole(folder):
            shutil.rmtree(folder)  # somebody cleaned up, but not everything
        cached_folder(KIND, manifest.digest, fill)
        mark_current(cache_root(), manifest.digest)
    except OSError as error:
        raise BaseImageError(
            f"cannot write the cache: {refusal(error, folder.parent)}; "
            f"{remedy(error, 'set PAE_CACHE to a folder that can be written')}"
        ) from error
    return folder
