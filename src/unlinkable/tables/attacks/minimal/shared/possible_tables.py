"""Possible tables: all that a release may have been made from, by what it shows.

An adversary with a list of everybody and exact quasi-identifiers knows in which published group
each of them is, but not who of a group has which of its hidden values. A possible table gives every
person one of them. People who are equal on the quasi-identifier may change places without any
method noticing, so tables come in *classes*: how many people of each kind have each value. There
are far fewer classes than tables, and one table of each says it all.

Where a person fits several groups, the groups are taken together: what they hide is dealt out to
all who fit one of them. This yields some tables that do not fit the release, and a replay that asks
what would be made of them finds out. People who fit no group were left out, and nothing tells what
they have: each is taken to have what some published record has, and every record is equally likely.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import product
from math import prod
from typing import Self

import numpy as np
from attrs import define

from unlinkable.errors import DataError
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.minimal.shared.allocations import Fits, Pool
from unlinkable.tables.attacks.shared.matching import match
from unlinkable.tables.data import (
    ColumnPlan,
    Frame,
    Role,
    Schema,
    SideTable,
    Table,
    beside,
    keep_rows,
)
from unlinkable.tables.engines import count
from unlinkable.tables.groups import RowNumbers
from unlinkable.tables.taxonomies.builders import Verbatim
from unlinkable.typing import BoolArray, CodeArray, Columns, CountArray

__all__ = ["PossibleTables"]

_MOST_POOLS = 64
"""If more pools are open, there are more classes than anybody can ask about."""


@define(eq=False, frozen=True, slots=False)
class PossibleTables:
    """All tables that a release may have been made from.

    Attributes
    ----------
    people
        The exact quasi-identifiers of everybody.
    told
        What published records tell beside the quasi-identifier.
    sensitive
        Which of these columns are sensitive.
    kinds
        The kind of every person: equal numbers, equal quasi-identifiers.
    first
        The first person of each kind.
    fits
        Which groups people of each kind may be in.
    pools, record_pools
        For every person, and for every record, the pool it is in; -1 for people left out.
    values
        For every record what it tells: equal numbers, equal values.
    groups
        For every record its group.
    """

    people: Frame
    told: Frame
    sensitive: Columns
    kinds: CodeArray
    first: CountArray
    fits: Fits
    pools: CodeArray
    record_pools: CodeArray
    values: CodeArray
    groups: CodeArray

    @classmethod
    def of(cls, target: Target, everybody: SideTable, told: Columns) -> Self:
        """Find out who may be in which group of a release.

        Parameters
        ----------
        target
            The release.
        everybody
            A list of all people whose records the release was made from.
        told
            The columns besides the quasi-identifier that these records have.

        Raises
        ------
        SchemaError
            If the list lacks a quasi-identifying column.
        DataError
            If a group does not have as many people as records.
        """
        everybody.require(*target.quasi)
        people = everybody.frame.select(target.quasi)
        kinds, first = _kinds(people)
        counted = target.counted()
        fits = Fits.of(match(target, everybody, target.quasi), first, counted)
        of_kind, of_group = fits.pools(first.size, len(counted.finest))
        pools, record_pools = of_kind[kinds], of_group[counted.labels]
        _refuse_other_people(pools, record_pools)
        return cls(
            people,
            target.frame.select(told),
            target.sensitive,
            kinds,
            first,
            fits,
            pools,
            record_pools,
            _numbered(target, told),
            counted.labels,
        )

    def __len__(self) -> int:
        return self.people.height

    def table(self, records: CountArray) -> Table:
        """Make the table in which every person has what this record tells."""
        frame = beside(self.people, keep_rows(self.told, records), self.told.columns)
        columns = [ColumnPlan(name, Role.QUASI) for name in self.people.columns]
        columns += [
            ColumnPlan(name, Role.SENSITIVE if name in self.sensitive else Role.INSENSITIVE)
            for name in self.told.columns
        ]
        return Table(frame, Schema(columns))

    def draw(self, rng: np.random.Generator) -> CountArray:
        """Draw a table, all being equally likely: a record for every person."""
        mixed = np.lexsort((rng.random(self.record_pools.size), self.record_pools))
        records = self._dealt(mixed)
        left_out = self.pools < 0
        records[left_out] = rng.integers(mixed.size, size=int(left_out.sum()))
        return records

    def n_classes(self, most: int) -> int:
        """Count the classes of tables; more than ``most`` if there are more."""
        if np.count_nonzero(self._is_open) > _MOST_POOLS:
            return most + 1
        n = 1
        for pool in self._open_pools:
            n *= pool.n_classes(most)
            if n > most:
                return most + 1
        return n

    def classes(self) -> Iterator[tuple[CountArray, int]]:
        """Yield a table of every class, and how many tables are like it."""
        pools = self._open_pools
        settled = self._dealt(np.argsort(self.record_pools, kind="stable"))
        for chosen in product(*(list(pool.dealt()) for pool in pools)):
            records = settled.copy()
            for pool, (deal, _) in zip(pools, chosen, strict=True):
                for people, hand in zip(pool.members, deal, strict=True):
                    records[people] = np.repeat(pool.records, hand)
            yield records, prod(weight for _, weight in chosen)

    @property
    def n_fitting(self) -> CountArray:
        """For every kind of people how many records they may have."""
        n = np.zeros(self.first.size, np.int64)
        np.add.at(n, self.fits.kinds, self.fits.n_records)
        return n

    @property
    def is_apart(self) -> bool:
        """Whether everybody fits one group at most."""
        return np.unique(self.groups).size == np.unique(self.record_pools).size

    @cached_property
    def is_open(self) -> BoolArray:
        """For every kind of people whether it is open what they have."""
        of_kind = self.pools[self.first]
        is_open: BoolArray = np.append(self._is_open, self.values.max(initial=0) > 0)[of_kind]
        return is_open

    @cached_property
    def _is_open(self) -> BoolArray:
        """For every pool whether it has several kinds of people and several values."""
        n = int(self.record_pools.max(initial=-1)) + 1
        inside = self.pools >= 0
        kinds = _distinct(self.pools[inside], self.kinds[inside], n)
        is_open: BoolArray = (kinds > 1) & (_distinct(self.record_pools, self.values, n) > 1)
        return is_open

    @cached_property
    def _open_pools(self) -> tuple[Pool, ...]:
        found = [self._pool(at) for at in np.flatnonzero(self._is_open).tolist()]
        left_out = np.flatnonzero(self.pools < 0)
        if left_out.size and self.values.max(initial=0) > 0:
            found.append(self._shared(left_out, np.arange(self.values.size), is_left_out=True))
        return tuple(found)

    def _pool(self, at: int) -> Pool:
        people, records = self.pools == at, self.record_pools == at
        return self._shared(np.flatnonzero(people), np.flatnonzero(records))

    def _shared(
        self, people: CountArray, records: CountArray, *, is_left_out: bool = False
    ) -> Pool:
        order = people[np.argsort(self.kinds[people], kind="stable")]
        starts = np.flatnonzero(np.diff(self.kinds[order])) + 1
        _, first, n_each = np.unique(self.values[records], return_index=True, return_counts=True)
        members = tuple(np.split(order, starts))
        return Pool(members, records[first], tuple(n_each.tolist()), is_left_out)

    @cached_property
    def _by_pool(self) -> CountArray:
        """The people who have a record, in the order of their pools."""
        order = np.argsort(self.pools, kind="stable")
        return order[int((self.pools < 0).sum()) :]

    def _dealt(self, records: CountArray) -> CountArray:
        """Deal records that come in the order of their pools out to the people of the pools."""
        out = np.zeros(len(self), np.int64)
        out[self._by_pool] = records
        return out


def _kinds(people: Frame) -> tuple[CodeArray, CountArray]:
    """Number what people are on the quasi-identifier, and give a person of each number."""
    columns = [ColumnPlan(name, Role.QUASI, Verbatim()) for name in people.columns]
    kinds = count(Table(people, Schema(columns))).labels
    return kinds, np.unique(kinds, return_index=True)[1]


def _numbered(target: Target, told: Columns) -> CodeArray:
    """Number what records tell: equal numbers, equal values."""
    table = target.table(target.alike, told)
    numbers = RowNumbers(len(target))
    for name in told:
        numbers.add(table.codes(name), table.taxonomy(name).n)
    return numbers.finish()[0]


def _distinct(labels: CodeArray, values: CodeArray, n_labels: int) -> CountArray:
    """Count the different values under each label."""
    pairs = np.unique(labels.astype(np.int64) * (int(values.max(initial=0)) + 1) + values)
    return np.bincount(pairs // (int(values.max(initial=0)) + 1), minlength=n_labels)


def _refuse_other_people(pools: CodeArray, record_pools: CodeArray) -> None:
    n_pools = int(record_pools.max(initial=-1)) + 1
    n_people = np.bincount(pools[pools >= 0], minlength=n_pools)
    n_records = np.bincount(record_pools, minlength=n_pools)
    if (n_people != n_records).any():
        at = int(np.flatnonzero(n_people != n_records)[0])
        raise DataError(
            f"{n_people[at]} people in the list fit groups with {n_records[at]} records: the list "
            "must hold everybody whose record the release was made from, and nobody else"
        )
