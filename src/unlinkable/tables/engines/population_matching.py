"""Counting who of a population looks like whom in a table, read from published texts."""

from __future__ import annotations

import numpy as np

from unlinkable.errors import DataError
from unlinkable.kernels.counting import count_covered, sum_by_label
from unlinkable.tables.data import Table
from unlinkable.tables.engines.local import count
from unlinkable.tables.groups import Groups, RowNumbers
from unlinkable.tables.taxonomies import Taxonomy, read_range
from unlinkable.typing import BoolArray, CodeArray, CountArray

__all__ = ["count_people"]

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
