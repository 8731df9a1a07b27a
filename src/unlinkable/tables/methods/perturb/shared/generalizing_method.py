"""Searching: generalizing methods by their written form, and the records as they show them."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType

import attrs
import numpy as np
from attrs import define

from unlinkable.errors import ParameterError, SchemaError, UnsupportedError, unknown
from unlinkable.spelling import read_call
from unlinkable.tables.data import (
    Frame,
    PublicDomains,
    Schema,
    Table,
    keep_rows,
    publishable_columns,
    recoded_column,
)
from unlinkable.tables.engines import count
from unlinkable.tables.methods.base.search import Search, Solution, Task
from unlinkable.tables.methods.shared.group_texts import shown_texts
from unlinkable.tables.models.base import All
from unlinkable.typing import CodeArray, CountArray

__all__ = ["Generalized", "generalize", "is_written_search", "only_sensitive", "searcher"]


def is_written_search(instance: object, attribute: attrs.Attribute[str], value: str) -> None:
    """Refuse what is not the written form of a generalizing method."""
    if not isinstance(value, str):
        raise ParameterError(
            f"{attribute.name} must be the written form of a method, like mondrian, got {value!r}"
        )
    read_call(value)


def only_sensitive(schema: Schema, asked: str | None, does: str) -> str:
    """Find the sensitive column that is meant: the one that was named, or the only one.

    Raises
    ------
    SchemaError
        If there is no such column, or several; ``does`` says what one is needed for.

    Examples
    --------
    >>> only_sensitive(Schema.of(sensitive="ill"), None, "mine publishes")
    'ill'
    """
    if asked is not None and asked not in schema.sensitive:
        raise SchemaError(unknown("sensitive column", asked, schema.sensitive))
    if asked is None and len(schema.sensitive) != 1:
        raise SchemaError(
            f"{does} one sensitive column, and there are {len(schema.sensitive)}: name it"
        )
    return schema.sensitive[0] if asked is None else asked


def searcher(written: str) -> Search:
    """Make a generalizing method from its written form.

    Raises
    ------
    ParameterError
        If there is no such method, or it has no such parameter.

    Examples
    --------
    >>> str(searcher("mondrian(strict=false)"))
    'mondrian(strict=false)'
    """
    name, arguments = read_call(written)
    known = _searches()
    if name not in known:
        raise ParameterError(f"{unknown('method', name, sorted(known))} that generalizes")
    kind = known[name]
    fields = attrs.fields(kind) if attrs.has(kind) else ()
    parameters = sorted(f.alias or f.name for f in fields if not f.name.startswith("_"))
    for argument in arguments:
        if argument not in parameters:
            raise ParameterError(f"{name}: {unknown('parameter', argument, parameters)}")
    return kind(**arguments)


def _searches() -> Mapping[str, type[Search]]:
    return {
        kind.name: kind
        for room in _rooms()
        for exported in room.__all__
        if isinstance(kind := getattr(room, exported), type) and issubclass(kind, Search)
    }


def _rooms() -> tuple[ModuleType, ...]:
    # All methods together take long to load, and are only needed here.
    from unlinkable.tables.methods import cuts, lattice, regions

    return cuts, lattice, regions


@define(eq=False, frozen=True)
class Generalized:
    """The records of a table as a search shows them.

    Attributes
    ----------
    frame
        Those that are left, with all columns that may be published.
    rows
        Which records these are.
    parts
        In which part each of them is.
    solution
        What the search found.
    """

    frame: Frame
    rows: CountArray
    parts: CodeArray
    solution: Solution


def generalize(search: Search, table: Table, privacy: All, task: Task) -> Generalized:
    """Search for a partition that keeps a promise, and write what its parts show.

    Raises
    ------
    UnsupportedError, InfeasibleError
        If the method cannot serve the promise, or no partition keeps it.
    """
    method = search.bind(table.schema)
    metric = task.metric.bind(table.schema)
    task = attrs.evolve(task, attributes=table.attributes, metric=metric)
    needs = {*privacy.needs(), *metric.needs(table.schema), *method.needs(table.schema)}
    counted = count(table, needs)
    everything = privacy.prepared(counted.finest)
    solution = method.search(counted.finest, everything, task)
    if solution.cells:
        raise UnsupportedError(
            f"{method} tells sensitive values cell by cell, which is not for here: use mondrian"
        )
    partition = solution.partition
    parts = partition.labels[counted.labels]
    rows = np.flatnonzero(parts >= 0)
    parts, left = parts[rows], keep_rows(table.frame, rows)
    columns = left
    domains = PublicDomains.of(table, rows, table.schema.quasi)
    written = shown_texts(solution, task.attributes, domains)
    for attribute, (texts, is_raw) in zip(task.attributes, written, strict=True):
        shown = recoded_column(left, attribute.name, texts, parts, is_raw=is_raw)
        columns = columns.with_columns(shown)
    return Generalized(columns.select(publishable_columns(table)), rows, parts, solution)
