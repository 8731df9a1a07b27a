"""Plans as TOML: read with the line of what is wrong, written as a person would write them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping

import tomli_w

from unlinkable.errors import PlanError

__all__ = ["read_toml", "write_toml"]

_WIDTH = 100
"""A table or list that fits into a line of this length is written on one."""

_PLACE = re.compile(r"\s*\(at line (\d+), column (\d+)\)$")


def read_toml(text: str, file: str) -> dict[str, object]:
    r"""Read a TOML document.

    Raises
    ------
    PlanError
        If it is none, with the line.

    Examples
    --------
    >>> read_toml("[method\nname = 1", "plan.toml")
    Traceback (most recent call last):
    ...
    unlinkable.errors.PlanError: plan.toml, line 1, column 8: Expected ']' at the end of a table
    declaration
    """
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise PlanError(f"{file}: lists or tables are nested too deeply") from None
    except ValueError as error:
        said = str(error)
        if place := _PLACE.search(said):
            where = f", line {place[1]}, column {place[2]}"
            raise PlanError(f"{file}{where}: {_PLACE.sub('', said)}") from None
        raise PlanError(f"{file}, line {len(text.splitlines())}: {said}") from None


def write_toml(document: Mapping[str, object]) -> str:
    """Write the tables of a plan, short ones within a line.

    Examples
    --------
    >>> print(write_toml({"columns": {"age": {"taxonomy": {"intervals": [5, 10]}}}}), end="")
    [columns.age]
    taxonomy = { intervals = [5, 10] }
    """
    blocks: list[str] = []
    for name, table in document.items():
        if name == "columns" and isinstance(table, Mapping) and table:
            blocks += [_table(["columns", column], form) for column, form in table.items()]
        elif isinstance(table, list):
            blocks += [_table([name], item, "[[{}]]") for item in table]
        else:
            blocks.append(_table([name], table))
    return "\n".join(blocks)


def _table(path: list[str], table: object, header: str = "[{}]") -> str:
    assert isinstance(table, Mapping)
    lines, below = [header.format(".".join(map(_key, path)))], ""
    for key, value in table.items():
        line = f"{_key(key)} = {_inline(value)}"
        if len(line) > _WIDTH and isinstance(value, Mapping):
            below += "\n" + _nested([*path, key], value)
        elif len(line) > _WIDTH and isinstance(value, list):
            items = [f"    {_inline(item)}," for item in value]
            lines += [f"{_key(key)} = [", *items, "]"]
        else:
            lines.append(line)
    return "\n".join(lines) + "\n" + below


def _nested(path: list[str], value: Mapping[str, object]) -> str:
    """Write a large table below its own headers."""
    document: Mapping[str, object] = value
    for key in reversed(path):
        document = {key: document}
    return tomli_w.dumps(document)


def _inline(value: object) -> str:
    if isinstance(value, Mapping):
        inside = ", ".join(f"{_key(key)} = {_inline(item)}" for key, item in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, list):
        return f"[{', '.join(map(_inline, value))}]"
    return tomli_w.dumps({"x": value}).removeprefix("x = ").removesuffix("\n")


def _key(key: str) -> str:
    return tomli_w.dumps({key: 0}).removesuffix(" = 0\n")
