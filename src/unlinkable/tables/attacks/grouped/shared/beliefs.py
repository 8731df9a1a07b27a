"""Beliefs: the posterior belief in sensitive values, given some columns of a victim.

An adversary who knows a victim's quasi-identifier is left with the records that show it, and has no
reason to prefer one of them: the belief in a value is its share of them. In buckets, each of these
records has a bucket beside it, and the belief in a value is the mean of its shares in their
buckets.

Beliefs are kept as whole numbers, a weight for every value and one for all values together, so that
they are compared with a limit exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import combinations
from math import lcm
from typing import Any

import numpy as np
from attrs import define
from numpy.typing import NDArray

from unlinkable.errors import SchemaError, UnsupportedError, unknown
from unlinkable.kernels.counting import expand_stretches, mix_rows, tallies
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.data import keep_rows, texts_of
from unlinkable.tables.engines import Counted, count
from unlinkable.tables.groups import Groups, Histogram, Knowledge
from unlinkable.typing import BoolArray, CodeArray, Columns, CountArray

__all__ = [
    "Beliefs",
    "BucketMixture",
    "beliefs",
    "hidden_in",
    "known_columns",
    "no_groups",
    "no_people",
]


@define(eq=False, frozen=True, slots=False)
class Beliefs:
    """What is believed of each set of people who look alike to an adversary.

    Attributes
    ----------
    target
        The release.
    columns
        The published columns that the adversary knows of people.
    histograms
        By hidden column, the weight of each value for each set.
    wholes
        For each set the weight of all values together.
    people
        How many people are in each set.
    finest
        How many people are in each group of those who look alike on all columns.
    parent
        For each of these groups, the set that it is in.
    labels
        For each published record, the set of its owner.
    n_buckets
        The first so many sets are the people of a whole bucket, which the adversary knows.
    """

    target: Target
    columns: Columns
    histograms: Mapping[str, Histogram]
    wholes: NDArray[Any]
    people: CountArray
    finest: CountArray
    parent: CodeArray
    labels: CodeArray
    n_buckets: int = 0

    def __len__(self) -> int:
        return self.people.size

    @cached_property
    def _first(self) -> CountArray:
        """The first published record of each set."""
        first = np.zeros(len(self), np.int64)
        first[self.labels[::-1]] = np.arange(self.labels.size - 1, -1, -1)
        return first

    def describe(self, at: int) -> tuple[dict[str, str], int]:
        """Give what the people of a set show, or the bucket that they fill, and how many."""
        bucket = self.target.bucket
        names = (bucket,) if at < self.n_buckets and bucket is not None else self.columns
        row = keep_rows(self.target.frame, self._first[[at]])
        return {name: texts_of(row, name)[0] or "" for name in names}, int(self.people[at])


def hidden_in(target: Target, asked: Columns) -> dict[str, Histogram]:
    """Count what the people hide whom nobody can tell apart, by column."""
    groups = target.counted([(name,) for name in asked]).finest
    return {name: groups.histograms[name,] for name in asked}


def no_people(target: Target) -> str | None:
    """Say why people of a list cannot be found in the groups of a release; None if they can."""
    if target.is_grouped and not target.is_truthful:
        return "what people show was replaced, so that a list does not tell who is in which group"
    return no_groups(target)


def no_groups(target: Target) -> str | None:
    """Say why nothing can be believed of the people of a release; None if it can."""
    if not target.sensitive:
        return "no column is sensitive, so there is nothing to find out"
    if not target.quasi:
        return "no column is known to others, so nobody can be looked for"
    if not target.is_grouped:
        return "values were replaced, so what a group shows need not be true of anybody in it"
    return None


def known_columns(target: Target, named: Columns | None, at_most: int | None) -> list[Columns]:
    """List the sets of quasi-identifying columns that an adversary may know.

    Parameters
    ----------
    target
        The release.
    named
        The columns that the adversary may know; all if not given.
    at_most
        How many of them are known: all sets of up to so many columns. All at once if not given.

    Raises
    ------
    SchemaError
        If one is not a published quasi-identifier.
    """
    for name in named or ():
        if name not in target.quasi:
            raise SchemaError(unknown("published quasi-identifier", name, target.quasi))
    columns = target.quasi if named is None else tuple(c for c in target.quasi if c in named)
    return list(Knowledge(columns, at_most).combinations(shorter=True)) or [()]


def beliefs(
    target: Target, asked: Columns, known: Iterable[Columns] | None = None, *, n_hidden: int = 0
) -> Iterator[Beliefs]:
    """Give what adversaries believe of hidden columns, one adversary after the other.

    Parameters
    ----------
    target
        The release.
    asked
        The hidden columns.
    known
        The quasi-identifying columns that each adversary knows; all if not given.
    n_hidden
        The adversary also knows the victim's values in up to so many of the sensitive columns.

    Examples
    --------
    >>> import polars as pl
    >>> told = pl.DataFrame({"job": ["cook"] * 3 + ["clerk"], "ill": ["flu", "flu", "hiv", "flu"]})
    >>> for seen in beliefs(Target(told, ("job",), ("ill",)), ("ill",)):
    ...     print(seen.describe(0), seen.histograms["ill"].counts[:2], seen.wholes[0])
    ({'job': 'cook'}, 3) [2 1] 3
    """
    known = [target.quasi] if known is None else known
    if target.bucket is not None:
        yield from _in_buckets(target, asked, known)
        return
    needs: list[Columns] = [(name,) for name in asked]
    counted = target.counted(needs) if not n_hidden else _all_told(target, asked, needs)
    told = [t for n in range(n_hidden + 1) for t in combinations(target.sensitive, n)]
    for columns in known:
        for also in told:
            yield _alike(target, counted, (*columns, *also), asked)


def _all_told(target: Target, asked: Columns, needs: list[Columns]) -> Counted:
    """Tell people apart by what they hide as well, and count what they hide as what it means."""
    told = count(target.table((*target.quasi, *target.sensitive)))
    return told.also(target.table(target.quasi, asked), needs)


def _alike(target: Target, counted: Counted, columns: Columns, asked: Columns) -> Beliefs:
    groups, labels = counted.finest, counted.labels
    parent: CodeArray = np.arange(len(groups), dtype=np.int32)
    if columns != groups.columns:
        groups, parent = groups.project(columns)
        labels = parent[labels]
    histograms = {name: groups.histograms[name,] for name in asked if name not in columns}
    sizes, finest = groups.sizes, counted.finest.sizes
    return Beliefs(target, columns, histograms, sizes, sizes, finest, parent, labels)


def _in_buckets(target: Target, asked: Columns, known: Iterable[Columns]) -> Iterator[Beliefs]:
    counted, looks = target.counted([(name,) for name in asked]), target.looks()
    for columns in known:
        seen, parent = looks.finest.project(columns)
        labels = parent[looks.labels]
        places = tallies.tally(labels, counted.labels, len(seen), len(counted.finest))
        mixed = BucketMixture(counted.finest, *places)
        sets = mixed.sets
        yield Beliefs(
            target,
            columns,
            {name: mixed.weigh(counted.finest.histograms[name,]) for name in asked},
            mixed.wholes,
            tallies.sum_by_label(seen.sizes, sets, mixed.n_alone + mixed.n_several),
            looks.finest.sizes,
            sets[parent],
            sets[labels],
            mixed.n_alone,
        )


_WIDEST = 1 << 62
"""Weights below this are 64-bit integers; others are Python's own."""

