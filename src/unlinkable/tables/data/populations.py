"""Populations: side tables of all people who could be in a table, with its taxonomies."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl
from attrs import evolve

from unlinkable.errors import DataError, SchemaError
from unlinkable.tables.data.schema import ColumnPlan, Role, Schema
from unlinkable.tables.data.side import SideTable
from unlinkable.tables.data.table import Table
from unlinkable.tables.taxonomies.builders import Auto, ReadyMade

__all__ = ["population_table", "with_populations"]


def with_populations(
    table: Table, populations: Mapping[str, SideTable]
) -> tuple[Table, dict[str, Table]]:
    """Give a table and its populations taxonomies that cover the values of all of them.

    Raises
    ------
    SchemaError
        If a population lacks a quasi-identifying column.
    DataError
        If its values are of another kind than those of the table.

    Examples
    --------
    >>> from unlinkable.tables.data import as_table
    >>> patients = as_table({"job": ["cook"]}, quasi="job")
    >>> people = SideTable("people", pl.DataFrame({"job": ["cook", "clerk", "cook"]}))
    >>> patients, tables = with_populations(patients, {"people": people})
    >>> patients.taxonomy("job").domain.values.tolist(), len(tables["people"])
    (['clerk', 'cook'], 3)
    """
    if not populations:
        return table, {}
    quasi = table.schema.quasi
    frames = {
        name: _like(population, table.frame, quasi) for name, population in populations.items()
    }
    own = _untyped(table.frame.select(quasi))
    everyone = pl.concat([own, *frames.values()])
    plans = [_plan(table, name) for name in quasi]
    joint = Table(everyone, Schema(plans))
    given = {
        name: ReadyMade(found := joint.taxonomy(name), joint.builder(name).listed(found))
        for name in quasi
    }
    columns = [
        evolve(column, taxonomy=given.get(column.name, column.taxonomy))
        for column in table.schema.columns
    ]
    schema = Schema([ColumnPlan(name, Role.QUASI, given[name]) for name in quasi])
    tables = {name: Table(frame, schema) for name, frame in frames.items()}
    return Table(table.frame, Schema(columns), table.origin, table.source), tables


def population_table(population: SideTable, like: Table) -> Table:
    """Take a population as it stands, with the taxonomies that a table's columns ask for."""
    quasi = like.schema.quasi
    population.require(*quasi)
    plans = [ColumnPlan(name, Role.QUASI, like.schema[name].taxonomy) for name in quasi]
    return Table(population.frame.select(quasi), Schema(plans))


def _plan(table: Table, name: str) -> ColumnPlan:
    plan = table.schema[name]
    if isinstance(plan.taxonomy, Auto) and plan.taxonomy.by_hidden:
        raise SchemaError(
            f"the taxonomy of {name!r} follows the sensitive columns, which a population does not "
            "have: give the column another taxonomy"
        )
    return plan


def _like(population: SideTable, frame: pl.DataFrame, quasi: tuple[str, ...]) -> pl.DataFrame:
    population.require(*quasi)
    found = _untyped(population.frame.select(quasi))
    wanted = _untyped(frame.select(quasi)).schema
    for name in quasi:
        if found.schema[name] == wanted[name]:
            continue
        column = found.get_column(name).cast(wanted[name], strict=False)
        if column.null_count() > found.get_column(name).null_count():
            raise DataError(
                f"column {name!r} of {population.name!r} is not of the kind that the table has "
                f"({found.schema[name]}, and {wanted[name]} there): write it in the same way"
            )
        found = found.with_columns(column)
    return found


def _untyped(frame: pl.DataFrame) -> pl.DataFrame:
    """Give texts in dictionary form as plain texts: two dictionaries do not fit together."""
    return frame.with_columns(pl.col(pl.Categorical, pl.Enum).cast(pl.String))
