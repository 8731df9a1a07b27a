"""Crowd: people of whom values are believed, and buckets of those of whom about the same is."""

from __future__ import annotations

from typing import Self

import numpy as np
from attrs import define

from unlinkable.errors import UnsupportedError
from unlinkable.kernels.buckets import order_by_label, robust_buckets, robust_places
from unlinkable.tables.data import Table
from unlinkable.tables.engines import count_parts
from unlinkable.tables.groups import RowNumbers
from unlinkable.tables.models.base import All
from unlinkable.typing import BoolArray, CodeArray, Columns, CountArray, FloatArray

__all__ = ["Crowd"]

_IDLE = 4
"""So often something is tried without any gain before it is given up."""

_FEW = 64
"""So few people without a place try again."""

_PARTNERS = 32
"""How many blocks on each side are looked at for the best to merge with."""

_TRIALS = 8
"""How many buckets of a block are looked at by somebody who is left."""

_CERTAIN = 40.0
"""Logarithms of odds beyond this are as good as certain, to tell who is alike."""


@define(eq=False, frozen=True)
class Crowd:
    """People of several kinds, who differ by what is believed of them.

    Attributes
    ----------
    kinds
        The kind of each person. Kinds are in an order in which neighbours are alike: along the line
        on which what is believed of them differs most.
    codes
        The hidden value of each person.
    values
        The same if it is guarded, numbered from 0 on; -1 if it is not.
    n_values
        How many guarded values there are.
    odds
        ``odds[k, q]`` is the logarithm of the odds with which people of kind k are held to have
        value ``about[q]``, by one of the priors.
    about
        As above.
    """

    kinds: CodeArray
    codes: CodeArray
    values: CodeArray
    n_values: int
    odds: FloatArray
    about: CodeArray

    @classmethod
    def of(cls, table: Table, privacy: All) -> Self:
        """Look up what the promises say is believed.

        Raises
        ------
        UnsupportedError
            If beliefs are about several columns.
        """
        signatures, n = _signatures(table, privacy)
        alike = count_parts(table, signatures, n, privacy.needs())
        believed = list(privacy.odds(alike))
        columns = sorted({column for column, _, _ in believed})
        if len(columns) != 1:
            raise UnsupportedError(
                f"buckets can be formed for beliefs about one column, and these are about "
                f"{', '.join(map(repr, columns))}: promise it for one of them, and anatomize's "
                "promises for the others"
            )
        guarded = np.unique(np.concatenate([codes for _, codes, _ in believed]))
        number = np.full(table.taxonomy(columns[0]).n, -1, np.int32)
        number[guarded] = np.arange(guarded.size)
        odds = np.concatenate([odds for _, _, odds in believed], axis=1)
        about = np.concatenate([number[codes] for _, codes, _ in believed])
        distinct, kind = np.unique(odds, axis=0, return_inverse=True)
        line = _line(distinct)
        rank = np.empty(line.size, np.int32)
        rank[line] = np.arange(line.size)
        kinds = rank[kind.reshape(-1)][signatures]
        codes = table.codes(columns[0])
        return cls(
            kinds, codes, number[codes], guarded.size, np.ascontiguousarray(distinct[line]), about
        )

    @property
    def n_kinds(self) -> int:
        """How many kinds of people there are."""
        return len(self.odds)

    def n_excess(self, r: float) -> int:
        """Count the people who find no place in any buckets, even if all were believed alike."""
        counts = np.bincount(self.values + 1, minlength=self.n_values + 1)
        even = np.zeros((1, 0))
        _, left = robust_buckets.plan_blocks(
            counts[None, 1:], counts[:1], even, even, np.zeros(0, np.int32), r
        )
        return int(left[0])

    def bucketed(
        self, r: float, rng: np.random.Generator, joined: float = 0.0
    ) -> tuple[CodeArray, int]:
        """Put people into buckets, -1 if there is none for somebody; also give the rounds it took.

        People of a kind are dealt out to buckets of their own. Who is left joins a bucket of people
        who are alike. As long as there are some whom no bucket can take, their kinds are merged
        with others. A share ``joined`` of neighbouring kinds, chosen by chance, is merged before.
        """
        begins = rng.random(self.n_kinds) >= joined
        block = np.maximum(np.cumsum(begins) - 1, 0).astype(np.int32)
        best: tuple[int, CodeArray] | None = None
        n_rounds, n_idle = 0, 0
        while True:
            n_rounds += 1
            low, high = self._extremes(block)
            counts, free = self._counts(block)
            n_each, _ = robust_buckets.plan_blocks(counts, free, low, high, self.about, r)
            buckets = self._placed(block, n_each, r, rng)
            lost = block[self.kinds[buckets < 0]]
            n_idle += 1
            if best is None or lost.size < best[0]:
                best, n_idle = (lost.size, buckets), 0
            if not lost.size or free.size == 1 or n_idle == _IDLE:
                return best[1], n_rounds
            unplaced = np.bincount(lost, minlength=free.size)
            merged = robust_buckets.merge_blocks(
                counts, free, low, high, self.about, r, unplaced, _PARTNERS
            )
            block = merged[block]

    def _placed(
        self,
        block: CodeArray,
        n_each: CountArray,
        r: float,
        rng: np.random.Generator,
    ) -> CodeArray:
        home = block[self.kinds]
        first = np.concatenate([[0], np.cumsum(n_each)])
        buckets, left = self._dealt(home, n_each, first, rng)
        n_idle = 0
        while left.size and n_idle < _IDLE:
            state = rng.integers(1 << 63, size=1).astype(np.uint64)
            n_lost = robust_places.place_apart(
                rng.permutation(left), buckets, home, first, self.values, self.kinds, self.odds,
                self.about, r, _TRIALS, state,
            )  # fmt: skip
            # Chance decides who goes where: where few are left, it is worth while to try again.
            n_idle = n_idle + 1 if n_lost == left.size else 0
            left = np.flatnonzero(buckets < 0)
            if n_lost > _FEW:
                break
        # Nothing is promised of values that nobody guards: who fits nowhere is put together.
        buckets[(buckets < 0) & (self.values < 0)] = buckets.max(initial=-1) + 1
        return buckets

    def _dealt(
        self, home: CodeArray, n_each: CountArray, first: CountArray, rng: np.random.Generator
    ) -> tuple[CodeArray, CountArray]:
        """Deal the people of each block out to its buckets, sorted by value; say who is left."""
        number = np.append(rng.permutation(self.n_values), self.n_values).astype(np.int32)
        values, n_codes = number[self.values], int(self.codes.max(initial=-1)) + 1
        order, _ = order_by_label(rng.permutation(home.size), self.codes, n_codes)
        order, _ = order_by_label(order, values, self.n_values + 1)
        order, _ = order_by_label(order, home, n_each.size)
        own, value = home[order], values[order]
        begins = np.ones(order.size, bool)
        begins[1:] = (own[1:] != own[:-1]) | (value[1:] != value[:-1])
        place = _place_in_run(begins)
        is_free = (value == self.n_values) & (n_each[own] > 0)
        stays: BoolArray = (place < n_each[own]) | is_free
        left, order, own = order[~stays], order[stays], own[stays]
        begins = np.ones(order.size, bool)
        begins[1:] = own[1:] != own[:-1]
        buckets = np.full(home.size, -1, np.int32)
        buckets[order] = first[own] + _place_in_run(begins) % np.maximum(n_each[own], 1)
        return buckets, left

    def _counts(self, block: CodeArray) -> tuple[CountArray, CountArray]:
        """Count the guarded values, and all others, of each block."""
        n_blocks, width = int(block.max(initial=-1)) + 1, self.n_values + 1
        cell = block[self.kinds].astype(np.int64) * width + self.values + 1
        counts = np.bincount(cell, minlength=n_blocks * width).reshape(n_blocks, width)
        return np.ascontiguousarray(counts[:, 1:]), np.ascontiguousarray(counts[:, 0])

    def _extremes(self, block: CodeArray) -> tuple[FloatArray, FloatArray]:
        """Find the least and the greatest odds in each block."""
        n_blocks = int(block.max(initial=-1)) + 1
        low = np.full((n_blocks, self.about.size), np.inf)
        high = np.full((n_blocks, self.about.size), -np.inf)
        np.minimum.at(low, block, self.odds)
        np.maximum.at(high, block, self.odds)
        return low, high