_MOST = 1 << 25
"""So many weights are kept at once where people are in several buckets."""


class BucketMixture:
    """People by the buckets that their records are in.

    Where everybody in a bucket can be in no other, all of them are put together. All others keep
    what they show, and weights are brought to the least common multiple of the sizes of their
    buckets.

    Parameters
    ----------
    buckets
        The buckets.
    indptr, places, records
        CSR: for people who show the same, the buckets of their records, and how many are in each.

    Attributes
    ----------
    sets
        For people who show the same, the set that they are in.
    n_alone, n_several
        How many sets are whole buckets, which come first, and how many are people who look alike.
    wholes
        For each set the weight of all values together.
    """

    def __init__(
        self, buckets: Groups, indptr: CountArray, places: CodeArray, records: CountArray
    ) -> None:
        sizes, is_alone = buckets.sizes, _fill_buckets(buckets.sizes, indptr, places, records)
        buckets_filled = places[indptr[:-1][is_alone]]
        self._bucket_of_set, set_of = np.unique(buckets_filled, return_inverse=True)
        self.n_alone, self.n_several = self._bucket_of_set.size, int((~is_alone).sum())
        self.sets: CodeArray = np.empty(is_alone.size, np.int32)
        self.sets[is_alone] = set_of
        self.sets[~is_alone] = np.arange(self.n_alone, self.n_alone + self.n_several)
        several = np.repeat(~is_alone, np.diff(indptr))
        self._places, records = places[several], records[several]
        self._ends = np.append(0, np.cumsum(np.diff(indptr)[~is_alone]))
        people = np.diff(np.append(0, np.cumsum(records))[self._ends])
        multiple = lcm(*np.unique(sizes[self._places]).tolist())
        is_wide = multiple * int(people.max(initial=1)) >= _WIDEST
        kind = object if is_wide else np.int64
        self._weights = records.astype(kind) * (multiple // sizes[self._places].astype(kind))
        self.wholes = np.concatenate([sizes[self._bucket_of_set], people.astype(kind) * multiple])

    def weigh(self, hidden: Histogram) -> Histogram:
        """Weigh every value for every set of people."""
        alone = hidden.select(np.isin(np.arange(hidden.n_groups), self._bucket_of_set))
        most = int(hidden.distinct[self._places].sum())
        if most > _MOST:
            raise UnsupportedError(
                f"people can be in many buckets with many values each, {most:,} beliefs in all: "
                "attack with fewer columns (qid), or one sensitive column at a time"
            )
        mix = mix_rows if self._weights.dtype == np.int64 else _mix_wide
        indptr, values, weights = mix(
            self._ends,
            self._places,
            self._weights,
            hidden.indptr,
            hidden.values,
            hidden.counts,
            hidden.n_values,
        )
        return Histogram(
            np.append(alone.indptr, indptr[1:] + alone.indptr[-1]),
            np.concatenate([alone.values, values]),
            np.concatenate([alone.counts, weights]),
            hidden.n_values,
            hidden.taxonomy,
        )


def _fill_buckets(
    sizes: CountArray, indptr: CountArray, places: CodeArray, records: CountArray
) -> BoolArray:
    """Mark those who can only be in one bucket, if all people of that bucket can."""
    in_one = np.diff(indptr) == 1
    firsts = indptr[:-1][in_one]
    known = np.bincount(places[firsts], weights=records[firsts], minlength=sizes.size)
    filled: BoolArray = in_one.copy()
    filled[in_one] = (known == sizes)[places[firsts]]
    return filled


def _mix_wide(
    ends: CountArray,
    places: CodeArray,
    weights: NDArray[Any],
    indptr: CountArray,
    values: CodeArray,
    counts: CountArray,
    n_values: int,
) -> tuple[CountArray, CodeArray, NDArray[Any]]:
    """Add up rows of a histogram with weights that do not fit into 64 bits, as `mix_rows` does."""
    sizes = np.diff(indptr)[places]
    of, entries = expand_stretches(indptr[places], sizes)
    rows = np.repeat(np.arange(ends.size - 1), np.diff(ends))[of]
    keys, amounts = rows * n_values + values[entries], weights[of] * counts[entries]
    order = np.argsort(keys, kind="stable")
    firsts = np.flatnonzero(np.diff(keys[order], prepend=-1))
    found = keys[order][firsts]
    added = np.add.reduceat(amounts[order], firsts) if firsts.size else amounts
    new_indptr = np.searchsorted(found, np.arange(ends.size) * n_values)
    return new_indptr, (found % n_values).astype(np.int32), added
