"""What trials spent on models, added up and told in a line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

_COUNTS = ("_calls", "_reused")
_ROLES = ("agent", "judge")


def summed(usages: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """The sum by name. A figure that some try with calls did not tell is left out."""
    known = list(usages)
    names = dict.fromkeys(name for usage in known for name in usage)
    return {
        name: sum(usage.get(name, 0) for usage in known)
        for name in names
        if name.endswith(_COUNTS) or all(_tells(usage, name) for usage in known)
    }


def spending(usage: Mapping[str, float]) -> str:
    """``agent: 12 calls, 3,400 tokens, $0.0120; judge: …``, or nothing where nobody was asked.

    A figure that ``usage`` lacks is not told.
    """
    return "; ".join(
        f"{role}: {', '.join(_figures(usage, role))}"
        for role in _ROLES
        if usage.get(f"{role}_calls") or usage.get(f"{role}_reused")
    )


def _figures(usage: Mapping[str, float], role: str) -> list[str]:
    calls = usage.get(f"{role}_calls", 0)
    told = [f"{calls:,.0f} call{'' if calls == 1 else 's'}"]
    if reused := usage.get(f"{role}_reused"):
        told.append(f"{reused:,.0f} reused")
    tokens = [usage.get(f"{role}_{kind}_tokens") for kind in ("prompt", "completion")]
    if None not in tokens:
        told.append(f"{sum(filter(None, tokens)):,.0f} tokens")
    if (cost := usage.get(f"{role}_cost_usd")) is not None:
        told.append(f"${cost:,.4f}")
    return told


def _tells(usage: Mapping[str, float], name: str) -> bool:
    role = name.split("_", 1)[0]
    return name in usage or not usage.get(f"{role}_calls")
