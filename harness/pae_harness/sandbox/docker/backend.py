"""The ``docker`` backend itself: which image a box gets, and its container."""

from __future__ import annotations

import itertools
import weakref
from contextlib import suppress

from pae_harness.errors import SandboxError, SandboxUnavailableError
from pae_harness.runtime import image_verifier_digest
from pae_harness.sandbox.checks import check_spec
from pae_harness.sandbox.docker.container import UID, Container
from pae_harness.sandbox.docker.engine import AwayError, Engine, MissingError, connect
from pae_harness.sandbox.docker.images import Images
from pae_harness.sandbox.docker.patience import Patience
from pae_harness.sandbox.docker.reap import reap
from pae_harness.sandbox.protocol import BoxSpec
from pae_harness.sandbox.sources import check_sources
from pae_harness.sandbox.supervised import SupervisedBox

_SOMEBODY = 1 << 30  # a host's user that is none of this process's own


class DockerSandbox:
    """Boxes made by a container engine: the one given, or the first that answers.

    Raises SandboxUnavailableError, with the way out, without an engine or a base image.
    """

    def __init__(self, engine: Engine | None = None) -> None:
        self._engine = engine or connect()
        weakref.finalize(self, self._engine.client.close)
        self._images = Images(self._engine)
        self._patience = Patience(self._engine)
        self._numbers = itertools.count()
        try:
            self._images.base()  # without one, no box could start
            reap(self._engine)
        except SandboxError as error:
            raise SandboxUnavailableError(str(error)) from None

    @property
    def name(self) -> str:
        return "docker"

    @property
    def maker(self) -> str:
        base = self._images.base()
        exactly = base.digest or f"{base.tag} {base.id.removeprefix('sha256:')[:12]}"
        return f"{self._engine.name} {self._engine.version}, base {exactly}"

    @property
    def verifier_digest(self) -> str:
        return image_verifier_digest()

    def start(self, spec: BoxSpec) -> ContainerBox:
        """Start a box. Raises SandboxError, or SandboxUnavailableError with a way out.

        Once more where an image has gone, which is then built again, and where the engine has: it
        may only be starting anew.
        """
        check_spec(spec)
        try:
            return self._start(spec)
        except MissingError:
            self._images.forget()
        except AwayError:
            if not self._patience.outlast():
                raise
        return self._start(spec)

    def _start(self, spec: BoxSpec) -> ContainerBox:
        uid = _SOMEBODY if self._engine.rootless else UID
        check_sources([mount.source for mount in spec.mounts], uid)
        image = self._images.get(spec.software)
        number = next(self._numbers)
        if number == 1:
            # What a process asked for as it was killed may have come into being since.
            with suppress(SandboxError):
                reap(self._engine)
        return ContainerBox(Container(self._engine, image, spec, number))


class ContainerBox(SupervisedBox):
    """A running container."""

    def __init__(self, container: Container) -> None:
        self.container = container
        super().__init__(container)

    def _why_it_went(self) -> str:
        return self.container.end
