"""Classifiers: who is set to learn from published records, from scikit-learn.

All are used with settings that suit tables from a few dozen records to millions without tuning:
what is measured is the data, not the skill of a person.

References
----------
.. [1] J. R. Quinlan. "C4.5: programs for machine learning." Morgan Kaufmann, 1993.
.. [2] J. R. Quinlan, R. L. Rivest. "Inferring decision trees using the minimum description length
   principle." Information and Computation 80(3), 1989.
.. [3] F. Pedregosa et al. "Scikit-learn: machine learning in Python." JMLR 12, 2011.
"""

from __future__ import annotations

import warnings
from contextlib import AbstractContextManager
from types import ModuleType
from typing import Any, Protocol, Self

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from unlinkable.extras import load_extra
from unlinkable.params import Choice
from unlinkable.tables.metrics.shared.features import Features, Sort
from unlinkable.typing import BoolArray, CodeArray, FloatArray

__all__ = ["Classifier", "Fitted"]

_N_BINS = 16
"""Numbers are given to naive Bayes as this many bins, each with about as many records."""
_COUNTED = {Sort.MIDPOINT, Sort.MISSING, Sort.VALUE}
"""What naive Bayes looks at: widths and nodes tell again what midpoints and values tell."""
_MOST_ROUNDS = 1000
"""Rounds of the search for the coefficients of a logistic regression."""


class Classifier(Choice):
    """Who is set to learn."""

    DECISION_TREE = "decision-tree"
    """Splits by entropy, at least two records to a leaf, as C4.5 does. A split stays if it saves
    log2(n) bits of the classes of n records for every leaf that it adds: less would not pay for
    writing the tree down."""
    DECISION_STUMP = "decision-stump"
    """A decision tree with one split."""
    NAIVE_BAYES = "naive-bayes"
    """Columns taken for independent within a class. Numbers are told in 16 bins with about as many
    records each, categories as values, with one added to all counts."""
    LOGISTIC_REGRESSION = "logistic-regression"
    """Linear in the features, scaled to variance 1, with a weak ridge."""
    GRADIENT_BOOSTING = "gradient-boosting"
    """A hundred small trees, each made for the errors of those before, on binned features."""

    def fit(self, features: Features, classes: CodeArray, weights: FloatArray, seed: int) -> Fitted:
        """Learn to tell the class of records from their features.

        Features that are the same for all these records are not examined, nor are those that tell
        what a node further up tells (`Features.told_once`). If there are no others, or all records
        are of one class, the most frequent class is all that can be learned.

        Raises
        ------
        DataError
            If scikit-learn is not installed.
        """
        kept = _varies(features)
        if self is Classifier.NAIVE_BAYES:
            kept &= np.array([sort in _COUNTED for sort in features.sorts], bool)
        else:
            kept &= features.told_once()
        if not kept.any() or (classes == classes[0]).all():
            dummy = _sklearn("dummy").DummyClassifier(strategy="prior")
            dummy.fit(np.zeros((len(classes), 1)), classes, weights)
            return Fitted(dummy, _AsTheyAre(), kept)
        seen = features.at(kept)
        prepare = self._preparation(seen)
        model = self._model(len(classes), seed)
        with warnings.catch_warnings(), _one_thread():
            # Whether a search has converged to the last digit is nothing that a user can act on.
            warnings.simplefilter("ignore")
            model.fit(prepare.apply(seen), classes, sample_weight=weights)
        return Fitted(model, prepare, kept)

    def _preparation(self, features: Features) -> _Preparation:
        match self:
            case Classifier.NAIVE_BAYES:
                return _Bins.of(features)
            case Classifier.LOGISTIC_REGRESSION:
                return _Scale.of(features)
            case _:
                return _AsTheyAre()

    def _model(self, n_records: int, seed: int) -> Any:
        match self:
            case Classifier.DECISION_TREE:
                return _sklearn("tree").DecisionTreeClassifier(
                    criterion="entropy",
                    min_samples_leaf=2,
                    ccp_alpha=np.log2(n_records) / n_records,
                    random_state=seed,
                )
            case Classifier.DECISION_STUMP:
                tree = _sklearn("tree").DecisionTreeClassifier
                return tree(criterion="entropy", max_depth=1, random_state=seed)
            case Classifier.NAIVE_BAYES:
                return _sklearn("naive_bayes").MultinomialNB()
            case Classifier.LOGISTIC_REGRESSION:
                regression = _sklearn("linear_model").LogisticRegression
                return regression(C=100.0, max_iter=_MOST_ROUNDS)
            case Classifier.GRADIENT_BOOSTING:
                boosting = _sklearn("ensemble").HistGradientBoostingClassifier
                return boosting(early_stopping=False, random_state=seed)


