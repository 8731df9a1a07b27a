"""Propensity: how well released records can be distinguished from original ones.

References
----------
.. [1] M.-J. Woo, J. P. Reiter, A. Oganian, A. F. Karr. "Global measures of data utility for
   microdata masked for disclosure limitation." Journal of Privacy and Confidentiality 1(1), 2009.
.. [2] J. Snoke, G. M. Raab, B. Nowok, C. Dibben, A. Slavkovic. "General and specific utility
   measures for synthetic data." Journal of the Royal Statistical Society A 181(3), 2018.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from attrs import field, frozen

from unlinkable.errors import UnsupportedError
from unlinkable.params import at_least
from unlinkable.release import Measurement
from unlinkable.tables.metrics.base.metric import Metric, Purpose
from unlinkable.tables.metrics.base.published import Bucketized, Generalized, Perturbed, Published
from unlinkable.tables.metrics.shared.classifiers import Classifier
from unlinkable.tables.metrics.shared.features import Features, Unchanged, encode, weights_of
from unlinkable.typing import FloatArray, Progress

__all__ = ["Propensity", "mean_square"]


def mean_square(p: FloatArray, c: float, weights: FloatArray | None = None) -> float:
    r"""Give :math:`\frac{1}{N} \sum_i (p_i - c)^2`.

    Examples
    --------
    >>> mean_square(np.array([0.0, 0.0, 1.0, 1.0]), 0.5)
    0.25
    """
    return float(np.average((p - c) ** 2, weights=weights))


@frozen(kw_only=True)
class Propensity(Metric):
    r"""How well released records can be told from original ones: the mean squared propensity.

    Original and released records are put together, :math:`N` in all, of which a share :math:`c` is
    released. A classifier estimates for each the probability :math:`p_i` that it is a released one:

    .. math:: U_P = \frac{1}{N} \sum_i (p_i - c)^2

    The estimate is made from all columns that both have, by a logistic regression with one term for
    every feature of `encode`, without products of them. It is tried on the records that it was made
    from, as the literature does.

    A range says by its very look that it is no original value, and all generalized releases would
    be told apart alike. What a recipient does with a range is therefore done first: one value is
    drawn from it, uniformly, by ``seed``. The number then says how far such values are from those
    of the original, and not how many were generalized.

    Even records drawn from the original at random differ from it a little. For these and a logistic
    regression with :math:`k` parameters, :math:`U_P` is :math:`(k - 1)(1 - c)^2 c / N` on the
    average, for large :math:`N`: released records are then :math:`cN` independent draws, and
    :math:`N U_P / (c (1 - c))` is the score statistic of all :math:`k - 1` coefficients, which
    would be chi-square if the original were drawn anew as well; of the variance of the difference
    of two means, a share :math:`1 - c` is that of the released ones. The ratio to this is in the
    details where it makes sense: about 1 for a faithful sample, less for a release that follows the
    original record by record, and the larger the further it is off.

    Table 5.7 of Babu's thesis gives 17.947 for this number, which no mean of such squares can be,
    and calls 0.25 good, which is the worst there is for equally many records of both kinds.

    Parameters
    ----------
    classifier
        Who estimates. A ``decision-tree`` also sees differences that leave means as they are (added
        noise, lost correlations), as far as they are worth a leaf.
    seed
        Of the values drawn from ranges.

    Range
    -----
    From 0, released records look like original ones to this classifier, to c (1 - c), 0.25 for
    equally many of both: all are told apart. A classifier that is sure and wrong could go beyond;
    a logistic regression or a tree is right on the average.

    Examples
    --------
    >>> from unlinkable.tables.data import as_table
    >>> people = as_table({"age": [20, 30, 40, 50] * 50}, quasi="age")
    >>> Propensity().measure(Perturbed(people, people.frame, None)).value
    0.0
    >>> older = as_table({"age": [70, 80, 90, 95] * 50}, quasi="age")
    >>> round(Propensity().measure(Perturbed(people, older.frame, None)).value, 2)
    0.25
    """

    name: ClassVar[str] = "propensity"
    reference: ClassVar[str] = "Woo et al. 2009"
    purpose: ClassVar[Purpose] = Purpose.TASK
    bounds: ClassVar[tuple[float, float | None]] = (0.0, None)
    reads: ClassVar[tuple[type[Published], ...]] = (Generalized, Perturbed, Bucketized)
    makes_no_sense: ClassVar[str] = "it compares records with records"

    classifier: Classifier = field(default=Classifier.LOGISTIC_REGRESSION, converter=Classifier)
    seed: int = field(default=0, validator=at_least(0))

    def _measure(self, published: Published, progress: Progress | None = None) -> Measurement:
        original = Unchanged.of(published.original)
        weights = np.concatenate([weights_of(original), weights_of(published)])
        is_released = np.arange(weights.size) >= original.n_records
        if not published.columns:
            raise UnsupportedError(
                "no column is told record by record: there is nothing to compare"
            )
        if not (weights[is_released].any() and weights[~is_released].any()):
            raise UnsupportedError("there are no records to compare: the release is empty")

        draw = np.random.default_rng(self.seed)
        features = encode(original, published.columns)
        features = features.beside(encode(published, published.columns, draw))
        fitted = self.classifier.fit(features, is_released.astype(np.int32), weights, self.seed)
        if progress is not None:
            progress(1.0, "learned to tell released from original records")
        c = float(np.average(is_released, weights=weights))
        found = mean_square(fitted.probabilities(features, 1), c, weights)
        details = {"share of released records (c)": c}
        if self.classifier is Classifier.LOGISTIC_REGRESSION and (weights == 1).all():
            expected = _rank(features) * (1 - c) ** 2 * c / len(features)
            details["expected for a random sample"] = expected
            details["ratio to expected"] = found / expected if expected else 0.0
        return Measurement(found, details)


def _rank(features: Features) -> int:
    """Count the parameters that the features stand for, beside the constant: k - 1."""
    values = features.values - features.values.mean(axis=0, dtype=float).astype(np.float32)
    spread = np.sqrt(np.einsum("ij,ij->j", values, values, dtype=float))
    values = values[:, spread > 0] / spread[spread > 0].astype(np.float32)
    return int(np.linalg.matrix_rank(values.T @ values, tol=1e-3, hermitian=True))
