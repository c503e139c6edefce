"""A file of a task folder, parsed, with the line of each of its keys."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pae_harness.errors import TaskError
from pae_harness.tasks.toml_lines import Keys, locate

if TYPE_CHECKING:
    from pae_verifiers.yamlfile import Node

MAX_BYTES = 4 << 20


@dataclass(frozen=True)
class Source:
    """A parsed TOML or YAML file: its top level is a mapping."""

    path: Path
    value: Mapping[str, Any]
    lines: Mapping[Keys, int]
    toml: bool

    def line(self, *keys: str | int) -> int:
        """The line of ``keys``, or of the nearest key around them; 1-based."""
        for depth in range(len(keys), 0, -1):
            if keys[:depth] in self.lines:
                return self.lines[keys[:depth]]
        return 1

    def error(self, message: str, *keys: str | int) -> TaskError:
        """A TaskError at the line of ``keys``."""
        return TaskError(message, self.path, self.line(*keys))


def read_text(path: Path) -> str:
    """The file's text.

    Raises TaskError where it is missing, no plain file, unreadable, too large or not UTF-8.
    """
    if path.is_symlink():
        raise TaskError("is a link: a task folder holds plain files", path)
    if path.is_dir():
        raise TaskError("is a folder where a file should be", path)
    if not path.is_file():
        raise TaskError("is missing", path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise TaskError(f"cannot be read: {error.strerror}", path) from None
    if len(data) > MAX_BYTES:
        raise TaskError(f"is larger than {MAX_BYTES >> 20} MiB", path)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise TaskError("is not UTF-8 text", path, line) from None


def read_python(path: Path) -> ast.Module:
    """The file's syntax tree; nothing runs. Raises TaskError, with the line, for what is none."""
    text = read_text(path)
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None) or 1
        raise TaskError(f"not valid Python: {getattr(error, 'msg', error)}", path, line) from None


def read_toml(path: Path) -> Source:
    """Raises TaskError, with the line, for what is not TOML."""
    text = read_text(path)
    try:
        value = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message, line = _split_position(str(error), text)
        raise TaskError(f"not valid TOML: {message}", path, line) from None
    except RecursionError:
        raise TaskError("not valid TOML: nested too deeply", path, 1) from None
    return Source(path, value, locate(text.replace("\r\n", "\n")), toml=True)


def read_yaml(path: Path) -> Source:
    """Raises TaskError, with the line, for what is not a YAML mapping."""
    from pae_verifiers.errors import VerifierInputError
    from pae_verifiers.yamlfile import parse

    text = read_text(path)
    try:
        root = parse(text, "")
    except VerifierInputError as error:
        message, line = split_line(str(error))
        last = max(1, len(text.splitlines()))  # the end of the file counts as a line after it
        raise TaskError(message, path, min(line, last)) from None
    if not isinstance(root.value, Mapping):
        raise TaskError("must be a mapping of keys to values", path, root.line)
    return Source(path, cast(Mapping[str, Any], root.plain()), dict(_lines(root, ())), toml=False)


def _lines(node: Node, keys: Keys) -> Iterator[tuple[Keys, int]]:
    yield keys, node.line
    if isinstance(node.value, Mapping):
        for key, child in node.value.items():
            yield from _lines(child, (*keys, key))
    elif isinstance(node.value, tuple):
        for index, child in enumerate(node.value):
            yield from _lines(child, (*keys, index))


def split_line(message: str) -> tuple[str, int]:
    """What a reader of a file without a name says, and its line."""
    found = re.fullmatch(r":(\d+): (.*)", message, re.DOTALL)
    return (found[2], int(found[1])) if found else (message, 1)


def _split_position(message: str, text: str) -> tuple[str, int]:
    found = re.fullmatch(r"(.*) \(at (?:line (\d+), column \d+|end of document)\)", message)
    if found is None:
        return message, 1
    last = text.rstrip("\n").count("\n") + 1
    reason = found.group(1)
    return reason[:1].lower() + reason[1:], int(found.group(2) or last)
