"""Classifiers from scikit-learn: learning from some records, and being tried on others.

The same rounds are run on the original and on the release: which records are tried in which round
belongs to the records, not to the learner.
"""

from __future__ import annotations

import warnings
from contextlib import AbstractContextManager
from types import ModuleType
from typing import Any, Protocol, Self

import numpy as np
from attrs import evolve, frozen
from numpy.typing import NDArray

from unlinkable.errors import UnsupportedError
from unlinkable.extras import load_extra
from unlinkable.params import Choice
from unlinkable.tables.metrics.base.published import Published
from unlinkable.tables.metrics.shared.features import Features, Sort, encode, weights_of
from unlinkable.typing import BoolArray, CodeArray, Columns, FloatArray, Progress

__all__ = ["Classifier", "Course", "Fitted", "Records"]

_N_BINS = 16
"""Numbers are given to naive Bayes as this many bins, each with about as many records."""

_COUNTED = {Sort.MIDPOINT, Sort.MISSING, Sort.VALUE}
"""What naive Bayes looks at: widths and nodes tell again what midpoints and values tell."""

_MOST_ROUNDS = 1000
"""Rounds of the search for the coefficients of a logistic regression."""


class Classifier(Choice):
    """Which classifier learns."""

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
        """Learn from some records, and measure how often the classes of others are predicted wrong.

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
