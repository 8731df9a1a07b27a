"""The options that several commands share, and the plan that they stand for.

Whatever is given on the command line becomes a plan, exactly as if it had been written to a file:
there is one way from a plan to a release.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from unlinkable.errors import ParameterError, SchemaError, unknown

if TYPE_CHECKING:
    from unlinkable.release.plan import Plan

__all__ = [
    "As",
    "Data",
    "Encoding",
    "Guard",
    "Header",
    "Identifier",
    "Insensitive",
    "Jobs",
    "Join",
    "Json",
    "Missing",
    "Original",
    "Others",
    "Owner",
    "Privacy",
    "Quasi",
    "Query",
    "Sensitive",
    "Separator",
    "Sheet",
    "Target",
    "Taxonomies",
    "Taxonomy",
    "Weight",
    "chart_file",
    "data_part",
    "names",
    "plan_file",
    "plan_of",
    "taxonomy_parts",
]

Names: TypeAlias = list[str] | None

_CHARTS = (".svg", ".png", ".html", ".json")
"""How the name of a file for a chart may end."""

_NAME = re.compile(r'\s*(?:"((?:[^"]|"")*)"|([^,]*?))\s*(?:,|\Z)')
"""A name in a list: in double quotes, or up to the next comma."""

Data = Annotated[
    str, typer.Argument(help="The table: CSV, Parquet, Arrow, Excel, SPSS, SAS, Stata, or SQL.")
]
Quasi = Annotated[
    Names, typer.Option("--quasi", "-q", help='Columns that others may know: a,b,"c, d".')
]
Sensitive = Annotated[
    Names, typer.Option("--sensitive", "-s", help="Columns that nobody may find out.")
]
Identifier = Annotated[
    Names, typer.Option("--identifier", help="Columns that name people. They are dropped.")
]
Target = Annotated[Names, typer.Option("--target", help="Columns that recipients predict.")]
Insensitive = Annotated[
    Names, typer.Option("--insensitive", help="Columns that are published as they are.")
]
Owner = Annotated[
    str | None, typer.Option("--owner", help="Column that tells whose record it is: people count.")
]
Guard = Annotated[
    str | None, typer.Option("--guard", help="Column with what each person wants guarded.")
]
Join = Annotated[
    Names, typer.Option("--join", help="Further tables of the same people, joined by --owner.")
]
Original = Annotated[
    Path | None,
    typer.Option("--original", help="The records as they were, row by row, for promises on them."),
]
Weight = Annotated[str | None, typer.Option("--weight", help="Column with weights of records.")]
Others = Annotated[
    str | None,
    typer.Option("--others", help="What to do with all other columns: drop or insensitive."),
]
Privacy = Annotated[
    Names,
    typer.Option("--privacy", "-p", help='A promise, like "k-anonymity(k=5)". May be repeated.'),
]
Taxonomy = Annotated[
    Names,
    typer.Option(
        "--taxonomy",
        "-t",
        help="COLUMN=HOW: age=intervals:5,10,20 · zip=mask:5 · day=dates:month,year · "
        "job=job.csv · sex=flat · size=auto. May be repeated.",
    ),
]
Taxonomies = Annotated[
    Path | None,
    typer.Option("--taxonomies", help="Folder with a file COLUMN.csv for each taxonomy."),
]
Separator = Annotated[str | None, typer.Option("--separator", help="Separator of a CSV file.")]
Encoding = Annotated[str | None, typer.Option("--encoding", help="Encoding of a CSV file.")]
Header = Annotated[
    bool | None,
    typer.Option("--header/--no-header", help="Whether the first line names the columns."),
]
Sheet = Annotated[str | None, typer.Option("--sheet", help="Sheet of an Excel file.")]
Query = Annotated[str | None, typer.Option("--query", help="What to read from a SQL address.")]
Missing = Annotated[
    Names, typer.Option("--missing", help="Texts that mean that there is no value, like NA or ?.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document on standard output.")]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs", min=1, help="How many searches run at a time; one per core if not given."
    ),
]
As = Annotated[
    Names, typer.Option("--as", help="Types of columns: zip=text,age=integer,born=%d/%m/%Y.")
]


def chart_file(path: Path | None) -> Path | None:
    """Refuse a file that no chart can be written to, before hours are spent on what it shows.

    Raises
    ------
    ParameterError
        If its format is unknown, or its folder is not there.
    MissingExtraError
        If the library that draws is not installed.
    """
    from unlinkable.utility.charts.chart import require_painter

    if path is not None and path.suffix.lower() in _CHARTS[:-1]:
        require_painter()
    if path is not None and path.suffix.lower() not in _CHARTS:
        raise ParameterError(f"{path}: {unknown('format of charts', path.suffix, _CHARTS)}")
    if path is not None and not path.parent.is_dir():
        raise ParameterError(f"{path}: there is no folder {path.parent}; create it first")
    return path


def plan_file(path: Path) -> Path:
    """Refuse a file that is no plan.

    Raises
    ------
    ParameterError
        If it is not called like one.
    """
    if path.suffix.lower() != ".toml":
        raise ParameterError(
            f"{path} is no plan: `unlinkable describe {path} --plan plan.toml` writes one"
        )
    return path


def plan_of(
    data: Mapping[str, object],
    roles: Mapping[str, Sequence[str]],
    taxonomies: Mapping[str, Mapping[str, object]],
    privacy: Sequence[str] | None,
) -> Plan:
    """Make the plan that the options stand for."""
    from unlinkable.release.plan import Plan
    from unlinkable.spelling import read_call

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
    return {key: value for key, value in given.items() if value is not None}


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
    kind, _, rest = how.partition(":")
    if kind in ("flat", "auto") and not rest:
        return {kind: True}
    if kind == "intervals":
        return {"intervals": [_number(width) for width in rest.split(",")]}
    if kind == "mask":
        return {"mask": _number(rest)}
    if kind == "dates":
        return {"dates": rest.split(",")}
    if how.endswith((".csv", ".txt")) or kind == "csv":
        return {"csv": str(Path(rest if kind == "csv" else how).resolve())}
    raise ParameterError(
        f"--taxonomy {how!r}: expected intervals:5,10 · mask:5 · dates:month,year · flat · auto · "
        "or the name of a CSV file"
    )


def _number(text: str) -> int | float:
    try:
        return int(text)
    except ValueError:
        try:
            return float(text)
        except ValueError:
            raise ParameterError(f"expected a number in a taxonomy, got {text!r}") from None
