"""The options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from unlinkable.errors import ParameterError, unknown

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
    "plan_file",
]

Names: TypeAlias = list[str] | None

_CHARTS = (".svg", ".png", ".html", ".json")
"""How the name of a file for a chart may end."""

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
    from unlinkable.tables.charts import require_painter

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
