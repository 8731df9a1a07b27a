"""Truthfulness: every published value covers the value that it stands for.

A method that draws its boxes wrongly can keep every promise and still publish nonsense. So what it
proposes is looked at twice: before it is applied, whether it is a proposal at all, and afterwards,
whether every published text, read by somebody who knows nothing of the method, covers the
original value of its record.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unlinkable.errors import DataError
from unlinkable.tables.data import Table, keep_rows, number_texts
from unlinkable.tables.groups import Groups, Partition
from unlinkable.tables.methods.base import ColumnCells, Search, Solution, Task
from unlinkable.tables.operations.base import Recoding
from unlinkable.tables.publishing.anonymizing.apply import Applied
from unlinkable.tables.taxonomies import Attribute, read_ranges
from unlinkable.typing import BoolArray, CodeArray

__all__ = ["flaws", "misfits", "untruths"]


def flaws(solution: Solution, finest: Groups, task: Task) -> list[str]:
    """Say what makes a solution unfit to be applied; nothing if it is fit.

    Parameters
    ----------
    solution
        What a method proposes.
    finest
        The groups that it was given.
    task
        What it was asked for.
    """
    partition = solution.partition
    if found := _malformed(partition, finest, task):
        return found
    for name, told in solution.cells.items():
        found += _untold(name, told, partition)
    suppressed, most = partition.n_suppressed, task.may_suppress(finest.n_records)
    if suppressed > most:
        found.append(f"leaves out {suppressed} records, and {most} may be left out")
    if (node := solution.node) is not None:
        for attribute in task.attributes:
            level = node.get(attribute.name)
            if level is None or not 0 <= level <= attribute.taxonomy.height:
                found.append(f"puts column {attribute.name!r} on level {level}, which it has not")
    return found


def misfits(method: Search, solution: Solution, task: Task) -> list[str]:
    """Say what of a solution is not of the kind that its method makes; nothing if all is."""
    partition, taxonomies = solution.partition, tuple(a.taxonomy for a in task.attributes)
    finest, kept = partition.finest, partition.labels >= 0
    shown = Recoding(
        finest.columns,
        taxonomies,
        finest.keys,
        # A label of -1 looks up a row that nobody shows.
        np.vstack([partition.lo, finest.keys[:1]])[partition.labels],
        np.vstack([partition.hi, finest.keys[:1] + 1])[partition.labels],
        kept,
    )
    return [f"is no {method.scheme.name}: {flaw}" for flaw in method.misfits(shown)]


def untruths(table: Table, applied: Applied, attributes: Sequence[Attribute]) -> list[str]:
    """Say in which columns published values do not cover the original ones; nothing if they do.

    The attributes and sensitive columns are looked at; all others are published as they are.

    Examples
    --------
    >>> import polars as pl
    >>> from unlinkable.tables.data import as_table
    >>> from unlinkable.tables.taxonomies.builders import Intervals
    >>> people = as_table({"age": [31, 33, 47]}, quasi="age", taxonomies={"age": Intervals(10)})
    >>> published = Applied(pl.DataFrame({"age": ["[30-40)", "[40-50)", "*"]}), None)
    >>> untruths(people, published, people.attributes)
    ["tells 1 untruths in column 'age'"]
    """
    found = []
    quasi = {attribute.name: attribute for attribute in attributes}
    sensitive = (name for name in table.schema.sensitive if name in applied.frame.columns)
    for name in dict.fromkeys([*quasi, *sensitive]):
        if _is_as_it_was(table, applied, name):
            continue
        attribute = quasi.get(name) or Attribute(name, table.taxonomy(name))
        try:
            n_false = int((~_covered(table, applied, attribute)).sum())
        except DataError as error:
            found.append(f"cannot be read: {error}")
            continue
        if n_false:
            found.append(f"tells {n_false} untruths in column {name!r}")
    return found


def _is_as_it_was(table: Table, applied: Applied, name: str) -> bool:
    kept = keep_rows(table.frame.select(name), applied.rows)
    return applied.frame.get_column(name).equals(kept.get_column(name), check_dtypes=True)


def _malformed(partition: Partition, finest: Groups, task: Task) -> list[str]:
    labels, lo, hi = partition.labels, partition.lo, partition.hi
    shape = partition.n_parts, len(task.attributes)
    if not np.array_equal(partition.finest.sizes, finest.sizes):
        return ["is about other records than those it was given"]
    if labels.shape != (len(finest),):
        return [f"labels {labels.size} of {len(finest)} distinct records"]
    if lo.shape != shape or hi.shape != shape:
        return [f"has boxes of shape {lo.shape} and {hi.shape} where {shape} is needed"]
    found = []
    if labels.size and not (labels.min() >= -1 and labels.max() < partition.n_parts):
        found.append(f"has labels outside of its {partition.n_parts} parts")
    for j, attribute in enumerate(task.attributes):
        ends_well = (lo[:, j] >= 0) & (lo[:, j] < hi[:, j]) & (hi[:, j] <= attribute.taxonomy.n)
        if not ends_well.all():
            n = int((~ends_well).sum())
            found.append(f"has {n} boxes that are empty or outside of column {attribute.name!r}")
        elif attribute.taxonomy.mixes_missing(lo[:, j], hi[:, j])[lo[:, j] > 0].any():
            found.append(f"has boxes of column {attribute.name!r} that have no name")
    return found


def _untold(name: str, told: ColumnCells, partition: Partition) -> list[str]:
    """Say what is wrong with a column that is told cell by cell."""
    counted = partition.groups().histograms[name, told.decides]
    (_, values), (_, others) = counted.parts
    there = counted.row, values[counted.values], others[counted.values]
    listed = told.part, told.value, told.other
    if not np.array_equal(_sorted(there), _sorted(listed)):
        return [f"does not say of all records what they show on column {name!r}"]
    n_false = int(((told.value < told.lo) | (told.value >= told.hi)).sum())
    return [f"has {n_false} cells of column {name!r} that are untrue"] if n_false else []


def _sorted(columns: Sequence[CodeArray]) -> CodeArray:
    rows: CodeArray = np.column_stack(columns)[np.lexsort(columns)]
    return rows


def _covered(table: Table, applied: Applied, attribute: Attribute) -> BoolArray:
    numbered = table.numbered(attribute.name)
    numbers = numbered.numbers if applied.rows is None else numbered.numbers[applied.rows]
    codes = numbered.codes_in(attribute.taxonomy)[numbers]
    told = number_texts(applied.frame, attribute.name)
    domain = told.observed.domain
    texts = [*domain.values.tolist(), *([None] if domain.has_missing else [])]
    lo, hi = read_ranges(attribute.taxonomy, np.array(texts, object), column=attribute.name)
    by_number = np.maximum(told.codes, 0)
    lo, hi = lo[by_number], hi[by_number]
    covered: BoolArray = (lo[told.numbers] <= codes) & (codes < hi[told.numbers])
    return covered