def _signatures(table: Table, privacy: All) -> tuple[CodeArray, int]:
    """Number what people show on all columns that a prior may speak of."""
    needs = (m.needs() for m in privacy.models if m.about_beliefs)
    names = sorted({name for need in needs for columns in need for name in columns})
    rows = RowNumbers(len(table))
    for name in _visible(table, names):
        rows.add(table.codes(name), table.taxonomy(name).n)
    labels, first = rows.finish()
    return labels, first.size


def _visible(table: Table, names: list[str]) -> Columns:
    return tuple(name for name in names if name not in table.schema.sensitive)


def _line(odds: FloatArray) -> CountArray:
    """Sort kinds of people along the line on which they differ most."""
    points = np.clip(odds, -_CERTAIN, _CERTAIN)
    points = points - points.mean(axis=0)
    if points.size == 0:
        return np.arange(len(odds))
    # The direction of the greatest variance: the last eigenvector of the scatter matrix.
    _, directions = np.linalg.eigh(points.T @ points)
    return np.argsort(points @ directions[:, -1], kind="stable")


def _place_in_run(begins: BoolArray) -> CountArray:
    """Count for every entry how many of its run come before it."""
    at = np.arange(begins.size)
    return at - np.maximum.accumulate(np.where(begins, at, 0))
