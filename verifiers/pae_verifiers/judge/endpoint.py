"""An OpenAI-compatible endpoint, over http(s) or a Unix socket."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import httpx2

from pae_verifiers.errors import VerifierInputError
from pae_verifiers.judge.answer import shortened
from pae_verifiers.judge.backoff import is_untrusted
from pae_verifiers.judge.models import ANY_KEY, is_loopback
from pae_verifiers.judge.redact import Redactor
from pae_verifiers.judge.transport import Answer, AttemptFailed
from pae_verifiers.judge.watchdog import Watchdog

SOCKET = "unix://"
SOCKET_BASE = "http://broker/v1"  # what is asked through a socket, whose host means nothing
CONNECT_SECONDS = 10.0
MOST_BYTES = 8 << 20
_KEPT = ("retry-after", "x-should-retry")


class Endpoint:
    """A transport that posts to ``BASE_URL/chat/completions``, with the key if there is one.

    ``base_url`` is http(s), or ``unix:///PATH`` for a server on a socket. Raises
    VerifierInputError for a key that no header can carry, and where the environment's proxy or
    certificates are of no use.
    """

    def __init__(self, base_url: str, key: str = "") -> None:
        if not (key.isascii() and key.isprintable() and " " not in key):
            raise VerifierInputError(
                f"the key ({ANY_KEY}) has spaces, line breaks or characters that no key has: "
                "set it anew"
            )
        self._key, self._where, self._redactor = key, base_url, Redactor(key)
        base = SOCKET_BASE if base_url.startswith(SOCKET) else base_url.rstrip("/")
        self._url = f"{base}/chat/completions"
        try:
            self._client = _client(base_url)
        except (ImportError, OSError, ValueError, httpx2.InvalidURL) as error:
            raise VerifierInputError(
                f"there is no way to {base_url}: {shortened(str(error))}; look at SSL_CERT_FILE "
                "and the proxy variables"
            ) from error

    def send(self, body: Mapping[str, Any], seconds: float) -> Answer:
        """Raises AttemptFailed where no whole answer of at most 8 MB comes in time."""
        headers = {"content-type": "application/json", "accept": "application/json"}
        if self._key:
            headers["authorization"] = f"Bearer {self._key}"
        content = json.dumps(body, allow_nan=False).encode("ascii")
        timeout = httpx2.Timeout(max(seconds, 0.001), connect=min(CONNECT_SECONDS, seconds))
        with Watchdog(seconds) as watchdog:
            try:
                request = self._client.build_request(
                    *("POST", self._url),
                    content=content,
                    headers=headers,
                    timeout=timeout,
                    extensions={"trace": watchdog.trace},
                )
                return self._answer(self._client.send(request, stream=True))
            except httpx2.InvalidURL as error:
                raise AttemptFailed(f"{self._url} is no address: {error}", again=False) from None
            except httpx2.RequestError as error:
                raise self._failed(error, seconds, timed_out=watchdog.bitten) from None

    def _answer(self, response: httpx2.Response) -> Answer:
        pieces: list[bytes] = []
        size = 0
        try:
            if "," in response.headers.get("content-encoding", ""):  # a few bytes become any number
                raise AttemptFailed(
                    "the endpoint's answer is compressed more than once", again=False
                )
            for piece in response.iter_bytes():
                pieces.append(piece)
                size += len(piece)
                if size > MOST_BYTES:
                    raise AttemptFailed(
                        f"the endpoint's answer has over {MOST_BYTES >> 20} MB", again=False
                    )
        finally:
            response.close()
        kept = {name: response.headers[name] for name in _KEPT if name in response.headers}
        return Answer(response.status_code, self._redactor.clean(b"".join(pieces)), kept)

    def _failed(
        self, error: httpx2.RequestError, seconds: float, *, timed_out: bool
    ) -> AttemptFailed:
        if timed_out or isinstance(error, httpx2.TimeoutException):
            if isinstance(error, httpx2.ConnectTimeout):
                return AttemptFailed(f"{self._where} does not accept the call", again=True)
            shown = f"{seconds:.1f}".removesuffix(".0")
            return AttemptFailed(f"the endpoint took longer than {shown} s", again=True)
        said = shortened(self._redactor.text(str(error))) or type(error).__name__
        hopeless = isinstance(
            error, httpx2.UnsupportedProtocol | httpx2.LocalProtocolError
        ) or is_untrusted(error)
        return AttemptFailed(f"{self._where} cannot be reached: {said}", again=not hopeless)


def _client(base_url: str) -> httpx2.Client:
    """Of connections none is kept: a judgement has three requests at most, minutes apart."""
    limits = httpx2.Limits(max_keepalive_connections=0)
    if base_url.startswith(SOCKET):
        # Making the means for TLS takes longer than the whole exchange, and a socket has none.
        path = base_url.removeprefix(SOCKET)
        transport = httpx2.HTTPTransport(uds=path, verify=False, trust_env=False, limits=limits)
        return httpx2.Client(transport=transport, trust_env=False)
    # The environment's proxy, which a transport of its own passes by, does not know this machine.
    here = httpx2.HTTPTransport(limits=limits) if is_loopback(base_url) else None
    # Redirects are not followed: the key is for this address.
    return httpx2.Client(transport=here, limits=limits, follow_redirects=False)
