"""YAML with lines: PyYAML's nodes carry them, its values do not.

Stricter than YAML: no duplicate keys, no keys that are not strings, no anchors and aliases.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import yaml

from pae_harness.tasks.toml_lines import Keys

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class YamlError(Exception):
    """``line`` is 1-based."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.message = message
        self.line = line


def parse(text: str) -> tuple[object, Mapping[Keys, int]]:
    """The document's value, and the 1-based line of each key and entry. Raises YamlError."""
    try:
        loader = _Loader(text)
        node = loader.get_single_node()
        if node is None:
            return None, {}
        lines: dict[Keys, int] = {}
        _walk(node, (), lines, set())
        return loader.construct_document(node), lines
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = error.problem or error.context or "it cannot be read"
        raise YamlError(f"not valid YAML: {problem}", mark.line + 1 if mark else 1) from None
    except yaml.reader.ReaderError as error:
        raise YamlError(f"not valid YAML: {error.reason}", 1) from None
    except (ValueError, RecursionError) as error:  # a date such as 2026-02-30; a thousand brackets
        raise YamlError(f"not valid YAML: {error}", 1) from None


def _walk(node: Any, path: Keys, lines: dict[Keys, int], seen: set[int]) -> None:
    if id(node) in seen:
        raise YamlError("anchors and aliases are not accepted here", node.start_mark.line + 1)
    seen.add(id(node))
    lines.setdefault(path, node.start_mark.line + 1)
    if isinstance(node, yaml.MappingNode):
        _walk_mapping(node, path, lines, seen)
    elif isinstance(node, yaml.SequenceNode):
        for index, child in enumerate(node.value):
            _walk(child, (*path, index), lines, seen)


def _walk_mapping(node: Any, path: Keys, lines: dict[Keys, int], seen: set[int]) -> None:
    for key, child in node.value:
        line = key.start_mark.line + 1
        if key.tag != "tag:yaml.org,2002:str":
            shown = key.value if isinstance(key, yaml.ScalarNode) else "a collection"
            raise YamlError(f"the key {shown} is not a string: put it in quotes", line)
        here = (*path, str(key.value))
        if here in lines:
            raise YamlError(
                f"the key '{key.value}' stands twice, first on line {lines[here]}", line
            )
        lines[here] = line
        _walk(child, here, lines, seen)
