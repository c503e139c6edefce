"""Loads what the sources say: results.json with its literals, and facts.yaml on top of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from pae_verifiers.errors import SourcesError
from pae_verifiers.numbers import keys
from pae_verifiers.numbers.leaves import Leaf, read
from pae_verifiers.numbers.model import Fact, Facts, Sign
from pae_verifiers.numbers.units import UNITS

Groups = tuple[tuple[str, ...], ...]

_TOP_KEYS = ("names", "name_fields", "facts")
_ENTRY_KEYS = ("unit", "aliases", "required", "sign")
_FIELD = re.compile(r"\{([^{}]+)\}")


class Entry(NamedTuple):
    """One pointer pattern of facts.yaml with what it says of the facts it matches."""

    pattern: str
    steps: tuple[str, ...]
    unit: str | None
    aliases: Groups | None
    required: str | None
    sign: Sign | None

    def matches(self, leaf: Leaf) -> tuple[str, ...] | None:
        """What each ``*`` matched, or None when the pointer, as deep as this, is another one."""
        if leaf.is_length != self.pattern.endswith("#"):
            return None
        stars: list[str] = []
        for step, own in zip(self.steps, leaf.steps, strict=True):
            if step == "*":
                stars.append(own)
            elif step != own:
                return None
        return tuple(stars)


def load(
    results: str,
    config: Mapping[str, object] | None = None,
    *,
    texts: Sequence[str] = (),
) -> Facts:
    """The facts of a JSON text.

    ``config`` is the parsed facts.yaml; without it, units and aliases come from the keys, and every
    array's length is a fact. ``texts`` are other sources, whose dates, names and labels are known.
    Raises SourcesError when the JSON cannot be read or the config has a key, unit or alias field
    that does not exist, or requires a group that no number of the JSON can meet.
    """
    leaves = read(results)
    entries = _entries(config or {})
    names = _with_fields(_names(config or {}), leaves.numbers, _name_fields(config or {}))
    shelf = _Shelf(entries)
    facts: list[Fact] = []
    for leaf in leaves.numbers:
        entry, stars = shelf.entry_for(leaf)
        if leaf.is_length and entry is None and config is not None:
            continue
        facts.append(_fact(leaf, entry, stars, names))
    return Facts(
        facts=tuple(facts),
        strings=(*leaves.strings, *texts),
        required=_required(entries, facts),
    )


def _required(entries: Iterable[Entry], facts: Iterable[Fact]) -> tuple[str, ...]:
    """The required groups, each of which some fact must be able to meet."""
    groups = dict.fromkeys(entry.required for entry in entries if entry.required)
    met = {fact.required for fact in facts}
    for group in groups:
        if group not in met:
            raise SourcesError(
                f"facts.yaml requires '{group}', but none of its pointers is in the results; "
                "correct the pointers, or drop the requirement"
            )
    return tuple(groups)


def _fact(
    leaf: Leaf, entry: Entry | None, stars: tuple[str, ...], names: Mapping[str, Sequence[str]]
) -> Fact:
    if entry is None or entry.aliases is None:
        groups = keys.groups_of(leaf)
    else:
        groups = tuple(_filled(group, leaf, stars, entry) for group in entry.aliases)
    return Fact(
        pointer=leaf.pointer,
        literal=leaf.literal,
        value=Decimal(leaf.literal),
        unit=(entry.unit if entry else None) or keys.unit_of(leaf),
        aliases=tuple(_with_synonyms(group, names) for group in groups),
        sign=(entry.sign if entry else None) or keys.sign_of(leaf),
        required=entry.required if entry else None,
    )


class _Shelf:
    """The entries, to be found by depth and first step."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._entries: dict[tuple[int, str], list[Entry]] = {}
        for entry in entries:
            first = entry.steps[0] if entry.steps else ""
            self._entries.setdefault((len(entry.steps), first), []).append(entry)

    def entry_for(self, leaf: Leaf) -> tuple[Entry | None, tuple[str, ...]]:
        """The entry with the fewest stars that matches, the first of several; what they matched."""
        depth, first = len(leaf.steps), leaf.steps[0] if leaf.steps else ""
        near = (*self._entries.get((depth, first), ()), *self._entries.get((depth, "*"), ()))
        found = [(entry, stars) for entry in near if (stars := entry.matches(leaf)) is not None]
        return min(found, key=lambda pair: len(pair[1]), default=(None, ()))


def _filled(
    group: Iterable[str], leaf: Leaf, stars: tuple[str, ...], entry: Entry
) -> tuple[str, ...]:
    """The group with {1} and {field} filled in; an alias whose field this leaf lacks falls out."""
    filled: list[str] = []
    missing: list[str] = []
    for alias in group:
        if "{" not in alias:
            filled.append(alias)
            continue
        text = alias
        for name in _FIELD.findall(alias):
            value = _field(name, leaf, stars)
            if value is None:
                missing.append(name)
                break
            text = text.replace("{" + name + "}", value)
        else:
            filled.append(text)
    if not filled:
        raise SourcesError(
            f"facts.yaml: {entry.pattern}: no alias is left of {list(group)} for {leaf.pointer}, "
            f"which has no {missing[0] if missing else 'name'}"
            f"{_nearest(missing[0], leaf.siblings) if missing else ''}"
        )
    return tuple(dict.fromkeys(filled))


