"""Counting in memory: the finest groups of a table, and who of a population looks like them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Self

import numpy as np
from attrs import define, evolve

from unlinkable.errors import DataError, SchemaError, unknown
from unlinkable.kernels.counting import count_covered, sum_by_label, tallies
from unlinkable.tables.data import Table
from unlinkable.tables.groups import Groups, Histogram, RowNumbers, head_count, population_column
from unlinkable.tables.taxonomies import Taxonomy, read_range
from unlinkable.typing import BoolArray, CodeArray, Columns, CountArray

__all__ = ["Counted", "count", "count_parts", "count_people"]


@define(eq=False, frozen=True)
class Counted:
    """The finest groups of a table, and to which of them each record belongs."""

    finest: Groups
    labels: CodeArray

    def parts(self, labels: CodeArray) -> CodeArray | None:
        """Find the group of each distinct record, if a group of every record is given.

        None if records that are equal are in several groups.
        """
        parts = np.full(len(self.finest), -1, np.int32)
        parts[self.labels] = labels
        return parts if np.array_equal(parts[self.labels], labels) else None

    def also(self, table: Table, needs: Iterable[Columns]) -> Self:
        """Count further hidden columns of the same table."""
        n, before = len(self.finest), self.finest.histograms
        more = {c: _tally(table, c, self.labels, n) for c in needs if c not in before}
        if not more:
            return self
        whole = {**self.finest.whole, **{names: h.total for names, h in more.items()}}
        return evolve(self, finest=evolve(self.finest, histograms={**before, **more}, whole=whole))


def count(
    table: Table, needs: Iterable[Columns] = (), populations: Mapping[str, Table] | None = None
) -> Counted:
    """Find the distinct records of a table and count what they hide.

    Parameters
    ----------
    table
        The records.
    needs
        The hidden columns to count in each group, as the promises ask for them.
    populations
        Populations, by name, in the same numbering of values (`among`). Where people of a
        population look like no record there is a group without records.

    Examples
    --------
    >>> from unlinkable.tables.data import as_table
    >>> people = as_table({"job": ["cook", "clerk", "cook"], "ill": ["y", "n", "n"]},
    ...     quasi="job", sensitive="ill")
    >>> counted = count(people, needs=[("ill",)])
    >>> counted.finest.sizes.tolist(), counted.labels.tolist()
    ([2, 1], [0, 1, 0])
    """
    columns, populations = table.schema.quasi, populations or {}
    if not columns:
        raise SchemaError("no column is a quasi-identifier: name those that others may know")
    everyone, keys = _number([table, *populations.values()], columns)
    labels, n_groups = everyone[0], len(keys)
    sizes = tallies.count(labels, n_groups)
    weights = table.weights
    wanted = {*needs, *(((table.schema.owner,),) if table.schema.owner else ())}
    heads = {
        (population_column(name),): head_count(tallies.count(people, n_groups))
        for name, people in zip(populations, everyone[1:], strict=True)
    }
    histograms = {
        names: heads[names] if names in heads else _tally(table, names, labels, n_groups)
        for names in wanted
    }
    groups = Groups(
        sizes=sizes,
        weights=(
            sizes.astype(float)
            if weights is None
            else tallies.sum_floats_by_label(weights, labels, n_groups)
        ),
        histograms=histograms,
        whole={names: h.total for names, h in histograms.items()},
        columns=columns,
        keys=keys,
        owner=table.schema.owner,
    )
    return Counted(groups, labels)


def count_parts(
    table: Table, parts: CodeArray, n_parts: int, needs: Iterable[Columns] = ()
) -> Groups:
    """Count what parts of the records hide, whatever the records of a part show.

    Parameters
    ----------
    table
        The records.
    parts
        The part of each record; -1 if it is left out.
    n_parts
        How many parts there are.
    needs
        The hidden columns to count in each part.

    Examples
    --------
    >>> from unlinkable.tables.data import as_table
    >>> people = as_table({"job": ["cook", "clerk", "cook"], "ill": ["y", "n", "n"]},
    ...     quasi="job", sensitive="ill")
    >>> groups = count_parts(people, np.array([0, 0, 1], np.int32), 2, [("ill",)])
    >>> groups.sizes.tolist(), groups.histograms["ill",].distinct.tolist()
    ([2, 1], [2, 1])
    """
    owner = table.schema.owner
    wanted = {*needs, *(((owner,),) if owner else ())}
    histograms = {names: _tally(table, names, parts, n_parts) for names in wanted}
    sizes = tallies.count(parts, n_parts)
    weights = table.weights
    return Groups(
        sizes=sizes,
        weights=(
            sizes.astype(float)
            if weights is None
            else tallies.sum_floats_by_label(weights, parts, n_parts)
        ),
        histograms=histograms,
        whole={names: h.total for names, h in histograms.items()},
        columns=("part",),
        keys=np.arange(n_parts, dtype=np.int32)[:, None],
        owner=owner,
    )


def _number(tables: Sequence[Table], columns: Columns) -> tuple[list[CodeArray], CodeArray]:
    """Number the distinct rows of tables, and give the number of each row and the codes of each."""
    if len(tables) == 1:
        labels, keys = _number_one(tables[0], columns)
        return [labels], keys
    coded = [np.concatenate([t.codes(name) for t in tables]) for name in columns]
    rows = RowNumbers(coded[0].size)
    for name, codes in zip(columns, coded, strict=True):
        rows.add(codes, tables[0].taxonomy(name).n)
    labels, first = rows.finish()
    ends = np.cumsum([len(t) for t in tables])[:-1]
    return np.split(labels, ends), np.column_stack([codes[first] for codes in coded])


def _number_one(table: Table, columns: Columns) -> tuple[CodeArray, CodeArray]:
    rows = RowNumbers(len(table))
    coded = []
    for name in columns:
        taxonomy, numbered = table.taxonomy(name), table.numbered(name)
        codes = numbered.codes_in(taxonomy)
        rows.add_digits(numbered.numbers, codes, taxonomy.n)
        coded.append((numbered.numbers, codes))
    labels, first = rows.finish()
    return labels, np.column_stack([codes[numbers[first]] for numbers, codes in coded])


def _tally(table: Table, names: Columns, labels: CodeArray, n_groups: int) -> Histogram:
    for name in names:
        if name not in table.schema.names:
            raise SchemaError(f"{unknown('column', name, table.schema.names)} to count")
    if len(names) == 1:
        taxonomy = table.taxonomy(names[0])
        codes, n_values = table.codes(names[0]), taxonomy.n
        counted = tallies.tally(labels, codes, n_groups, n_values)
        return Histogram(*counted, n_values, taxonomy)
    together = RowNumbers(len(labels))
    for name in names:
        together.add(table.codes(name), table.taxonomy(name).n)
    codes, first = together.finish()
    counted = tallies.tally(labels, codes, n_groups, first.size)
    parts = tuple((table.taxonomy(name), table.codes(name)[first]) for name in names)
    return Histogram(*counted, first.size, parts=parts)


_NOTHING = (0, 0)


def count_people(table: Table, groups: Groups, population: Table) -> tuple[CountArray, int]:
    """Count the people of a population who look like each group, and those who look like none.

    Where every text stands for one value, groups and people are matched by hashing, in O(g + p) for
    g groups and p kinds of people; otherwise every kind is held against all groups.

    Parameters
    ----------
    table
        The published texts, as values that mean nothing.
    groups
        Its groups.
    population
        The population, with taxonomies that the texts can be read with.

    Examples
    --------
    >>> from unlinkable.tables.data import as_table
    >>> from unlinkable.tables.taxonomies.builders import Intervals
    >>> published = as_table({"age": ["[30-35)", "[30-35)", "*"]}, quasi="age")
    >>> people = as_table({"age": [31, 34, 52]}, quasi="age", taxonomies={"age": Intervals(5)})
    >>> met, outside = count_people(published, count(published).finest, people)
    >>> met.tolist(), outside
    ([2, 3], 0)
    """
    people, _ = count(population).finest.project(groups.columns)
    lo, hi = np.zeros((2, len(groups), len(groups.columns)), np.int32)
    for j, name in enumerate(groups.columns):
        ranges = _ranges(table.taxonomy(name), population.taxonomy(name))
        lo[:, j], hi[:, j] = ranges[groups.keys[:, j]].T
    if (hi - lo <= 1).all():
        is_value: BoolArray = np.all(hi > lo, axis=1)
        return _matched(lo, is_value, people)
    return count_covered(lo, hi, people.keys, people.sizes)


def _matched(keys: CodeArray, is_value: BoolArray, people: Groups) -> tuple[CountArray, int]:
    """Count the people who have exactly the values of each group."""
    own = keys[is_value]
    rows = RowNumbers(len(own) + len(people))
    for j in range(keys.shape[1]):
        codes = np.concatenate([own[:, j], people.keys[:, j]])
        rows.add(codes, int(codes.max(initial=0)) + 1)
    labels, first = rows.finish()
    heads = sum_by_label(people.sizes, labels[len(own) :], first.size)
    met = np.zeros(len(keys), np.int64)
    met[is_value] = heads[labels[: len(own)]]
    heads[labels[: len(own)]] = 0
    return met, int(heads.sum())


def _ranges(published: Taxonomy, taxonomy: Taxonomy) -> CodeArray:
    """Read every published text as a range of the population's values."""
    domain = published.domain
    texts = [None if code == domain.missing else domain.text(code) for code in range(domain.n)]
    return np.array([_range(taxonomy, text) for text in texts], np.int32).reshape(-1, 2)


def _range(taxonomy: Taxonomy, text: str | None) -> tuple[int, int]:
    try:
        return read_range(taxonomy, text)
    except DataError:
        # A text that stands for no value of the population: nobody looks like it.
        return _NOTHING
