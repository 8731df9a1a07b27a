"""Guessing: what people hide, by rules or models that were learned from a release.

People of whom the same is known are one kind, and are guessed at once. A guess may be made from all
published records, or from some of them: what is learned of others is not learned of the victim.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, Self

import numpy as np
from attrs import frozen

from unlinkable.errors import UnsupportedError
from unlinkable.kernels.counting import count
from unlinkable.kernels.linkage import likeliest
from unlinkable.tables.attacks.base.target import Target, Truth
from unlinkable.tables.attacks.learned.shared.axis import Axis, meanings, read_axes
from unlinkable.tables.attacks.learned.shared.kinds import Hidden, Kinds
from unlinkable.tables.metrics import Classifier, Features, Sort, encode_codes
from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = ["Guesser", "Guesses", "Models", "Rules"]

_MOST_CLASSES = 256
"""More values than these are no classes that a model could tell apart."""
_AT_ONCE = 1 << 16
"""So many people are shown to a model at a time."""


@frozen(eq=False)
class Guesses:
    """The likeliest value of every kind (-1: none is believed), and how sure it is."""

    codes: CodeArray
    confidence: FloatArray


class Guesser(Protocol):
    """Who guesses what people hide."""

    def guess(self, rows: BoolArray | None = None) -> Guesses:
        """Guess for every kind, from all published records or from some of them."""


@frozen(eq=False)
class Rules:
    """*Whoever shows this has that*: the most frequent value of the records that could be theirs.

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
        published = _told(axes, 0, slice(None), np.random.default_rng(seed))
        known = _told(axes, len(tables) - 1, kinds.first)
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


def _told(
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
