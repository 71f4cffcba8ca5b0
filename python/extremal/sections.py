"""The text of a model file, to which entries and tables are added: what is not changed stays as it was written."""
from __future__ import annotations

import json
import re
from typing import Dict, Iterator, List, Mapping, Tuple

_header = re.compile(r"[ \t]*(\[\[?)[ \t]*([A-Za-z_][\w.-]*)[ \t]*\]\]?[ \t]*(?:#.*)?$")
_key = re.compile(r"[ \t]*(?:\"([^\"]*)\"|'([^']*)'|([\w.-]+))[ \t]*=[ \t]*")
_token = re.compile(r'"""(?:\\.|[^\\])*?"""|\'\'\'.*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#[^\n]*|[][{},\n]', re.S)
_string = re.compile(r"\"(?:\\.|[^\"\\])*\"|'[^']*'|#[^\n]*")  # or a comment


def key_text(name: str) -> str:
    """A key as model files have it."""
    return name if re.fullmatch(r"[\w-]+", name) else json.dumps(name)


def _end_of_entry(text: str, at: int, comma: bool = False) -> int:
    """Where a line ends that may go on inside of brackets and texts; with `comma` also before a comma or a closing bracket."""
    depth = 0
    for found in _token.finditer(text, at):
        token = found.group()
        if depth == 0 and (token == "\n" or (comma and token in (",", "}"))):
            return found.start()
        depth += (token in ("[", "{")) - (token in ("]", "}"))
    return len(text)


def _lines(text: str) -> Iterator[Tuple[int, int]]:
    """Where lines begin and end, of entries all of their lines."""
    at = 0
    while at < len(text):
        end = text.find("\n", at)
        line = text[at:end if end >= 0 else len(text)]
        end = at + len(line) if _header.match(line) or not _key.match(line) else _end_of_entry(text, at)
        yield at, end
        at = end + 1


def inline(value: str) -> Dict[str, str]:
    """Names and values of an inline table."""
    out, at = {}, value.find("{") + 1
    while (found := _key.match(value, at)) is not None:
        end = _end_of_entry(value, found.end(), True)
        out[next(name for name in found.groups() if name is not None)] = value[found.end():end].strip()
        at = end + 1
    return out


def strings(value: str) -> List[str]:
    """The texts of a value as they are written."""
    return [token for token in _string.findall(value) if not token.startswith("#")]


class Sections:
    """Parts of a model file by their headers, "" being what is before them, "parameters" a table and "[joint]" one of a list."""

    def __init__(self, text: str) -> None:
        self._parts: List[List[str]] = [["", ""]]
        for begin, end in _lines(text):
            found = _header.match(text[begin:end])
            if found is not None:
                self._parts.append([found.group(1)[1:] + found.group(2), ""])
            self._parts[-1][1] += text[begin:end] + "\n"

    def text(self) -> str:
        return "".join(body for _, body in self._parts)

    def __contains__(self, table: str) -> bool:
        return any(name == table for name, _ in self._parts)

    def entries(self, table: str) -> Dict[str, str]:
        """Keys and values."""
        out = {}
        for name, body in self._parts:
            for begin, end in _lines(body) if name == table else ():
                found = _key.match(body, begin)
                if found is not None and _header.match(body[begin:end]) is None:
                    out[next(key for key in found.groups() if key is not None)] = body[found.end():end].strip()
        return out

    def drop(self, table: str) -> None:
        """Without a table and those inside of it."""
        self._parts = [part for part in self._parts if part[0].lstrip("[") != table and not part[0].lstrip("[").startswith(f"{table}.")]

    def put(self, table: str, entries: Mapping[str, str]) -> None:
        """Entries of a table, in the place of those of the same names."""
        if not entries:
            return
        if table not in self:
            self.add(f"[{table}]\n")
        part = next(part for part in self._parts if part[0] == table)
        new, lines = dict(entries), []
        for begin, end in _lines(part[1]):
            line, found = part[1][begin:end], _key.match(part[1], begin)
            key = next((key for key in found.groups() if key is not None), "") if found is not None else ""
            lines.append(f"{key_text(key)} = {new.pop(key)}" if key in new else line)
        head = 1 if table else 0  # entries that are new stand first
        lines[head:head] = [f"{key_text(key)} = {value}" for key, value in new.items()]
        part[1] = "\n".join(lines) + "\n"

    def take(self, table: str, *keys: str) -> Dict[str, str]:
        """Entries, which the table has no more."""
        out = {key: value for key, value in self.entries(table).items() if key in keys}
        for part in self._parts:
            if part[0] == table:
                kept = []
                for begin, end in _lines(part[1]):
                    found = _key.match(part[1], begin)
                    if found is None or next(key for key in found.groups() if key is not None) not in out:
                        kept.append(part[1][begin:end] + "\n")
                part[1] = "".join(kept)
        return out

    def add(self, text: str) -> None:
        """Tables behind all others."""
        if self._parts[-1][1] and not self._parts[-1][1].endswith("\n\n"):
            self._parts[-1][1] += "\n"
        self._parts += Sections(text)._parts[1:]

    def free(self, role: str) -> None:
        """Energies before all tables become tables, beside which there may be others."""
        for formula in strings(self.take("", role).get(role, "")):
            self.add(f"[[{role}]]\nformula = {formula}\n")