@frozen(eq=False)
class Fitted:
    """What a classifier has learned."""

    _model: Any
    _prepare: _Preparation
    _kept: BoolArray

    def predict(self, features: Features) -> CodeArray:
        """Guess the class of each record."""
        with _one_thread():
            return np.asarray(self._model.predict(self._inputs(features)), np.int32)

    def guess(self, features: Features) -> tuple[CodeArray, FloatArray]:
        """Guess the class of each record, and tell how likely it is."""
        with _one_thread():
            by_class = np.asarray(self._model.predict_proba(self._inputs(features)), float)
        best = by_class.argmax(axis=1)
        return np.asarray(self._model.classes_[best], np.int32), by_class.max(axis=1)

    def probabilities(self, features: Features, of: int) -> FloatArray:
        """State how likely each record is of one class."""
        with _one_thread():
            by_class = self._model.predict_proba(self._inputs(features))
        at = np.flatnonzero(self._model.classes_ == of)
        return np.asarray(by_class[:, at].sum(axis=1), float)

    def _inputs(self, features: Features) -> NDArray[np.float32]:
        return self._prepare.apply(features.at(self._kept))


class _Preparation(Protocol):
    """What is done to features before a classifier sees them."""

    def apply(self, features: Features) -> NDArray[np.float32]: ...


@frozen(eq=False)
class _AsTheyAre:
    """Trees ask for nothing but order."""

    def apply(self, features: Features) -> NDArray[np.float32]:
        return features.values


@frozen(eq=False)
class _Scale:
    """Mean and standard deviation: a ridge is fair to features of the same variance only."""

    mean: NDArray[np.float32]
    deviation: NDArray[np.float32]

    @classmethod
    def of(cls, features: Features) -> Self:
        values = features.values
        mean, deviation = values.mean(axis=0, dtype=float), values.std(axis=0, dtype=float)
        return cls(mean.astype(np.float32), deviation.astype(np.float32))

    def apply(self, features: Features) -> NDArray[np.float32]:
        return (features.values - self.mean) / self.deviation


@frozen(eq=False)
class _Bins:
    """Where the bins of each number end: naive Bayes counts, and numbers have to be countable."""

    ends: tuple[FloatArray, ...]

    @classmethod
    def of(cls, features: Features) -> Self:
        numbers = features.of_sort(Sort.MIDPOINT).values
        cuts = np.arange(1, _N_BINS) / _N_BINS
        return cls(tuple(np.unique(np.quantile(column, cuts)) for column in numbers.T))

    def apply(self, features: Features) -> NDArray[np.float32]:
        """Put one indicator per bin in the place of each number."""
        numbers = features.of_sort(Sort.MIDPOINT).values.T
        counted = [features.of_sort(Sort.MISSING, Sort.VALUE).values]
        for ends, column in zip(self.ends, numbers, strict=True):
            bins = np.searchsorted(ends, column, side="left")
            counted.append((bins[:, None] == np.arange(ends.size + 1)).astype(np.float32))
        return np.concatenate(counted, axis=1)


def _varies(features: Features) -> BoolArray:
    values = features.values
    varies: BoolArray = values.max(axis=0) > values.min(axis=0)
    return varies


def _sklearn(part: str) -> ModuleType:
    return load_extra(f"sklearn.{part}", "ml", "classifiers")


def _one_thread() -> AbstractContextManager[Any]:
    """Keep linear algebra and boosting to one thread, so that they add up in the same order always.

    They also wait for each other without rest: on a machine with other work, a boosting of two
    threads takes ten times as long as one of a single thread.
    """
    threads = load_extra("threadpoolctl", "ml", "classifiers")
    limited: AbstractContextManager[Any] = threads.threadpool_limits(1)
    return limited
