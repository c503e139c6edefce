"""What attempts to steer a judge look like, in plain text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pae_verifiers.judge.steering import chinese, english
from pae_verifiers.judge.steering.sign import Sign, compiled

if TYPE_CHECKING:
    from pae_verifiers.judge.steering import Kind

SIGNS = (*english.SIGNS, *chinese.SIGNS)

_MACHINES = "assistant|ai|judge|grader|evaluator|verifier|助手|评委|評委|评审|評審|裁判"
_SPEAKER = (
    rf"^[^\w\n]{{0,6}}(user|human|system|developer|用户|用戶|系统|系統|{_MACHINES})"
    r"[^\w\n:]{0,3}:[^\n]{0,200}"
)


def signs(text: str) -> Iterator[tuple[int, int, Kind]]:
    """Where the folded ``text`` steers, and how, in no order."""
    lower = text.lower()
    is_json = lower.lstrip()[:1] in ("{", "[")
    for sign in SIGNS:
        if sign.prose and is_json:
            continue
        if any(need in lower for need in sign.needs.split("|")):
            for match in compiled(sign.pattern).finditer(text):
                if _counts(sign, text, *match.span()):
                    yield match.start(), match.end(), sign.kind
    yield from _transcripts(text, lower)


def _counts(sign: Sign, text: str, start: int, end: int) -> bool:
    if sign.unless and compiled(sign.unless).search(text, max(0, start - 80), end + 80):
        return False
    return not sign.beside or bool(
        compiled(sign.beside).search(text, max(0, start - 300), end + 300)
    )


def _transcripts(text: str, lower: str) -> Iterator[tuple[int, int, Kind]]:
    """From the first line to the last in which somebody speaks, if a machine is among them."""
    if not any(need in lower for need in _MACHINES.split("|")):
        return
    lines = [(m.start(), m.end(), m[1].lower()) for m in compiled(_SPEAKER).finditer(text)]
    speakers = {speaker for _, _, speaker in lines}
    machines = {s for s in speakers if compiled(_MACHINES).fullmatch(s)}
    if machines and len(speakers) > 1:
        yield lines[0][0], lines[-1][1], "transcript"
