"""Options that several commands share, and the plan that they stand for.

Whatever is given on the command line becomes a plan, exactly as if it had been written to a file:
there is one way from a plan to a release.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, get_type_hints

import typer
from attrs import fields, frozen, has

from unlinkable.errors import ParameterError, SchemaError, unknown

if TYPE_CHECKING:
    from unlinkable.tables.data import Table
    from unlinkable.tables.publishing.plans import Plan

__all__ = [
    "BundleOrHalf",
    "Data",
    "Encoding",
    "Guard",
    "Identifier",
    "Insensitive",
    "Jobs",
    "Join",
    "Json",
    "Limit",
    "Missing",
    "Original",
    "Others",
    "Overwrite",
    "Owner",
    "PlanFile",
    "Privacy",
    "Quasi",
    "Reading",
    "Seed",
    "Sensitive",
    "Separator",
    "Target",
    "Taxonomies",
    "Types",
    "Weight",
    "flat",
    "names",
    "plan_of",
]

Names: TypeAlias = list[str] | None

Data = Annotated[
    str, typer.Argument(help="The table: CSV, Parquet, Arrow, Excel, SPSS, SAS, Stata, or SQL.")
]
PlanFile = Annotated[Path, typer.Argument(help="A plan (.toml).")]
BundleOrHalf = Annotated[Path, typer.Argument(help="A bundle, or its public half.")]
Quasi = Annotated[
    Names, typer.Option("--quasi", "-q", help='Quasi-identifiers, known to others: a,b,"c, d".')
]
Sensitive = Annotated[Names, typer.Option("--sensitive", "-s", help="Sensitive columns.")]
Identifier = Annotated[
    Names, typer.Option("--identifier", help="Columns that name people. They are dropped.")
]
Target = Annotated[Names, typer.Option("--target", help="Columns that recipients predict.")]
Insensitive = Annotated[
    Names, typer.Option("--insensitive", help="Columns that are published as they are.")
]
Owner = Annotated[
    str | None,
    typer.Option("--owner", help="Column with the owner of a record: people count, not records."),
]
Guard = Annotated[
    str | None, typer.Option("--guard", help="Column with what each person wants guarded.")
]
Join = Annotated[
    Names, typer.Option("--join", help="Further tables of the same people, joined by --owner.")
]
Original = Annotated[
    Path | None,
    typer.Option("--original", help="The original records, row by row, if a promise needs them."),
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
Separator = Annotated[str | None, typer.Option("--separator", help="Separator of a CSV file.")]
Encoding = Annotated[str | None, typer.Option("--encoding", help="Encoding of a CSV file.")]
Missing = Annotated[
    Names, typer.Option("--missing", help="Texts that stand for a missing value, like NA or ?.")
]
Types = Annotated[
    Names, typer.Option("--as", help="Types of columns: zip=text,age=integer,born=%d/%m/%Y.")
]
Limit = Annotated[
    str | None,
    typer.Option("--limit", help="Highest confidence allowed for any person: 0.2 or 1/5."),
]
Seed = Annotated[int, typer.Option("--seed", help="Random seed.")]
Jobs = Annotated[
    int | None,
    typer.Option("--jobs", min=1, help="Number of parallel searches; one per core by default."),
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace existing files.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document on standard output.")]

_NAME = re.compile(r'\s*(?:"((?:[^"]|"")*)"|([^,]*?))\s*(?:,|\Z)')
"""A name in a list: in double quotes, or up to the next comma."""


@frozen(kw_only=True)
class Reading:
    """How a table is read."""

    separator: Separator = None
    encoding: Encoding = None
    header: Annotated[
        bool | None,
        typer.Option("--header/--no-header", help="Whether the first line names the columns."),
    ] = None
    sheet: Annotated[str | None, typer.Option("--sheet", help="Sheet of an Excel file.")] = None
    query: Annotated[str | None, typer.Option("--query", help="Query for a SQL address.")] = None
    missing: Missing = None
    types: Types = None

    def data(
        self, source: str, *, others: str | None = None, join: Names = None
    ) -> dict[str, object]:
        """Give the part of a plan that says where the data are."""
        texts = {"--separator": [self.separator], "--missing": self.missing, "--as": self.types}
        for option, values in texts.items():
            if any(text and _has_stray_bytes(text) for text in values or ()):
                raise ParameterError(f"{option} must be text in UTF-8")
        given = {
            "source": source,
            "separator": self.separator,
            "encoding": self.encoding,
            "header": self.header,
            "sheet": self.sheet,
            "query": self.query,
            "missing": list(self.missing) if self.missing else None,
            "types": dict(_pair(item, "--as") for item in names(self.types)) or None,
            "others": others,
            "join": names(join) or None,
        }
        return {key: value for key, value in given.items() if value is not None}

    def table(self, source: str) -> Table:
        """Read a table of which no roles are known."""
        from unlinkable.tables.publishing.anonymizing import read_table

        return read_table(plan_of(self.data(source, others="insensitive")))


@frozen(kw_only=True)
class Taxonomies:
    """The taxonomies of columns."""

    taxonomy: Annotated[
        Names,
        typer.Option(
            "--taxonomy",
            "-t",
            help="COLUMN=HOW: age=intervals:5,10,20 · zip=mask:5 · day=dates:month,year · "
            "job=job.csv · sex=flat · size=auto. May be repeated.",
        ),
    ] = None
    taxonomies: Annotated[
        Path | None,
        typer.Option("--taxonomies", help="Folder with a file COLUMN.csv for each taxonomy."),
    ] = None

    def __bool__(self) -> bool:
        return bool(self.taxonomy or self.taxonomies)

    def of(self, columns: Sequence[str]) -> dict[str, Mapping[str, object]]:
        """Give the taxonomies of columns as a plan states them."""
        parts: dict[str, Mapping[str, object]] = {}
        if self.taxonomies is not None:
            if not self.taxonomies.is_dir():
                raise ParameterError(f"--taxonomies {self.taxonomies}: no such folder")
            files = {name: self.taxonomies / f"{name}.csv" for name in columns}
            parts |= {name: {"csv": str(f.resolve())} for name, f in files.items() if f.is_file()}
        pairs = [_pair(item, "--taxonomy", columns) for item in self.taxonomy or ()]
        return parts | {name: _taxonomy(how) for name, how in pairs}


def flat(command: Callable[..., None]) -> Callable[..., None]:
    """Have groups of options, such as `Reading`, appear as options of a command.

    typer builds options from parameters. A parameter whose type is a class of options stands for
    all of its fields, in its place.
    """
    hints = get_type_hints(command, include_extras=True)
    groups = {name: kind for name, kind in hints.items() if isinstance(kind, type) and has(kind)}
    parameters: list[Parameter] = []
    for parameter in signature(command).parameters.values():
        name = parameter.name
        if name not in groups:
            parameters.append(
                parameter.replace(kind=Parameter.KEYWORD_ONLY, annotation=hints[name])
            )
            continue
        inner = get_type_hints(groups[name], include_extras=True)
        parameters += [
            Parameter(f.name, Parameter.KEYWORD_ONLY, default=f.default, annotation=inner[f.name])
            for f in fields(groups[name])
        ]

    @wraps(command)
    def run(**given: Any) -> None:
        for name, kind in groups.items():
            given[name] = kind(**{f.name: given.pop(f.name) for f in fields(kind)})
        command(**given)

    run.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def plan_of(
    data: Mapping[str, object],
    roles: Mapping[str, Sequence[str]] | None = None,
    taxonomies: Mapping[str, Mapping[str, object]] | None = None,
    privacy: Sequence[str] | None = None,
) -> Plan:
    """Make the plan that options stand for."""
    from unlinkable.spelling import read_call
    from unlinkable.tables.publishing.plans import Plan

    columns: dict[str, dict[str, object]] = {}
    for role, listed in (roles or {}).items():
        for name in listed:
            if name in columns and columns[name]["role"] == role:
                raise SchemaError(f"column {name!r} is given twice as {role}")
            if name in columns:
                raise SchemaError(
                    f"column {name!r} is given as {columns[name]['role']} and as {role}: "
                    "it can have one role"
                )
            columns[name] = {"role": role}
    for name, taxonomy in (taxonomies or {}).items():
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


def _has_stray_bytes(text: str) -> bool:
    """Whether a text of the command line holds bytes that are no characters."""
    return any("\ud800" <= letter <= "\udfff" for letter in text)


def _pair(item: str, option: str, columns: Sequence[str] = ()) -> tuple[str, str]:
    """Split COLUMN=VALUE: after a column of the table, or else at the last ``=``."""
    column = max((c for c in columns if item.startswith(f"{c}=")), key=len, default=None)
    name, mark, value = item.rpartition("=")
    if column is not None:
        name, mark, value = column, "=", item[len(column) + 1 :]
    if not mark or not name.strip() or not value.strip():
        raise ParameterError(f"{option} {item!r}: write it as COLUMN=VALUE")
    return name.strip(), value.strip()


def _taxonomy(how: str) -> dict[str, object]:
    from unlinkable.tables.taxonomies.builders import read_rule

    try:
        return read_rule(how)
    except ParameterError as error:
        raise ParameterError(f"--taxonomy {error}") from None
