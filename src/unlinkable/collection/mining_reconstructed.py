r"""Mining reconstructed distributions: classifiers from values that were collected with noise.

A classifier that learns from noisy values learns the noise. Agrawal and Srikant [1]_ reconstruct
the distribution of every column first, and then give each record the interval that its rank says:
the least noisy values go to the first interval, as many as it is to have, the next to the second,
and so on. From these a decision tree is grown as from any others. Naive Bayes asks for nothing but
such distributions in the first place [2]_.

References
----------
.. [1] R. Agrawal, R. Srikant. "Privacy-preserving data mining." SIGMOD 2000. Section 4.
.. [2] C. C. Aggarwal. "Data Mining: The Textbook." 2015. Section 20.2.2.
.. [3] J. R. Quinlan, R. L. Rivest. "Inferring decision trees using the minimum description length
   principle." Information and Computation 80(3), 1989.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Protocol, Self

import numpy as np
from attrs import define, evolve, field, frozen
from numpy.typing import NDArray

from unlinkable.collection.base import Collection
from unlinkable.collection.bayes_reconstruction import BayesReconstruction
from unlinkable.errors import DataError, SchemaError, unknown
from unlinkable.extras import load_extra
from unlinkable.params import Choice
from unlinkable.tables.data import Table, as_table, numeric_points
from unlinkable.tables.data.reading import to_frame
from unlinkable.tables.taxonomies import Domain
from unlinkable.typing import CodeArray, Columns, FloatArray

__all__ = [
    "CountedBayes",
    "Guesser",
    "Learner",
    "MinedClassifier",
    "MiningReconstructed",
    "Strategy",
    "grown_tree",
    "records_of",
]


class Learner(Choice):
    """What is learned."""

    DECISION_TREE = "decision-tree"
    """Splits by entropy; a split stays if it pays for writing it down."""
    NAIVE_BAYES = "naive-bayes"
    """The share of every interval in every class, columns taken for independent."""


class Strategy(Choice):
    """For whom distributions are reconstructed."""

    GLOBAL = "global"
    """For all records together, once for every column."""
    BY_CLASS = "by-class"
    """For the records of every class by themselves, once for every column."""


@frozen
class MiningReconstructed(Collection):
    r"""A decision tree or naive Bayes from columns to which everybody has added noise.

    For every noisy column (``by-class``: for every noisy column and class) the distribution over
    intervals :math:`I_1 .. I_k` is reconstructed. The records are put in the order of their noisy
    values, and the first :math:`n \theta_1` of them are taken to lie in :math:`I_1`, the next
    :math:`n \theta_2` in :math:`I_2`, and so on. A record may thus get a wrong interval, but every
    class has as many records in each interval as it should.

    Classes must be collected as they are. What was learned is used on true values: by people
    themselves, who have them, or on records of somebody who may see them.

    Parameters
    ----------
    learner
        ``decision-tree`` or ``naive-bayes``.
    strategy
        ``by-class`` reconstructs for each class by itself, ``global`` for all records at once.
        Where single columns tell classes apart, ``by-class`` is far better; where only several of
        them together do, less is won, and ``global`` is sometimes better.

    Guarantees
    ----------
    No more is used than what people handed in, so that nothing is promised beyond their noise. What
    was learned may still tell much about people, as everything that is true of many does.

    Cost
    ----
    For d noisy columns and n records, O(d n log n), and a reconstruction for each column and class.

    Raises
    ------
    SchemaError
        If a column is not there, or is used twice.
    DataError
        If there are fewer than two classes, or values are missing.

    Examples
    --------
    >>> rng = np.random.default_rng(3)
    >>> age = rng.uniform(20, 80, 8000)
    >>> buys = np.where((age > 40) & (age < 60), "yes", "no")
    >>> told = BayesReconstruction(30, "uniform", low=20, high=80)
    >>> handed_in = {"age": told.randomize(age, rng), "buys": buys}
    >>> learned = MiningReconstructed().fit(handed_in, "buys", {"age": told})
    >>> learned.predict({"age": [25.0, 50.0, 75.0]}).tolist()
    ['no', 'yes', 'no']
    """

    name: ClassVar[str] = "mining-reconstructed"
    reference: ClassVar[str] = "Agrawal and Srikant 2000"

    learner: Learner = field(default=Learner.DECISION_TREE, converter=Learner)
    strategy: Strategy = field(default=Strategy.BY_CLASS, converter=Strategy)

    def fit(
        self,
        data: object,
        target: str,
        noise: Mapping[str, BayesReconstruction],
        *,
        others: Sequence[str] = (),
    ) -> MinedClassifier:
        """Learn to tell the target column.

        Parameters
        ----------
        data
            What people handed in: a table, or a frame of any kind.
        target
            The column with the classes.
        noise
            For every noisy column, how its distribution is reconstructed.
        others
            Columns of numbers that were collected as they are.
        """
        table = records_of(data)
        names = (*noise, *others)
        _require(table, target, names)
        domain, classes = _classes(table, target)
        points = numeric_points(table, names)
        edges: list[FloatArray] = []
        for j, how in enumerate(noise.values()):
            groups = classes if self.strategy is Strategy.BY_CLASS else np.zeros_like(classes)
            cells, ends = intervals_of(points[:, j], groups, how)
            points[:, j] = ((ends[1:] + ends[:-1]) / 2)[cells]
            edges.append(ends)
        if self.learner is Learner.DECISION_TREE:
            return MinedClassifier(names, domain, grown_tree(points, classes))
        return MinedClassifier(names, domain, CountedBayes.of(points, classes, edges))


def intervals_of(
    noisy: FloatArray, groups: CodeArray, how: BayesReconstruction
) -> tuple[CodeArray, FloatArray]:
    """Give every noisy value the interval that its rank in its group says, and all intervals' ends.

    Examples
    --------
    >>> how = BayesReconstruction(1, "uniform", low=0, high=3, bins=3)
    >>> cells, ends = intervals_of(np.array([2.5, 0.4, 1.6, 0.6]), np.zeros(4, np.int32), how)
    >>> cells.tolist(), ends.tolist()
    ([2, 0, 1, 1], [0.0, 1.0, 2.0, 3.0])
    """
    ends = how.observe(noisy).edges
    low, high, bins = float(ends[0]), float(ends[-1]), ends.size - 1
    plain = evolve(how, low=low, high=high, bins=bins, resamples=0)
    cells = np.empty(noisy.size, np.int32)
    for group in range(int(groups.max()) + 1):
        rows = np.flatnonzero(groups == group)
        if rows.size:
            shares = plain.reconstruct(noisy[rows]).probabilities[:bins]
            order = rows[np.argsort(noisy[rows], kind="stable")]
            room = np.cumsum(shares) * rows.size
            found = np.searchsorted(room, np.arange(rows.size) + 0.5)
            cells[order] = np.minimum(found, bins - 1)
    return cells, ends


def _require(table: Table, target: str, names: Sequence[str]) -> None:
    for name in (target, *names):
        if name not in table.frame.columns:
            raise SchemaError(unknown("column", name, table.frame.columns))
    if len({target, *names}) < len(names) + 1:
        raise SchemaError("the target, the noisy columns and the others must be different columns")
    if not names:
        raise SchemaError("there is no column to learn from: name one in noise or others")


def _classes(table: Table, target: str) -> tuple[Domain, CodeArray]:
    numbered = table.numbered(target)
    domain = numbered.observed.domain
    if domain.has_missing or domain.n < 2:
        raise DataError(
            f"the target {target!r} needs two or more classes, and none missing: leave records "
            "without a class out"
        )
    return domain, numbered.codes[numbered.numbers]


_N_BINS = 16
"""Naive Bayes sees columns without noise in so many intervals, with as many records each."""


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