def _field(name: str, leaf: Leaf, stars: tuple[str, ...]) -> str | None:
    if name.isdigit():
        index = int(name) - 1
        return stars[index] if 0 <= index < len(stars) else None
    return leaf.siblings.get(name)


def _with_synonyms(group: Sequence[str], names: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    every = [*group, *(s for alias in group for s in names.get(alias.casefold(), ()))]
    return tuple(dict.fromkeys(every))


def _names(config: Mapping[str, object]) -> dict[str, tuple[str, ...]]:
    section = config.get("names") or {}
    if not isinstance(section, Mapping):
        raise SourcesError("facts.yaml: names: a mapping of name to list of synonyms is needed")
    return {
        str(name).casefold(): _strings(synonyms, f"names: {name}")
        for name, synonyms in section.items()
    }


def _name_fields(config: Mapping[str, object]) -> tuple[str, ...]:
    fields = config.get("name_fields")
    return () if fields is None else _strings(fields, "facts.yaml: name_fields")


def _with_fields(
    names: Mapping[str, tuple[str, ...]], leaves: Iterable[Leaf], fields: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    """The synonyms, and for each ``name`` in the data what the fields beside it call it."""
    found = {name: dict.fromkeys(synonyms) for name, synonyms in names.items()}
    for leaf in leaves if fields else ():
        own = leaf.siblings.get("name")
        if own:
            beside = (leaf.siblings[field] for field in fields if field in leaf.siblings)
            found.setdefault(own.casefold(), {}).update(dict.fromkeys(beside))
    return {name: tuple(synonyms) for name, synonyms in found.items()}


def _entries(config: Mapping[str, object]) -> tuple[Entry, ...]:
    _only(config, _TOP_KEYS, "facts.yaml")
    section = config.get("facts") or {}
    if not isinstance(section, Mapping):
        raise SourcesError("facts.yaml: facts: a mapping of JSON pointers is needed")
    return tuple(_entry(str(pattern), body or {}) for pattern, body in section.items())


def _entry(pattern: str, body: object) -> Entry:
    where = f"facts.yaml: {pattern}"
    if not pattern.startswith("/"):
        raise SourcesError(f"{where}: a JSON pointer starts with /")
    if not isinstance(body, Mapping):
        raise SourcesError(f"{where}: a mapping with {', '.join(_ENTRY_KEYS)} is needed")
    _only(body, _ENTRY_KEYS, where)
    return Entry(
        pattern=pattern,
        steps=_steps(pattern.removesuffix("#")),
        unit=_unit(body.get("unit"), where),
        aliases=_aliases(body.get("aliases"), where),
        required=None if body.get("required") is None else str(body["required"]),
        sign=_sign(body.get("sign"), where),
    )


def _steps(pointer: str) -> tuple[str, ...]:
    return tuple(s.replace("~1", "/").replace("~0", "~") for s in pointer.split("/")[1:])


def _unit(unit: object, where: str) -> str | None:
    if unit is None:
        return None
    known = {alias: spec.name for alias, spec in UNITS.items()}
    if str(unit) not in known:
        raise SourcesError(f"{where}: no unit is called {unit}{_nearest(str(unit), known)}")
    return known[str(unit)]


def _sign(sign: object, where: str) -> Sign | None:
    if sign == "magnitude":
        return "magnitude"
    if sign == "signed":
        return "signed"
    if sign is None:
        return None
    raise SourcesError(f"{where}: sign is magnitude or signed, not {sign}")


def _aliases(groups: object, where: str) -> Groups | None:
    if groups is None:
        return None
    if not isinstance(groups, list):
        raise SourcesError(
            f"{where}: aliases: a list of groups, each a list of synonyms, is needed"
        )
    return tuple(_strings(group, f"{where}: aliases") for group in groups)


def _strings(items: object, where: str) -> tuple[str, ...]:
    if not isinstance(items, list) or not items:
        raise SourcesError(f"{where}: a list of words or phrases is needed, not {items!r}")
    return tuple(str(item) for item in items)


def _only(section: Mapping[str, object], known: Sequence[str], where: str) -> None:
    for key in section:
        if key not in known:
            raise SourcesError(f"{where}: no key is called {key}{_nearest(str(key), known)}")


def _nearest(word: str, known: Iterable[str]) -> str:
    import difflib

    close = difflib.get_close_matches(word, list(known), n=1)
    return f" (nearest: {close[0]})" if close else ""
