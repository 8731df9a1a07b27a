"""Counting in memory: the finest groups of a table."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from attrs import define

from unlinkable.errors import SchemaError, unknown
from unlinkable.groups import Groups, Histogram, RowNumbers
from unlinkable.kernels import tallies
from unlinkable.table import Table
from unlinkable.typing import CodeArray, Columns

__all__ = ["Counted", "count"]


@define(eq=False, frozen=True)
class Counted:
    """The finest groups of a table, and to which of them each record belongs."""

    finest: Groups
    labels: CodeArray


def count(table: Table, needs: Iterable[Columns] = ()) -> Counted:
    """Find the distinct records of a table and count what they hide.

    Parameters
    ----------
    table
        The records.
    needs
        The hidden columns to count in each group, as the promises ask for them.

    Examples
    --------
    >>> from unlinkable.table import as_table
    >>> people = as_table({"job": ["cook", "clerk", "cook"], "ill": ["y", "n", "n"]},
    ...     quasi="job", sensitive="ill")
    >>> counted = count(people, needs=[("ill",)])
    >>> counted.finest.sizes.tolist(), counted.labels.tolist()
    ([2, 1], [0, 1, 0])
    """
    columns = table.schema.quasi
    if not columns:
        raise SchemaError("no column is a quasi-identifier: name those that others may know")
    rows = RowNumbers(len(table))
    coded = []
    for name in columns:
        taxonomy, numbered = table.taxonomy(name), table.numbered(name)
        codes = numbered.codes_in(taxonomy)
        rows.add_digits(numbered.numbers, codes, taxonomy.n)
        coded.append((numbered.numbers, codes))
    labels, first = rows.finish()
    keys = np.column_stack([codes[numbers[first]] for numbers, codes in coded])
    sizes = tallies.count(labels, first.size)
    weights = table.weights
    wanted = {*needs, *(((table.schema.owner,),) if table.schema.owner else ())}
    histograms = {names: _tally(table, names, labels, first.size) for names in wanted}
    groups = Groups(
        sizes=sizes,
        weights=(
            sizes.astype(float)
            if weights is None
            else tallies.sum_floats_by_label(weights, labels, first.size)
        ),
        histograms=histograms,
        whole={names: h.total for names, h in histograms.items()},
        columns=columns,
        keys=keys,
        owner=table.schema.owner,
    )
    return Counted(groups, labels)


def _codes(table: Table, name: str) -> CodeArray:
    numbered = table.numbered(name)
    return numbered.codes_in(table.taxonomy(name))[numbered.numbers]


def _tally(table: Table, names: Columns, labels: CodeArray, n_groups: int) -> Histogram:
    for name in names:
        if name not in table.schema.names:
            raise SchemaError(f"{unknown('column', name, table.schema.names)} to count")
    if len(names) == 1:
        taxonomy = table.taxonomy(names[0])
        codes, n_values = _codes(table, names[0]), taxonomy.n
        counted = tallies.tally(labels, codes, n_groups, n_values)
        return Histogram(*counted, n_values, taxonomy)
    together = RowNumbers(len(labels))
    for name in names:
        together.add(_codes(table, name), table.taxonomy(name).n)
    codes, first = together.finish()
    return Histogram(*tallies.tally(labels, codes, n_groups, first.size), first.size)
