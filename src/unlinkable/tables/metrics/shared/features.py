"""Features: what published records show, as numbers that classifiers learn from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from hashlib import blake2b
from itertools import compress
from typing import Any, ClassVar, Self

import numpy as np
from attrs import define, evolve, frozen
from numpy.typing import NDArray

from unlinkable.tables.data import Table
from unlinkable.tables.metrics.base.published import Perturbed, Published, spans_of
from unlinkable.tables.taxonomies import Attribute, Domain, Kind, Taxonomy
from unlinkable.typing import BoolArray, CodeArray, Columns, CountArray, FloatArray

__all__ = ["MOST_NODES", "Features", "Sort", "Unchanged", "encode", "encode_codes", "weights_of"]

_STEPS = 4096
"""Shares that differ by less than this part of the greatest are taken for equal."""


class Sort(Enum):
    """What a feature says of a column."""

    MIDPOINT = "midpoint"
    """The middle of the interval, 0 for the least number of the original and 1 for the greatest."""
    WIDTH = "width"
    """The width of the interval, out of that of all numbers of the original."""
    MISSING = "missing"
    """1 if the value is missing."""
    VALUE = "value"
    """How much of the range is one value (or one stretch of values, where there are too many)."""
    NODE = "node"
    """How much of the range lies under one node of the taxonomy above the values."""


@frozen(eq=False)
class Features:
    """Records as rows of numbers.

    Attributes
    ----------
    values
        One row per record, one column per feature: four bytes for each record and feature.
    columns
        The column of the table that each feature tells of.
    sorts
        What each feature tells of it.
    covers
        The codes ``[lo, hi)`` of the value or node that each is about; none for numbers.
    """

    values: NDArray[np.float32]
    columns: Columns
    sorts: tuple[Sort, ...]
    covers: tuple[tuple[int, int], ...]

    def __len__(self) -> int:
        return len(self.values)

    def of_columns(self, names: Columns) -> Self:
        """Keep the features of some columns of the table."""
        return self.at(np.array([name in names for name in self.columns], bool))

    def of_sort(self, *sorts: Sort) -> Self:
        """Keep the features that tell such things."""
        return self.at(np.array([sort in sorts for sort in self.sorts], bool))

    def at(self, kept: BoolArray) -> Self:
        """Keep the marked features."""
        columns = tuple(compress(self.columns, kept))
        sorts, covers = tuple(compress(self.sorts, kept)), tuple(compress(self.covers, kept))
        return type(self)(self.values[:, kept], columns, sorts, covers)

    def told_once(self) -> BoolArray:
        """Mark the features that no node further up repeats in these records, but for a factor.

        Where records show families of jobs and no single job, the share of a job is half that of
        its family, or a third, for all of them. Who learns from the job instead of the family errs
        as soon as a single job is seen.
        """
        alike: dict[tuple[str, bytes], list[tuple[int, int]]] = {}
        keys = []
        for j, (name, cover) in enumerate(zip(self.columns, self.covers, strict=True)):
            shares = self.values[:, j]
            greatest = max(float(shares.max(initial=0)), 1e-9)
            steps = np.round(shares / greatest * _STEPS).astype(np.int32)
            keys.append((name, blake2b(steps.tobytes()).digest()))
            alike.setdefault(keys[-1], []).append(cover)
        told = [
            not any(lo <= start and end <= hi and (lo, hi) != (start, end) for lo, hi in alike[key])
            for key, (start, end) in zip(keys, self.covers, strict=True)
        ]
        return np.array(told, bool)

    def of_records(self, records: BoolArray | CountArray) -> Self:
        """Keep some records."""
        return evolve(self, values=self.values[records])

    def beside(self, other: Self) -> Self:
        """Put the records of another table with the same features after these."""
        return evolve(self, values=np.concatenate([self.values, other.values]))


MOST_NODES = 128
"""Levels of a taxonomy with more nodes are replaced by so many stretches of neighbouring values."""


@define(eq=False, frozen=True, slots=False)
class Unchanged(Published):
    """The original itself, as if it had been published as it is."""

    kind: ClassVar[str] = "unchanged"

    @classmethod
    def of(cls, original: Table) -> Self:
        """Examine a table as a release of itself."""
        return cls(original, original.frame, np.arange(len(original)))

    def ranges(self, name: str) -> tuple[CodeArray, CodeArray]:
        return self._as_published(name)


def encode(
    published: Published, columns: Columns, draw: np.random.Generator | None = None
) -> Features:
    r"""Turn some columns of a release into numbers.

    A column of numbers or dates gives three features: the midpoint and the width of the interval
    :math:`[l, h]` that a record shows, scaled by the least and greatest number :math:`a, b` of the
    original to :math:`\frac{(l + h)/2 - a}{b - a}` and :math:`\frac{h - l}{b - a}`, and whether the
    value is missing; a missing value stands in the middle, :math:`1/2`. Perturbed numbers may lie
    outside of 0 and 1.

    A column of categories gives one feature for every node :math:`v` of its taxonomy below the
    root, leaves included: the share :math:`|r \cap v| / |r|` of the values of the range :math:`r`
    that lie under it. That is 1 if the range lies within the node, 0 if it lies outside, and
    otherwise the chance that a uniform guess from the range lies within: a tree can ask whether the
    record is known to be under the node, and to a linear model the feature is the indicator's
    expectation. Nodes that cover the same values count once.

    A level with more than `MOST_NODES` nodes (zip codes, diagnoses) is replaced by as many
    stretches of neighbouring codes, each with about the same number of original records. A column
    thus has at most `MOST_NODES` features per level, however many values it has.

    With ``draw``, one value is first drawn uniformly from every range: a category from those that
    it covers, a number from the interval (a whole one if the original has none but these). What is
    then encoded looks like records of the original.

    Raises
    ------
    UnsupportedError
        If a column shows categories that the original does not have, or is told for buckets only.

    Examples
    --------
    >>> from unlinkable.tables.data import as_table
    >>> people = as_table({"age": [20, 30, 60], "job": ["cook", "clerk", "cook"]}, quasi="age",
    ...     insensitive="job")
    >>> features = encode(Unchanged.of(people), ("age", "job"))
    >>> [sort.value for sort in features.sorts]
    ['midpoint', 'width', 'missing', 'value', 'value']
    >>> features.values.tolist()[1]
    [0.25, 0.0, 0.0, 1.0, 0.0]
    """
    coders = [_coder(published, name) for name in columns]
    told = (coder.encode(published, draw) for coder in coders)
    return _features(coders, told, published.n_records)


def encode_codes(
    attributes: Sequence[Attribute], counts: Sequence[CountArray], lo: CodeArray, hi: CodeArray
) -> Features:
    """Turn rows of ranges ``[lo, hi)`` of codes into the numbers that `encode` makes of records.

    ``counts`` tells for every column how many records of the original have each code.

    Examples
    --------
    >>> from unlinkable.tables.data import as_table
    >>> people = as_table({"age": [20, 30, 60], "job": ["cook", "clerk", "cook"]},
    ...     quasi=["age", "job"])
    >>> shown = np.array([[1, 0]]), np.array([[2, 2]])  # 30, clerk or cook
    >>> counts = [np.bincount(people.codes(a.name)) for a in people.attributes]
    >>> encode_codes(people.attributes, counts, *shown).values.tolist()
    [[0.25, 0.0, 0.0, 0.5, 0.5]]
    """
    coders = [_coder_of(a.name, a.taxonomy, n) for a, n in zip(attributes, counts, strict=True)]
    told = (
        coder.encode_codes(a.taxonomy.domain, lo[:, j], hi[:, j])
        for j, (coder, a) in enumerate(zip(coders, attributes, strict=True))
    )
    return _features(coders, told, len(lo))


def weights_of(published: Published) -> FloatArray:
    """Count the people that each published record stands for.

    Noisy counts below 0 stand for nobody.
    """
    if isinstance(published, Perturbed) and published.weights is not None:
        return np.maximum(published.weights, 0.0)
    given = published.original.weights
    if given is None or published.rows is None:
        return np.ones(published.n_records)
    return given[published.rows]


def _features(
    coders: Sequence[_Ordered | _Categories], told: Iterable[NDArray[Any]], n_rows: int
) -> Features:
    """Put the features of several columns side by side, as they come."""
    sorts = [coder.sorts for coder in coders]
    owners = tuple(coder.name for coder in coders for _ in coder.sorts)
    ends = np.cumsum([0, *map(len, sorts)]).tolist()
    values = np.empty((n_rows, ends[-1]), np.float32)
    for j, of_column in enumerate(told):
        values[:, ends[j] : ends[j + 1]] = of_column
    covers = tuple(cover for coder in coders for cover in coder.covers)
    return Features(values, owners, tuple(sort for told_of in sorts for sort in told_of), covers)


def _coder(published: Published, name: str) -> _Ordered | _Categories:
    taxonomy = published.original.taxonomy(name)
    counts = np.bincount(published.original.codes(name), minlength=taxonomy.n)
    return _coder_of(name, taxonomy, counts)


def _coder_of(name: str, taxonomy: Taxonomy, counts: CountArray) -> _Ordered | _Categories:
    if taxonomy.domain.kind is not Kind.CATEGORY:
        return _Ordered(name, taxonomy.domain.as_numbers())
    return _Categories(name, *_nodes(taxonomy, counts))


@frozen(eq=False)
class _Ordered:
    """How numbers and dates are encoded: the numbers of the original in their order."""

    name: str
    numbers: FloatArray

    @property
    def sorts(self) -> tuple[Sort, ...]:
        return (Sort.MIDPOINT, Sort.WIDTH, Sort.MISSING)

    @property
    def covers(self) -> tuple[tuple[int, int], ...]:
        return ((0, 0),) * 3

    def encode(self, published: Published, draw: np.random.Generator | None) -> FloatArray:
        lo, hi = published.spans(self.name)
        if draw is not None:
            lo = hi = self._drawn(lo, hi, draw)
        return self._told(lo, hi)

    def encode_codes(self, domain: Domain, lo: CodeArray, hi: CodeArray) -> FloatArray:
        return self._told(*spans_of(domain, lo, hi))

    def _told(self, lo: FloatArray, hi: FloatArray) -> FloatArray:
        is_known = np.isfinite(lo) & np.isfinite(hi)
        lo, hi = np.where(is_known, lo, 0.0), np.where(is_known, hi, 0.0)
        least, greatest = (self.numbers[0], self.numbers[-1]) if self.numbers.size else (0.0, 0.0)
        scale = (greatest - least) or 1.0
        midpoint = np.where(is_known, ((lo + hi) / 2 - least) / scale, 0.5)
        return np.column_stack([midpoint, (hi - lo) / scale, ~is_known])

    def _drawn(self, lo: FloatArray, hi: FloatArray, draw: np.random.Generator) -> FloatArray:
        share = draw.random(lo.size)
        is_whole = bool((self.numbers == np.floor(self.numbers)).all())
        drawn = np.floor(lo + (hi - lo + 1) * share) if is_whole else lo + (hi - lo) * share
        # A number that is shown as it is stays as it is, be it whole or not.
        return np.where(hi > lo, np.minimum(drawn, hi), lo)


@frozen(eq=False)
class _Categories:
    """How categories are encoded: nodes ``[starts, ends)``, the values (or stretches) first."""

    name: str
    starts: CodeArray
    ends: CodeArray
    n_values: int

    @property
    def sorts(self) -> tuple[Sort, ...]:
        return tuple(Sort.VALUE if i < self.n_values else Sort.NODE for i in range(self.ends.size))

    @property
    def covers(self) -> tuple[tuple[int, int], ...]:
        return tuple(zip(self.starts.tolist(), self.ends.tolist(), strict=True))

    def encode(self, published: Published, draw: np.random.Generator | None) -> NDArray[np.float32]:
        lo, hi = published.ranges(self.name)
        if draw is not None:
            lo = draw.integers(lo, hi, dtype=np.int32)
            hi = lo + np.int32(1)
        return self._told(lo, hi)

    def encode_codes(self, domain: Domain, lo: CodeArray, hi: CodeArray) -> NDArray[np.float32]:
        return self._told(lo, hi)

    def _told(self, lo: CodeArray, hi: CodeArray) -> NDArray[np.float32]:
        # Records that show the same range have the same features.
        keys, which = np.unique((lo.astype(np.int64) << 32) | hi, return_inverse=True)
        lo, hi = (half.astype(np.int32)[:, None] for half in (keys >> 32, keys & 0xFFFFFFFF))
        inside = np.minimum(hi, self.ends) - np.maximum(lo, self.starts)
        shares: NDArray[np.float32] = (np.maximum(inside, 0) / (hi - lo)).astype(np.float32)
        return shares[which]


def _nodes(taxonomy: Taxonomy, counts: CountArray) -> tuple[CodeArray, CodeArray, int]:
    """List the nodes that get a feature, from the values up, and say how many are values."""
    levels = [level.starts for level in taxonomy.levels[: max(taxonomy.height, 1)]]
    if taxonomy.n > MOST_NODES:
        levels = [_stretches(counts), *(s for s in levels if s.size - 1 <= MOST_NODES)]
    pairs = [np.column_stack([starts[:-1], starts[1:]]) for starts in levels]
    distinct = list(dict.fromkeys(map(tuple, np.concatenate(pairs).tolist())))
    nodes = np.array(distinct, np.int32).reshape(-1, 2)
    return nodes[:, 0], nodes[:, 1], len(pairs[0])


def _stretches(counts: CountArray) -> CodeArray:
    """Cut codes into at most `MOST_NODES` stretches with about as many records in each."""
    before = np.cumsum(counts) - counts
    stretch = np.minimum(before * MOST_NODES // max(int(counts.sum()), 1), MOST_NODES - 1)
    first = np.flatnonzero(np.diff(stretch, prepend=-1))
    return np.append(first, counts.size).astype(np.int32)
