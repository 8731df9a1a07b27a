"""Classification error: how often a classifier that learned from the release is wrong.

Recipients who mine data want to know what a model made from the release is worth, beside one
made from the original, and beside one that does without the protected columns [1]_.

References
----------
.. [1] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to privacy-preserving data
   publishing." CRC Press, 2010. Section 6.7.1.
.. [2] V. S. Iyengar. "Transforming data to satisfy privacy constraints." KDD 2002.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from attrs import field, frozen
from attrs.validators import optional

from unlinkable.errors import ParameterError, SchemaError
from unlinkable.params import Choice, at_least, exact, is_share
from unlinkable.release import Measurement
from unlinkable.tables.metrics.base.metric import Metric, Purpose
from unlinkable.tables.metrics.base.published import Bucketized, Generalized, Perturbed, Published
from unlinkable.tables.metrics.shared.classifiers import Classifier, Course, Records
from unlinkable.tables.metrics.shared.features import Unchanged
from unlinkable.typing import CodeArray, Progress

__all__ = ["ClassificationError", "TriedOn"]

_MOST_NUMBERS = 20
"""Numbers with more different values are no classes."""
_MOST_CLASSES = 256
"""Nor are categories with more different values than this."""


class TriedOn(Choice, noun="test"):
    """Which records a classifier that learned from the release is tried on."""

    GENERALIZED = "generalized"
    """Those of the release."""
    RAW = "raw"
    """Those of the original, as a recipient meets them who has records of their own."""


def _leaves_some(instance: object, attribute: Any, value: Fraction) -> None:
    if value == 1:
        raise ParameterError(f"{attribute.name} must be less than 1: some records are for trying")


@frozen(kw_only=True)
class ClassificationError(Metric):
    r"""How often a classifier that learned from the release gets the class of a record wrong.

    With :math:`e(A, B)` the share of the records of :math:`B` that are told wrong by a classifier
    that learned from the records :math:`A`:

    .. math:: BE = e(T_1, T_2) \qquad CE = e(T'_1, T'_2) \qquad UE = e(T_1 - Q, T_2 - Q)

    The original :math:`T` is split at random into a part :math:`T_1` to learn from and a part
    :math:`T_2` to be tried on; :math:`T'_1` and :math:`T'_2` are what was published of them. The
    baseline error BE is that of the original. The upper bound UE is that of the original without
    the quasi-identifiers :math:`Q`: of the classes alone, if no other column is left. The cost of
    privacy is CE - BE, the benefit over leaving the quasi-identifiers out is UE - CE.

    All are measured on the same split, with about as many records of each class in each part, by
    the same classifier; all columns that tell something about people are features, except the
    class, in numbers as `encode` makes them. Records count by their weights. A missing class is a
    class of its own. For *CE on raw records* the classifier learns from the release without the
    widths of its ranges, which raw records do not have. If nobody can say which published record is
    which original one, the release is split on its own, and *CE on raw records* is then tried on
    people some of whom the classifier has learned from.

    Parameters
    ----------
    target
        The column of classes; the one with the role target (or else sensitive) if not given.
    classifier
        Who learns: ``decision-tree``, ``decision-stump``, ``naive-bayes``,
        ``logistic-regression`` or ``gradient-boosting``.
    train_share
        The share of the records to learn from; the others are tried.
    folds
        Split into so many parts instead, and try each by what is learned from the others.
    test
        Whether CE is tried on ``generalized`` or on ``raw`` records. Both are told in the details.
    seed
        Of the split, and of ties in a tree.

    Range
    -----
    From 0, every record is told right, to 1. CE need not lie between BE and UE: generalization may
    take away noise that misleads (CE < BE), and does not always hurt more where it goes further.

    Examples
    --------
    Whether somebody buys depends on age, and the release tells it in two halves.

    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.groups import Partition
    >>> from unlinkable.tables.data import as_table
    >>> from unlinkable.tables.taxonomies.builders import Intervals
    >>> ages = list(range(20, 60)) * 3
    >>> people = as_table({"age": ages, "buys": ["yes" if a < 40 else "no" for a in ages]},
    ...     quasi="age", target="buys", taxonomies={"age": Intervals(20)})
    >>> counted = count(people)
    >>> halves = Partition.at_levels(counted.finest, people.attributes, [1])
    >>> found = ClassificationError().measure(Generalized.of(people, halves, counted.labels))
    >>> found.value, found.details["BE"], found.details["UE"]
    (0.0, 0.0, 0.5)
    """

    name: ClassVar[str] = "classification-error"
    reference: ClassVar[str] = "Fung, Wang, Fu and Yu 2010, section 6.7.1"
    purpose: ClassVar[Purpose] = Purpose.TASK
    reads: ClassVar[tuple[type[Published], ...]] = (Generalized, Perturbed, Bucketized)
    makes_no_sense: ClassVar[str] = "a classifier learns from records"

    target: str | None = None
    classifier: Classifier = field(default=Classifier.DECISION_TREE, converter=Classifier)
    train_share: Fraction = field(
        default=Fraction(2, 3), converter=exact, validator=[is_share, _leaves_some]
    )
    folds: int | None = field(default=None, validator=optional(at_least(2)))
    test: TriedOn = field(default=TriedOn.GENERALIZED, converter=TriedOn)
    seed: int = field(default=0, validator=at_least(0))

    def _measure(self, published: Published, progress: Progress | None = None) -> Measurement:
        target = published.target(self.target)
        original = Unchanged.of(published.original)
        _check_classes(original, target)
        before = Records.of(original, target, self._split(original.codes(target)))
        classes, rows = published.codes(target), published.rows
        parts = self._split(classes) if rows is None else before.parts[rows]
        after = Records.of(published, target, parts)
        others = tuple(name for name in original.columns if name not in published.quasi)

        course = Course(self.classifier, self.seed, self.folds or 1, 4, progress)
        (base,) = course.errors(0, "the original", before, before)
        rest = before.of_columns(others)
        (upper,) = course.errors(1, "the original without quasi-identifiers", rest, rest)
        raw = before.of_columns(published.columns)
        (on_published,) = course.errors(2, "the release", after, after)
        # How wide a range is tells nothing of a record that shows none.
        (on_raw,) = course.errors(3, "the release", after.without_widths(), raw.without_widths())
        error = on_raw if self.test is TriedOn.RAW else on_published
        details = {
            "BE": base,
            "CE": on_published,
            "CE on raw records": on_raw,
            "UE": upper,
            "cost (CE - BE)": error - base,
            "benefit (UE - CE)": upper - error,
        }
        return Measurement(error, details)

    def _split(self, classes: CodeArray) -> CodeArray:
        """State in which round each record is tried; -1 if in none.

        Records are lined up by class, at random within it, and taken at equal distances: no part
        has more of a class than its share, up to one record.
        """
        n = classes.size
        order = np.lexsort((np.random.default_rng(self.seed).random(n), classes))
        parts = np.empty(n, np.int32)
        if self.folds is not None:
            parts[order] = np.arange(n) % self.folds
        else:
            n_tried = np.floor(np.arange(n + 1) * float(1 - self.train_share) + 1e-9)
            parts[order] = np.where(np.diff(n_tried) > 0, 0, -1)
        return parts


def _check_classes(original: Unchanged, target: str) -> None:
    """Refuse a column that has no classes to tell apart.

    Raises
    ------
    SchemaError
        If all records are alike, or nearly all differ.
    """
    n_classes = np.unique(original.codes(target)).size
    if n_classes < 2:
        raise SchemaError(f"all records have the same {target!r}: there is nothing to tell apart")
    most, what = (
        (_MOST_NUMBERS, "numbers") if original.is_ordered(target) else (_MOST_CLASSES, "values")
    )
    if n_classes > most:
        raise SchemaError(
            f"column {target!r} has {n_classes} different {what}, and with more than {most} they "
            "are no classes: give a column of classes"
        )
