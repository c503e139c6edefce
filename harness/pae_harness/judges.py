"""Which judge ``--judge`` names, and what it may spend."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pae_harness.errors import UsageError
from pae_harness.nearest import nearest

if TYPE_CHECKING:
    from pae_harness.broker.terms import Budget, Price
    from pae_verifiers.judge.models import Model

RULES, OFF, REPLAY = "rules", "off", "replay:"
CHOICES = "rules, off, MODEL@PROVIDER, MODEL@BASE_URL or replay:DIR"
PROMPTS = ("hardened", "guided", "seed")  # as pae_verifiers.judge.prompts has them
Kind = Literal["rules", "off", "model", "replay"]
CacheUse = Literal["auto", "always", "never"]


@dataclass(frozen=True)
class Judge:
    """A judge as asked for.

    ``name`` is what results call it; ``records`` is what is replayed; ``prompt`` is how a model is
    asked, one of PROMPTS.
    """

    name: str
    kind: Kind
    model: Model | None = None
    records: Path | None = None
    prompt: str = "hardened"

    @property
    def stand_in(self) -> bool:
        """Whether no published score may rest on it."""
        return self.kind == "rules"


@dataclass(frozen=True)
class Spending:
    """What a trial may use of a model, its judge's or its agent's; None is no limit but the time.

    The rest is a judge's: ``seconds`` end with the verifier's own time limit at the latest, and
    ``cache`` says when replies are used that a verifier accepted before: ``auto`` is only where
    kept outputs are judged again.
    """

    calls: int | None = None
    tokens: int | None = None
    usd: float | None = None
    seconds: float | None = None
    cache: CacheUse = "auto"
    prices: Mapping[str, Any] = field(default_factory=dict)

    def budget(self) -> Budget:
        """The limits as the broker has them."""
        from pae_harness.broker.terms import Budget

        usd = None if self.usd is None else Decimal(str(self.usd))
        return Budget(self.calls, self.tokens, usd)

    def require_price(self, model: str) -> None:
        """Raises UsageError where dollars are to be counted and nobody knows the price."""
        if self.price(model) is None and self.usd is not None:
            raise UsageError(
                f"a budget in dollars needs the price of {model}: write [prices] and "
                f'"{model}" = {{input = X, output = Y}} into pae.toml, per million tokens'
            )

    def describe(self, model: Model) -> dict[str, Any]:
        """What run.json says of ``model``: its name, where it answers, and its price if known."""
        told: dict[str, Any] = {
            "model": model.name,
            "base_url": model.base_url,
            "provider": model.provider,
        }
        if (price := self.price(model.name)) is not None:
            told["price"] = {"input": float(price.input), "output": float(price.output)}
        return told

    def price(self, model: str) -> Price | None:
        """The price of ``model``, if pae.toml has one. Raises UsageError for one of no use."""
        from pae_harness.broker.terms import Price

        if model not in self.prices:
            return None
        entry = self.prices[model]
        figures = [entry.get(name) for name in ("input", "output")] if _is_price(entry) else []
        if len(figures) != 2 or not all(_is_amount(figure) for figure in figures):
            raise UsageError(
                f"pae.toml: prices: {model!r} must be {{input = X, output = Y}}, "
                "in US dollars per million tokens"
            )
        return Price(*(Decimal(str(figure)) for figure in figures))


def parse(text: str) -> Judge:
    """The judge that ``text`` names. Raises UsageError, naming the choices, for any other."""
    if text in (RULES, OFF):
        return Judge(text, "rules" if text == RULES else "off")
    if text.startswith(REPLAY):
        folder = text.removeprefix(REPLAY)
        if not folder or not Path(folder).is_dir():
            raise UsageError(f"judge {text!r}: {folder!r} is no folder; give a run's folder")
        # runs/latest comes to point at the new run before the first record is read
        return Judge(text, "replay", records=Path(folder).resolve())
    if "@" in text:
        from pae_verifiers.errors import VerifierInputError
        from pae_verifiers.judge import models

        try:
            return Judge(text, "model", model=models.parse(text))
        except VerifierInputError as error:
            raise UsageError(str(error)) from error
    near = nearest(text, [RULES, OFF])
    hint = f"did you mean {near!r}?" if near else f"use {CHOICES}"
    raise UsageError(f"unknown judge {text!r}; {hint}")


def key_of(model: Model, environ: Mapping[str, str]) -> str:
    """The key for ``model``, or empty where it needs none. Raises UsageError without it."""
    from pae_verifiers.errors import VerifierInputError
    from pae_verifiers.judge import models

    try:
        return models.key_of(model, environ)
    except VerifierInputError as error:
        raise UsageError(str(error)) from error


def _is_price(entry: object) -> bool:
    return isinstance(entry, dict) and set(entry) == {"input", "output"}


def _is_amount(figure: object) -> bool:
    return isinstance(figure, int | float) and not isinstance(figure, bool) and figure >= 0
