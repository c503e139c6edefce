"""YAML with line numbers: every complaint about a task's file says where it is."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple, TypeVar

import yaml

from pae_verifiers.errors import VerifierInputError

try:
    from yaml import CSafeLoader as Loader
except ImportError:  # PyYAML built without libyaml: slower, otherwise the same
    from yaml import SafeLoader as Loader  # type: ignore[assignment]

MAX_DEPTH = 50

_TEXT = "tag:yaml.org,2002:str"

Choice = TypeVar("Choice", bound=str)


class Node(NamedTuple):
    """A value of a YAML file, with the file and the line it stands in.

    ``value`` is a scalar, a ``Mapping[str, Node]`` or a ``tuple[Node, ...]``. The accessors raise
    ``error_type`` with file, line and what was expected.
    """

    value: object
    file: str
    line: int
    error_type: type[VerifierInputError] = VerifierInputError

    def error(self, message: str) -> VerifierInputError:
        """The error to raise about this value."""
        return self.error_type(f"{self.file}:{self.line}: {message}")

    def fields(self, required: Sequence[str], optional: Sequence[str] = ()) -> Mapping[str, Node]:
        """The mapping's entries, after checking that no key is missing or unknown."""
        entries = self.mapping()
        known = (*required, *optional)
        for key, node in entries.items():
            if key not in known:
                raise node.error(f"unknown key {key!r}{_nearest(key, known)}")
        for key in required:
            if key not in entries:
                raise self.error(f"the key {key!r} is missing")
        return entries

    def mapping(self) -> Mapping[str, Node]:
        if not isinstance(self.value, Mapping):
            raise self.error("expected a mapping (key: value)")
        return self.value

    def sequence(self) -> tuple[Node, ...]:
        if not isinstance(self.value, tuple):
            raise self.error("expected a list")
        return self.value

    def text(self) -> str:
        if not isinstance(self.value, str) or not self.value.strip():
            raise self.error("expected text")
        return self.value

    def integer(self) -> int:
        if isinstance(self.value, bool) or not isinstance(self.value, int):
            raise self.error("expected a whole number")
        return self.value

    def boolean(self) -> bool:
        if not isinstance(self.value, bool):
            raise self.error("expected true or false")
        return self.value

    def share(self) -> Fraction:
        """A number in [0, 1], exactly as it is written: 0.1 is one tenth."""
        if isinstance(self.value, bool) or not isinstance(self.value, int | float):
            raise self.error("expected a number from 0 to 1")
        if not 0 <= self.value <= 1:  # also refuses .nan
            raise self.error(f"expected a number from 0 to 1, not {self.value}")
        return Fraction(repr(self.value))

    def positive_share(self) -> Fraction:
        """A number above 0 and at most 1, exactly as it is written."""
        share = self.share()
        if not share:
            raise self.error("expected a number above 0")
        return share

    def choice(self, options: Collection[Choice]) -> Choice:
        for option in options:
            if self.value == option:
                return option
        name = str(self.value)
        near = _nearest(name, tuple(options), others="")
        raise self.error(f"{name!r} is not one of {', '.join(options)}{near}")

    def plain_mapping(self) -> dict[str, object]:
        """The mapping as an ordinary dict."""
        return {key: node.plain() for key, node in self.mapping().items()}

    def plain(self) -> object:
        """The value as ordinary dicts, lists and scalars."""
        if isinstance(self.value, tuple):
            return [node.plain() for node in self.value]
        if isinstance(self.value, dict):
            return {key: node.plain() for key, node in self.value.items()}
        return self.value


def parse(text: str, file: str, error_type: type[VerifierInputError] = VerifierInputError) -> Node:
    """Read one YAML document. Raises ``error_type`` for bad YAML, duplicate or non-text keys."""
    try:
        loader = Loader(text)
        try:
            root = loader.get_single_node()
            if root is None:
                raise error_type(f"{file}:1: the file is empty")
            return _Builder(loader, file, error_type).build(root, root.start_mark.line + 1, 0)
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        raise error_type(f"{file}:{line}: not valid YAML: {error.problem}") from error
    except (yaml.YAMLError, ValueError) as error:
        raise error_type(f"{file}:1: not valid YAML: {error}") from error


class _Builder(NamedTuple):
    loader: Loader
    file: str
    error_type: type[VerifierInputError]

    def build(self, node: yaml.Node, line: int, depth: int) -> Node:
        if depth > MAX_DEPTH:
            raise self.error_type(f"{self.file}:{line}: nested deeper than {MAX_DEPTH} levels")
        value: object
        if isinstance(node, yaml.ScalarNode):
            text = node.tag == _TEXT
            value = node.value if text else self.loader.construct_object(node, deep=True)
        elif isinstance(node, yaml.MappingNode):
            value = self._mapping(node, depth)
        else:
            items = [self.build(item, item.start_mark.line + 1, depth + 1) for item in node.value]
            value = tuple(items)
        return Node(value, self.file, line, self.error_type)

    def _mapping(self, node: yaml.MappingNode, depth: int) -> Mapping[str, Node]:
        entries: dict[str, Node] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            key = key_node.value
            if not isinstance(key, str):
                raise self.error_type(f"{self.file}:{line}: a key must be plain text")
            if key in entries:
                raise self.error_type(f"{self.file}:{line}: the key {key!r} occurs twice")
            entries[key] = self.build(value_node, line, depth + 1)
        return entries


def _nearest(name: str, known: Sequence[str], others: str = " (known: {})") -> str:
    import difflib

    near = difflib.get_close_matches(name, known, n=1)
    return f"; did you mean {near[0]!r}?" if near else others.format(", ".join(known))
