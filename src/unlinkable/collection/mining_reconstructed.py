r"""Mining reconstructed distributions: classifiers from values that nobody told as they are.

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
from typing import ClassVar

import numpy as np
from attrs import evolve, field, frozen

from unlinkable.collection.base import Collection
from unlinkable.collection.bayes_reconstruction import BayesReconstruction
from unlinkable.collection.mined_classifiers import (
    CountedBayes,
    MinedClassifier,
    grown_tree,
    records_of,
)
from unlinkable.errors import DataError, SchemaError, unknown
from unlinkable.params import Choice
from unlinkable.tables.data import Table, numeric_points
from unlinkable.tables.taxonomies import Domain
from unlinkable.typing import CodeArray, FloatArray

__all__ = ["Learner", "MiningReconstructed", "Strategy"]


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
