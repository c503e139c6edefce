"""Where each key of a TOML document stands: tomllib gives values without lines.

Only for text that tomllib has accepted: this reads its structure and checks nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping

Keys = tuple[str | int, ...]

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_STRING = re.compile(
    r'"""(?:\\.|[^\\])*?"""(?:"{0,2})'
    r"|'''.*?'''(?:'{0,2})"
    r'|"(?:\\.|[^"\\\n])*"'
    r"|'[^'\n]*'",
    re.DOTALL,
)
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_DOT = re.compile(r"[ \t]*\.[ \t]*")
_EQUALS = re.compile(r"[ \t]*=[ \t]*")
_SCALAR = re.compile(r"[^,\]}#\n]+")


def locate(text: str) -> Mapping[Keys, int]:
    """The 1-based line of each key, table and array entry of a valid TOML document."""
    return _Locator(text).run()


class _Locator:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.starts = [0] + [match.end() for match in re.finditer("\n", text)]
        self.lines: dict[Keys, int] = {}
        self.last_entry: dict[Keys, int] = {}  # array of tables → index of its latest table

    def run(self) -> Mapping[Keys, int]:
        table: Keys = ()
        self._skip(_BLANK)
        while self.at < len(self.text):
            before = self.at
            if self.text.startswith("[[", self.at):
                table = self._array_header()
            elif self.text[self.at] == "[":
                table = self._table_header()
            else:
                self._pair(table)
            self._skip(_BLANK)
            if self.at == before:  # not TOML as this module knows it: keep what is located
                break
        return self.lines

    def _skip(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self.text, self.at)
        if match is None:
            return ""
        self.at = match.end()
        return match.group()

    def _note(self, keys: Keys, position: int) -> None:
        self.lines.setdefault(keys, bisect_right(self.starts, position))

    def _key(self) -> list[str]:
        parts: list[str] = []
        while True:
            quoted = self._skip(_STRING)
            parts.append(_unquote(quoted) if quoted else self._skip(_BARE_KEY))
            if not self._skip(_DOT):
                return parts

    def _resolve(self, parts: list[str]) -> Keys:
        path: Keys = ()
        for part in parts:
            path = (*path, part)
            if path in self.last_entry:
                path = (*path, self.last_entry[path])
        return path

    def _table_header(self) -> Keys:
        start = self.at
        self.at += 1
        self._skip(_BLANK)
        path = self._resolve(self._key())
        self._skip(_BLANK)
        self.at += 1
        self._note_all(path, start)
        return path

    def _array_header(self) -> Keys:
        start = self.at
        self.at += 2
        self._skip(_BLANK)
        *parents, last = self._key()
        array = (*self._resolve(parents), last)
        self.last_entry[array] = self.last_entry.get(array, -1) + 1
        self._skip(_BLANK)
        self.at += 2
        path = (*array, self.last_entry[array])
        self._note_all(path, start)
        return path

    def _note_all(self, path: Keys, position: int) -> None:
        for depth in range(1, len(path) + 1):
            self._note(path[:depth], position)

    def _pair(self, table: Keys) -> None:
        start = self.at
        path = (*table, *self._key())
        self._note_all(path, start)
        self._skip(_EQUALS)
        self._value(path)

    def _value(self, path: Keys) -> None:
        if self._skip(_STRING):
            return
        opening = self.text[self.at : self.at + 1]
        if opening == "[":
            self._entries(path, "]")
        elif opening == "{":
            self._entries(path, "}")
        else:
            self._skip(_SCALAR)

    def _entries(self, path: Keys, closing: str) -> None:
        self.at += 1
        index = 0
        self._skip(_BLANK)
        while self.at < len(self.text) and self.text[self.at] != closing:
            before = self.at
            if closing == "]":
                self._note((*path, index), self.at)
                self._value((*path, index))
                index += 1
            else:
                self._pair(path)
            self._skip(_BLANK)
            if self.text.startswith(",", self.at):
                self.at += 1
                self._skip(_BLANK)
            if self.at == before:
                return
        self.at += 1


def _unquote(quoted: str) -> str:
    if quoted.startswith("'"):
        return quoted[1:-1]
    return re.sub(r"\\(.)", r"\1", quoted[1:-1])
