"""What was learned from reconstructed distributions, and how it guesses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, Self

import numpy as np
from attrs import define
from numpy.typing import NDArray

from unlinkable.extras import load_extra
from unlinkable.tables.data import Table, as_table, numeric_points
from unlinkable.tables.data.reading import to_frame
from unlinkable.tables.taxonomies import Domain
from unlinkable.typing import CodeArray, Columns, FloatArray

__all__ = ["CountedBayes", "Guesser", "MinedClassifier", "grown_tree", "records_of"]

_N_BINS = 16
"""Columns without noise are told to naive Bayes in so many intervals, with as many records each."""


class Guesser(Protocol):
    """Something that guesses classes from points."""

    def predict(self, points: FloatArray) -> Any:
        """Guess the code of the class of every point."""


@define(eq=False, frozen=True)
class MinedClassifier:
    """A classifier that was learned from what people handed in.

    Attributes
    ----------
    columns
        What it looks at.
    classes
        What it tells apart.
    """

    columns: Columns
    classes: Domain
    _guesser: Guesser

    def predict(self, data: object) -> NDArray[np.object_]:
        """Guess the class of records with true values, given as a table or a frame.

        Raises
        ------
        SchemaError, DataError
            If a column is not there, or values are missing.
        """
        table = records_of(data)
        codes = np.asarray(self._guesser.predict(numeric_points(table, self.columns)), np.int32)
        return np.array([self.classes.text(code) for code in range(self.classes.n)], object)[codes]


def records_of(data: object) -> Table:
    """Take a table as it is, and a frame of any kind as one of which no column is anything."""
    if isinstance(data, Table):
        return data
    frame, _ = to_frame(data)
    return as_table(frame, insensitive=frame.columns)


def grown_tree(points: FloatArray, classes: CodeArray) -> Guesser:
    """Grow a decision tree with scikit-learn.

    It splits by entropy. A split stays if it saves log2(n) bits for every leaf that it adds, as for
    the decision tree of ``classification-error``.
    """
    tree = load_extra("sklearn.tree", "ml", "decision trees").DecisionTreeClassifier(
        criterion="entropy",
        min_samples_leaf=2,
        ccp_alpha=np.log2(len(classes)) / len(classes),
        random_state=0,
    )
    grown: Guesser = tree.fit(points, classes)
    return grown


@define(eq=False, frozen=True)
class CountedBayes:
    """Naive Bayes over intervals.

    Attributes
    ----------
    edges
        The inner ends of the intervals of every column.
    priors
        The logarithm of the share of every class.
    logs
        For every column, the logarithm of the share of each interval (columns) within each class
        (rows), with one record added to every count.
    """

    edges: tuple[FloatArray, ...]
    priors: FloatArray
    logs: tuple[FloatArray, ...]

    @classmethod
    def of(cls, points: FloatArray, classes: CodeArray, edges: Sequence[FloatArray]) -> Self:
        """Count; ``edges`` are the ends of the intervals of the first columns."""
        n_classes = int(classes.max()) + 1
        cuts = np.arange(1, _N_BINS) / _N_BINS
        known = len(edges)
        inner = [ends[1:-1] for ends in edges]
        inner += [np.unique(np.quantile(column, cuts)) for column in points.T[known:]]
        logs = []
        for ends, column in zip(inner, points.T, strict=True):
            cells = np.searchsorted(ends, column, side="right")
            both = classes.astype(np.int64) * (ends.size + 1) + cells
            counts = np.bincount(both, minlength=n_classes * (ends.size + 1)) + 1.0
            by_class = counts.reshape(n_classes, -1)
            logs.append(np.log(by_class / by_class.sum(axis=1, keepdims=True)))
        counted = np.bincount(classes, minlength=n_classes)
        return cls(tuple(inner), np.log(counted / counted.sum()), tuple(logs))

    def predict(self, points: FloatArray) -> CodeArray:
        """Guess the most likely class of every point."""
        score = np.broadcast_to(self.priors, (len(points), self.priors.size))
        for ends, logs, column in zip(self.edges, self.logs, points.T, strict=True):
            score = score + logs.T[np.searchsorted(ends, column, side="right")]
        guessed: CodeArray = score.argmax(axis=1).astype(np.int32)
        return guessed
