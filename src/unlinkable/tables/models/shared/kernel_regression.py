"""Kernel regression: the prior of an adversary who infers from those who are similar.

An adversary who knows how a sensitive value goes with age and job in general has a belief about
everybody before a release. It is estimated from the table itself: the shares of the values among
records that are near, the nearer the more (Nadaraya-Watson regression with the product of
Epanechnikov kernels).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Self, TypeAlias

import numpy as np
from attrs import define
from numpy.typing import NDArray

from unlinkable.kernels.counting import merge_tallies
from unlinkable.kernels.distributions import regress
from unlinkable.tables.groups import Histogram, number_rows
from unlinkable.tables.taxonomies import Domain, Kind, Taxonomy
from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["KernelPrior", "level_weights", "positions"]

_Parts: TypeAlias = Sequence[tuple[Taxonomy, CodeArray]]


@define(eq=False, frozen=True)
class KernelPrior:
    """A belief about everybody's sensitive value, by what they are otherwise.

    Attributes
    ----------
    parts, whole
        The columns that were counted together, the sensitive one last, and their counts.
    person, value
        For every code of these counts the person and the value; -1 if it does not occur.
    codes
        The sensitive codes that occur: ``codes[value]``.
    probabilities
        ``probabilities[person, value]``: how likely that is.
    """

    parts: tuple[tuple[Taxonomy, CodeArray], ...]
    whole: CountArray
    person: CodeArray
    value: CodeArray
    codes: CodeArray
    probabilities: FloatArray

    @classmethod
    def of(cls, counted: Histogram, whole: CountArray, b: Fraction) -> Self:
        """Let everybody whose kernel of bandwidth ``b`` reaches a person vote on the value.

        The distance of numbers and dates is out of their range, that of categories the height of
        their least common node out of the height of the root. A missing value is 1 away from all
        others.
        """
        (*quasi, (taxonomy, secret)), there = counted.parts, np.flatnonzero(whole)
        near = _Neighbourhoods.of([(t, codes[there]) for t, codes in quasi], b)
        occurs = np.zeros(taxonomy.n, bool)
        occurs[secret[there]] = True
        codes = np.flatnonzero(occurs).astype(np.int32)
        value = np.where(whole > 0, (np.cumsum(occurs) - 1)[secret], -1).astype(np.int32)
        person = np.full(whole.size, -1, np.int32)
        person[there] = near.person
        rows = np.arange(there.size + 1), value[there], whole[there]
        votes = merge_tallies(*rows, near.person, near.ends.size, codes.size)
        probabilities = near.regress(votes, codes.size)
        return cls(counted.parts, whole, person, value, codes, probabilities)

    def are_of(self, counted: Histogram, whole: CountArray) -> bool:
        """Whether this prior comes from the same table."""
        return counted.parts is self.parts and np.array_equal(whole, self.whole)


@define(eq=False, frozen=True)
class _Neighbourhoods:
    """Distinct people, sorted so that those who are near stand together; see `regress`."""

    person: CodeArray
    ends: CountArray
    places: FloatArray
    apart: float
    paths: CodeArray
    first_level: CountArray
    by_level: FloatArray

    @classmethod
    def of(cls, parts: _Parts, b: Fraction) -> Self:
        person, first = number_rows(np.column_stack([codes for _, codes in parts]))
        numbers = [p for p in parts if p[0].domain.kind is not Kind.CATEGORY]
        trees = [p for p in parts if p[0].domain.kind is Kind.CATEGORY]
        places = np.empty((first.size, len(numbers)))
        for c, (taxonomy, codes) in enumerate(numbers):
            places[:, c] = positions(taxonomy.domain, codes)[first] / float(b)
        apart = float(max(1 - 1 / b**2, Fraction(0)))
        paths = [level.blocks[codes[first]] for t, codes in trees for level in t.levels[:-1]]
        weights = [level_weights(t, b) for t, _ in trees]
        cells = [np.isnan(places[:, c]) for c in range(len(numbers) if apart == 0 else 0)]
        cells += [
            t.levels[int(np.flatnonzero(w)[-1])].blocks[codes[first]]
            for (t, codes), w in zip(trees, weights, strict=True)
        ]
        order, ends, columns = _sort(cells, places)
        place = np.empty(first.size, np.int32)
        place[order] = np.arange(first.size)
        path = np.column_stack(paths) if paths else np.zeros((first.size, 0), np.int32)
        return cls(
            person=place[person],
            ends=ends,
            places=np.ascontiguousarray(places[order][:, columns]),
            apart=apart,
            paths=path[order],
            first_level=np.cumsum([0, *(t.height for t, _ in trees)]),
            by_level=np.concatenate([*weights, np.zeros(0)]),
        )

    def regress(self, votes: tuple[CountArray, CodeArray, CountArray], m: int) -> FloatArray:
        probabilities: FloatArray = regress(
            self.ends,
            self.places,
            self.apart,
            self.paths,
            self.first_level,
            self.by_level,
            *votes,
            m,
        )
        return probabilities


def positions(domain: Domain, codes: CodeArray) -> FloatArray:
    """Place numbers or dates between 0, the least that occurs, and 1; NaN for a missing value."""
    is_there = codes != domain.missing
    values: NDArray[Any] = domain.values
    if domain.kind is Kind.DATE:
        values = values.astype(np.int64)
    out = np.full(codes.size, np.nan)
    if is_there.any():
        found = values[codes[is_there]].astype(float)
        out[is_there] = (found - found.min()) / (np.ptp(found) or 1.0)
    return out


def level_weights(taxonomy: Taxonomy, b: Fraction) -> FloatArray:
    """Give the weight of two categories whose least common node is on each level.

    Examples
    --------
    >>> from unlinkable.tables.taxonomies.builders import Flat
    >>> from unlinkable.tables.taxonomies import observe
    >>> level_weights(Flat().build(observe("sex", ["f", "m"])), Fraction(2)).tolist()
    [1.0, 0.75]
    """
    height = max(taxonomy.height, 1)
    weights = [1 - (Fraction(level, height) / b) ** 2 for level in range(taxonomy.height + 1)]
    return np.array([float(max(w, Fraction(0))) for w in weights])


def _sort(
    cells: Sequence[NDArray[Any]], places: FloatArray
) -> tuple[CountArray, CountArray, CountArray]:
    """Sort points by cell and by the number that has the most values.

    Gives the order, the end of the cell of every point in it, and the columns of numbers with that
    one first.
    """
    cell = np.zeros(len(places), np.int32)
    if cells:
        cell, _ = number_rows(np.column_stack(cells).astype(np.int32))
    spread = np.array([-np.unique(column).size for column in places.T])
    columns = np.argsort(spread, kind="stable")
    key = places[:, columns[0]] if columns.size else np.zeros(len(places))
    order = np.lexsort((key, cell))
    return order, np.searchsorted(cell[order], cell[order], side="right"), columns
