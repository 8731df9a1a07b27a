"""The plan that options of the command line stand for.

Whatever is given on the command line becomes a plan, exactly as if it had been written to a file:
there is one way from a plan to a release.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from unlinkable.errors import ParameterError, SchemaError, unknown

if TYPE_CHECKING:
    from unlinkable.tables.publishing.plans import Plan

__all__ = ["data_part", "names", "plan_of", "taxonomy_parts"]

_NAME = re.compile(r'\s*(?:"((?:[^"]|"")*)"|([^,]*?))\s*(?:,|\Z)')
"""A name in a list: in double quotes, or up to the next comma."""


def plan_of(
    data: Mapping[str, object],
    roles: Mapping[str, Sequence[str]],
    taxonomies: Mapping[str, Mapping[str, object]],
    privacy: Sequence[str] | None,
) -> Plan:
    """Make the plan that the options stand for."""
    from unlinkable.spelling import read_call
    from unlinkable.tables.publishing.plans import Plan

    columns: dict[str, dict[str, object]] = {}
    for role, listed in roles.items():
        for name in listed:
            if name in columns and columns[name]["role"] == role:
                raise SchemaError(f"column {name!r} is given twice as {role}")
            if name in columns:
                raise SchemaError(
                    f"column {name!r} is given as {columns[name]['role']} and as {role}: "
                    "it can have one role"
                )
            columns[name] = {"role": role}
    for name, taxonomy in taxonomies.items():
        if name not in columns:
            raise SchemaError(f"{unknown('column', name, columns)} to give a taxonomy")
        columns[name]["taxonomy"] = dict(taxonomy)
    models = [read_call(text) for text in privacy or ()]
    plan: dict[str, object] = {
        "data": dict(data),
        "columns": columns,
        "privacy": [{"model": name, **arguments} for name, arguments in models],
    }
    return Plan.from_dict(plan, Path(), "the command line")


def names(given: Sequence[str] | None) -> list[str]:
    """Read names that are separated by commas or given one by one.

    A name with a comma stands in double quotes, as in a CSV file.

    Examples
    --------
    >>> names(["age, zip", '"last, first",job'])
    ['age', 'zip', 'last, first', 'job']
    """
    matches = [match for item in given or () for match in _NAME.finditer(item)]
    found = [
        plain or quoted.replace('""', '"') for quoted, plain in (m.groups("") for m in matches)
    ]
    return [name for name in found if name]


def data_part(
    source: str,
    *,
    separator: str | None = None,
    encoding: str | None = None,
    header: bool | None = None,
    sheet: str | None = None,
    query: str | None = None,
    missing: Sequence[str] | None = None,
    types: Sequence[str] | None = None,
    others: str | None = None,
    join: Sequence[str] | None = None,
) -> dict[str, object]:
    """Give the part of a plan that says where the data is."""
    given = {
        "source": source,
        "separator": separator,
        "encoding": encoding,
        "header": header,
        "sheet": sheet,
        "query": query,
        "missing": list(missing) if missing else None,
        "types": dict(_pair(item, "--as") for item in names(types)) or None,
        "others": others,
        "join": names(join) or None,
    }
    for option, texts in (("--separator", [separator]), ("--missing", missing), ("--as", types)):
        if any(text and _has_stray_bytes(text) for text in texts or ()):
            raise ParameterError(f"{option} must be text in UTF-8")
    return {key: value for key, value in given.items() if value is not None}


def _has_stray_bytes(text: str) -> bool:
    """Whether a text of the command line holds bytes that are no characters."""
    return any("\ud800" <= letter <= "\udfff" for letter in text)


def taxonomy_parts(
    given: Sequence[str] | None, folder: Path | None, columns: Sequence[str]
) -> dict[str, Mapping[str, object]]:
    """Read taxonomies as a plan states them."""
    parts: dict[str, Mapping[str, object]] = {}
    if folder is not None:
        if not folder.is_dir():
            raise ParameterError(f"--taxonomies {folder}: no such folder")
        files = {name: folder / f"{name}.csv" for name in columns}
        parts |= {name: {"csv": str(f.resolve())} for name, f in files.items() if f.is_file()}
    pairs = [_pair(item, "--taxonomy", columns) for item in given or ()]
    return parts | {name: _taxonomy(how) for name, how in pairs}


def _pair(item: str, option: str, columns: Sequence[str] = ()) -> tuple[str, str]:
    """Take COLUMN=VALUE apart: after a column that is known, or else at the last ``=``."""
    known = max((c for c in columns if item.startswith(f"{c}=")), key=len, default=None)
    name, mark, value = item.rpartition("=")
    if known is not None:
        name, mark, value = known, "=", item[len(known) + 1 :]
    if not mark or not name.strip() or not value.strip():
        raise ParameterError(f"{option} {item!r}: write it as COLUMN=VALUE")
    return name.strip(), value.strip()


def _taxonomy(how: str) -> dict[str, object]:
    from unlinkable.tables.taxonomies.builders import read_rule

    try:
        return read_rule(how)
    except ParameterError as error:
        raise ParameterError(f"--taxonomy {error}") from None
