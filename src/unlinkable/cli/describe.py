"""``unlinkable describe``: describe a table, and suggest roles."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unlinkable.cli import options as o
from unlinkable.cli.output import print_json, print_table, progress_bar, say
from unlinkable.errors import PlanError

if TYPE_CHECKING:
    from unlinkable.tables.risk import Description

__all__ = ["describe"]

_MOST_SETS = 10
"""How many sets of columns people are shown."""

_USUAL = 3
"""How many columns the largest sets have if there are not too many."""


def describe(
    data: o.Data,
    *,
    columns: Annotated[
        list[str] | None, typer.Option("--columns", "-c", help="Columns to combine: a,b,c.")
    ] = None,
    size: Annotated[
        int | None,
        typer.Option("--size", help="Most columns in a set; 3, or fewer if too many.", min=1),
    ] = None,
    plan: Annotated[
        Path | None, typer.Option("--plan", help="Write a starting plan to this file.")
    ] = None,
    reading: o.Reading,
    json: o.Json = False,
) -> None:
    """Describe a table: columns, uniqueness of column sets, and a suggested role for each column.

    Example: unlinkable describe patients.csv --plan plan.toml
    """
    from unlinkable.tables.publishing.anonymizing import suggested_plan
    from unlinkable.tables.risk import QuasiIdentifierSearch
    from unlinkable.tables.risk import describe as look_at

    if plan is not None and plan.exists():
        raise PlanError(f"{plan} exists and is not replaced: choose another name")
    if plan is not None and not plan.parent.is_dir():
        raise PlanError(f"cannot write {plan}: there is no folder {plan.parent}")
    table = reading.table(data)
    search = QuasiIdentifierSearch(largest=size)
    with progress_bar("counting column sets", quiet=json) as tell:
        about = look_at(table, sets=o.names(columns) or None, search=search, progress=tell)
    if plan is not None:
        suggested_plan(about, reading.data(data, others="insensitive")).save(plan)
        if "://" in data:
            plan.chmod(0o600)  # The address may hold a password.
    if json:
        print_json(about.to_json())
        return
    _show(about)
    if plan is not None:
        say(f"A starting plan is in {plan}: look at every role, then run")
        say(f"unlinkable anonymize {plan}")


def _show(about: Description) -> None:
    """Tell people what the table holds, and who is singled out by what."""
    from unlinkable.tables.risk import flag_rows

    say(f"{about.n_records:,} records")
    header = (
        "column",
        "type",
        "distinct",
        "missing",
        "bits",
        "unique",
        "suggested role",
        "because",
    )
    columns = [
        (
            c.name,
            c.type,
            f"{c.distinct:,}",
            f"{c.missing:,}",
            f"{c.entropy:.2f}",
            f"{c.unique:.1%}",
            c.role.value,
            c.reason,
        )
        for c in about.columns
    ]
    print_table("Columns", header, columns, right="distinct missing bits unique")
    sets = [
        (", ".join(s.columns), f"{s.unique:.1%}", f"{s.distinct:.3f}", f"{s.separation:.5f}")
        for s in about.sets[:_MOST_SETS]
    ]
    n_quasi = sum(len(s.columns) == 1 for s in about.sets)
    if about.largest < min(_USUAL, n_quasi):
        say(
            f"{n_quasi:,} columns are too many to look at all sets of {_USUAL}: here are sets of "
            f"at most {about.largest}. Name fewer columns with --columns to see more."
        )
    telling = ("columns", "unique", "distinct", "separation")
    print_table("Uniqueness of column sets", telling, sets, right="unique distinct separation")
    if about.flags:
        title, asked = "HIPAA Safe Harbor", ("column", "identifier", "because", "what to do")
        print_table(title, asked, flag_rows(about.flags))
    for s in about.smallest[:_MOST_SETS]:
        verb = "singles" if len(s.columns) == 1 else "single"
        say(f"{', '.join(s.columns)} {verb} out almost everybody.")
