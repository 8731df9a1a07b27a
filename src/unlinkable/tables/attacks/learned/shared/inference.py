"""Inference: sensitive values of people, by rules or models that were learned from a release.

People of whom the same is known are one kind, and are guessed at once. A guess may be made from all
published records, or from some of them: what is learned of others is not learned of the victim.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol, Self, TypeAlias

import numpy as np
from attrs import frozen

from unlinkable.errors import UnsupportedError
from unlinkable.kernels.counting import count, expand_stretches
from unlinkable.kernels.linkage import likeliest
from unlinkable.tables.attacks.base.target import Target, Truth
from unlinkable.tables.attacks.learned.shared.column_axes import Axis, meanings, read_axes
from unlinkable.tables.attacks.shared.matching import match
from unlinkable.tables.data import SideTable
from unlinkable.tables.groups import number_rows
from unlinkable.tables.metrics import Classifier, Features, Sort, encode_codes
from unlinkable.tables.taxonomies import Domain
from unlinkable.typing import BoolArray, CodeArray, Columns, CountArray, FloatArray

__all__ = ["Guesser", "Guesses", "Hidden", "Kinds", "Masses", "Models", "Rules"]

Masses: TypeAlias = tuple[CountArray, CodeArray, FloatArray]
"""CSR: how much of each value every row hides."""


@frozen(eq=False)
class Kinds:
    """People, and the published records that could be theirs.

    Attributes
    ----------
    columns
        What is known of people.
    kind, first, sizes
        The kind of every person; of every kind the first person and the number of people.
    look, n_looks
        What each published record shows, as a number, and how many there are of these.
    n_records
        By kind, the published records that could be theirs.
    people
        The list; None if the people are those of the published records.
    """

    columns: Columns
    kind: CodeArray
    first: CountArray
    sizes: CountArray
    look: CodeArray
    n_looks: int
    n_records: CountArray
    people: SideTable | None
    _chunks: tuple[tuple[CountArray, CountArray, CodeArray], ...]

    @classmethod
    def of_list(cls, target: Target, people: SideTable, columns: Columns | None) -> Self:
        """Look for the people of a list among the records of a release."""
        found = match(target, people, columns)
        return cls(
            found.columns,
            found.kind,
            found.first,
            found.kind_sizes,
            found.look,
            found.look_sizes.size,
            found.n_records(),
            people,
            tuple(found.chunks()),
        )

    @classmethod
    def of_release(cls, target: Target) -> Self:
        """Take published records for the people that they are about."""
        counted = target.looks()
        look, n = counted.labels, len(counted.finest)
        first = np.full(n, len(look), np.int64)
        np.minimum.at(first, look, np.arange(len(look)))
        all_looks = np.arange(n)
        chunk = (all_looks, np.arange(n + 1), all_looks.astype(np.int32))
        sizes = counted.finest.sizes
        return cls(target.quasi, look, first, sizes, look, n, sizes, None, (chunk,))

    def __len__(self) -> int:
        return self.first.size

    def chunks(self) -> Iterator[tuple[CountArray, CountArray, CodeArray]]:
        """Give the looks of some kinds after the other: kinds, and indptr and looks."""
        yield from self._chunks


@frozen(eq=False)
class Hidden:
    """What published records hide on a column.

    Attributes
    ----------
    column, domain
        The column, and its values.
    values
        The code that stands beside each record.
    bucket
        The bucket of each record, if what is hidden is told for whole buckets.
    """

    column: str
    domain: Domain
    values: CodeArray
    bucket: CodeArray | None

    @classmethod
    def of(cls, target: Target, column: str) -> Self:
        """Read a sensitive column of a release."""
        table = target.table(target.alike, [column])
        domain = table.taxonomy(column).domain
        bucket = None if target.bucket is None else table.codes(target.bucket)
        return cls(column, domain, table.codes(column), bucket)

    def masses(self, labels: CodeArray, n_labels: int, rows: BoolArray | None = None) -> Masses:
        """Add up what the records with each label hide; of some records only if ``rows`` says so.

        Of a record in a bucket each value of the bucket is believed with its share there.
        """
        values, bucket = self.values, self.bucket
        if rows is not None:
            labels, values = labels[rows], values[rows]
            bucket = None if bucket is None else bucket[rows]
        if bucket is None:
            return _sum_up(labels, values, np.ones(values.size), n_labels, self.domain.n)
        n_buckets = int(self.bucket.max(initial=-1)) + 1 if self.bucket is not None else 0
        inside = _sum_up(bucket, values, np.ones(values.size), n_buckets, self.domain.n)
        sizes = count(bucket, n_buckets)
        pairs, first = number_rows(np.column_stack([labels, bucket]))
        n_pairs = count(pairs, first.size)
        own = bucket[first]
        at, entries = expand_stretches(inside[0][own], np.diff(inside[0])[own])
        amounts = n_pairs[at] * inside[2][entries] / sizes[own[at]]
        of_pair = labels[first][at]
        return _sum_up(of_pair, inside[1][entries], amounts, n_labels, self.domain.n)


def _sum_up(
    rows: CodeArray, values: CodeArray, amounts: FloatArray, n_rows: int, n_values: int
) -> Masses:
    """Add up amounts by row and value."""
    keys = rows.astype(np.int64) * max(n_values, 1) + values
    distinct, which = np.unique(keys, return_inverse=True)
    masses = np.bincount(which, amounts, distinct.size).astype(float)
    of_row = distinct // max(n_values, 1)
    indptr = np.searchsorted(of_row, np.arange(n_rows + 1)).astype(np.int64)
    of_value: CodeArray = (distinct % max(n_values, 1)).astype(np.int32)
    return indptr, of_value, masses


_MOST_CLASSES = 256
"""More values than these are no classes that a model could tell apart."""
_AT_ONCE = 1 << 16
"""So many people are shown to a model at a time."""


@frozen(eq=False)
class Guesses:
    """The likeliest value of every kind (-1: none is believed), and how confident it is."""

    codes: CodeArray
    confidence: FloatArray


class Guesser(Protocol):
    """Who guesses what people hide."""

    def guess(self, rows: BoolArray | None = None) -> Guesses:
        """Guess for every kind, from all published records or from some of them."""


@frozen(eq=False)
class Rules:
    """Rules: the most frequent value of the records that could be theirs.

    Examples
    --------
    >>> import polars as pl
    >>> told = pl.DataFrame({"job": ["artist"] * 3, "ill": ["flu", "hiv", "hiv"]})
    >>> target = Target(told, ("job",), ("ill",))
    >>> found = Rules(Kinds.of_release(target), Hidden.of(target, "ill")).guess()
    >>> found.codes.tolist(), found.confidence.round(3).tolist()
    ([1], [0.667])
    """

    kinds: Kinds
    hidden: Hidden

    def guess(self, rows: BoolArray | None = None) -> Guesses:
        masses = self.hidden.masses(self.kinds.look, self.kinds.n_looks, rows)
        codes = np.full(len(self.kinds), -1, np.int32)
        confidence = np.zeros(len(self.kinds))
        for kinds, indptr, looks in self.kinds.chunks():
            best, peak, total = likeliest(indptr, looks, *masses, self.hidden.domain.n)
            codes[kinds] = best
            confidence[kinds] = np.divide(peak, total, out=np.zeros(peak.size), where=total > 0)
        return Guesses(codes, confidence)


@frozen(eq=False)
class Models:
    """A model of the value, learned from what published records show.

    Of a range of numbers, one that occurs is drawn: where a range ends is then seen, which the
    middles of ranges do not tell. Of other ranges, the share that lies under each node of the
    taxonomy is told. A record of a bucket is learned from once for each value of the bucket, with
    the weight of its share.
    """

    classifier: Classifier
    kinds: Kinds
    hidden: Hidden
    published: Features
    known: Features
    seed: int

    @classmethod
    def of(
        cls,
        classifier: Classifier,
        target: Target,
        kinds: Kinds,
        hidden: Hidden,
        truth: Truth | None,
        seed: int,
    ) -> Self:
        """Prepare what a model is shown.

        Raises
        ------
        UnsupportedError
            If the column has too many values.
        """
        if hidden.domain.n > _MOST_CLASSES:
            raise UnsupportedError(
                f"column {hidden.column!r} has {hidden.domain.n} values, and a model tells at most "
                f"{_MOST_CLASSES} apart: use model=rules"
            )
        people = None if kinds.people is None else kinds.people.frame
        tables = [target.frame] if people is None else [target.frame, people]
        axes = read_axes(kinds.columns, tables, meanings(target, kinds.columns, truth, people))
        published = _features(axes, 0, slice(None), np.random.default_rng(seed))
        known = _features(axes, len(tables) - 1, kinds.first)
        return cls(classifier, kinds, hidden, published, known, seed)

    def guess(self, rows: BoolArray | None = None) -> Guesses:
        n = len(self.published)
        # Every record is a look of its own here; those that are left out hide nothing.
        indptr, values, weights = self.hidden.masses(np.arange(n, dtype=np.int32), n, rows)
        if not values.size:
            return Guesses(np.full(len(self.kinds), -1, np.int32), np.zeros(len(self.kinds)))
        learned = self.published.of_records(np.repeat(np.arange(n), np.diff(indptr)))
        fitted = self.classifier.fit(learned, values, weights, self.seed)
        portions = np.split(np.arange(len(self.kinds)), range(_AT_ONCE, len(self.kinds), _AT_ONCE))
        parts = [fitted.guess(self.known.of_records(some)) for some in portions]
        return Guesses(*(np.concatenate(part) for part in zip(*parts, strict=True)))


def _features(
    axes: Sequence[Axis],
    table: int,
    rows: CountArray | slice,
    draw: np.random.Generator | None = None,
) -> Features:
    """Turn what some records of a table show into numbers, of ranges of numbers a random one.

    How wide a range is tells nothing of a person whose value is known: that is left out.
    """
    lows, highs = [], []
    for axis in axes:
        lo, hi = axis.lo[table][rows], axis.hi[table][rows]
        hi = np.maximum(hi, lo + np.int32(1))
        if draw is not None and axis.is_ordered:
            lo = draw.integers(lo, hi, dtype=np.int32)
            hi = lo + np.int32(1)
        lows.append(lo)
        highs.append(hi)
    counts = [count(axis.lo[0], axis.attribute.taxonomy.n + 1)[:-1] for axis in axes]
    attributes = [axis.attribute for axis in axes]
    told = encode_codes(attributes, counts, np.column_stack(lows), np.column_stack(highs))
    return told.of_sort(*(sort for sort in Sort if sort is not Sort.WIDTH))
