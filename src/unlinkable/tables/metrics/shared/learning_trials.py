"""Trials: learning from some records, and being tried on others.

The same rounds are run on the original and on the release: which records are tried in which round
belongs to the records, not to the learner.
"""

from __future__ import annotations

from typing import Self

import numpy as np
from attrs import evolve, frozen

from unlinkable.errors import UnsupportedError
from unlinkable.tables.metrics.base.published import Published
from unlinkable.tables.metrics.shared.classifiers import Classifier
from unlinkable.tables.metrics.shared.encoding import encode, weights_of
from unlinkable.tables.metrics.shared.features import Features, Sort
from unlinkable.typing import BoolArray, CodeArray, Columns, FloatArray, Progress

__all__ = ["Course", "Records"]

_FEWEST_RECORDS = 10
"""With fewer, an error is a matter of chance."""


@frozen(eq=False)
class Records:
    """Records to learn from and to be tried on.

    Attributes
    ----------
    features, classes, weights
        What each record shows, its class, and how many people it stands for.
    parts
        The round in which each is tried; it is learned from in all others. -1: in none.
    """

    features: Features
    classes: CodeArray
    weights: FloatArray
    parts: CodeArray

    @classmethod
    def of(cls, published: Published, target: str, parts: CodeArray) -> Self:
        """Take the records of a release; those that stand for nobody are dropped.

        Raises
        ------
        UnsupportedError
            If there are too few, or columns cannot be read.
        """
        weights = weights_of(published)
        if (there := np.count_nonzero(weights)) < _FEWEST_RECORDS:
            raise UnsupportedError(
                f"{there} {published.kind} records are too few to learn from: there must be "
                f"{_FEWEST_RECORDS} or more"
            )
        columns = tuple(name for name in published.columns if name != target)
        features = encode(published, columns)
        records = cls(features, published.codes(target), weights, parts)
        return records if there == weights.size else records.at(weights > 0)

    def at(self, records: BoolArray) -> Self:
        """Keep the marked records."""
        return evolve(
            self,
            features=self.features.of_records(records),
            classes=self.classes[records],
            weights=self.weights[records],
            parts=self.parts[records],
        )

    def without_widths(self) -> Self:
        """Examine where values lie, and not at how wide their ranges are."""
        sorts = (sort for sort in Sort if sort is not Sort.WIDTH)
        return evolve(self, features=self.features.of_sort(*sorts))

    def of_columns(self, names: Columns) -> Self:
        """Examine some columns only."""
        return evolve(self, features=self.features.of_columns(names))


@frozen(eq=False)
class Course:
    """Rounds of learning from some records and being tried on others.

    Attributes
    ----------
    classifier, seed
        Who learns, and the seed of what is random in it.
    n_rounds
        How often: once, or once for every fold.
    n_errors
        How many errors are to be measured in all, so that progress can be told.
    progress
        Progress callback.
    """

    classifier: Classifier
    seed: int
    n_rounds: int
    n_errors: int
    progress: Progress | None

    def errors(self, which: int, what: str, learned: Records, *tried: Records) -> list[float]:
        """Learn from some records, and tell how often the classes of others are told wrong.

        This is error number ``which``, of a classifier that learns from ``what``.

        Raises
        ------
        UnsupportedError
            If no record is left to learn from, or to be tried on.
        """
        wrong, total = np.zeros(len(tried)), np.zeros(len(tried))
        for part in range(self.n_rounds):
            seen = learned.at(learned.parts != part)
            if not seen.classes.size:
                raise _too_few("learn from")
            fitted = self.classifier.fit(seen.features, seen.classes, seen.weights, self.seed)
            for i, records in enumerate(tried):
                unseen = records.at(records.parts == part)
                if unseen.classes.size:
                    is_wrong = fitted.predict(unseen.features) != unseen.classes
                    wrong[i] += unseen.weights @ is_wrong
                    total[i] += unseen.weights.sum()
            if self.progress is not None:
                done = which + (part + 1) / self.n_rounds
                self.progress(done / self.n_errors, f"learned from {what}")
        if not total.all():
            raise _too_few("be tried on")
        return [float(share) for share in wrong / total]


def _too_few(purpose: str) -> UnsupportedError:
    return UnsupportedError(
        f"the split leaves no published record to {purpose}: choose another train_share or seed, "
        "or a release that leaves out fewer records"
    )
