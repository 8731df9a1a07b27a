"""Estimating how many people of a population are unique, by the method that suits the sample."""

from __future__ import annotations

from enum import Enum

from attrs import frozen

from unlinkable.errors import UnsupportedError
from unlinkable.tables.models.shared.uniqueness.pitman import pitman
from unlinkable.tables.models.shared.uniqueness.sample import Sample
from unlinkable.tables.models.shared.uniqueness.slide_negative_binomial import (
    slide_negative_binomial,
)
from unlinkable.tables.models.shared.uniqueness.zayatz import zayatz
from unlinkable.typing import CountArray

__all__ = ["Estimate", "Estimator", "estimate_uniqueness"]

_SMALL = 0.1
"""Up to this fraction of the population, the rule of Dankar et al. takes the Pitman model."""


class Estimator(Enum):
    """How uniqueness in a population is estimated."""

    PITMAN = "pitman"
    """Pitman's sampling formula, at its largest likelihood."""
    ZAYATZ = "zayatz"
    """Bayes' rule, with the group sizes of the sample for those of the population."""
    SNB = "snb"
    """Slide negative binomial group sizes."""
    DANKAR = "dankar"
    """The rule of Dankar et al., which chooses among the others."""


@frozen
class Estimate:
    """What was found.

    Attributes
    ----------
    share
        The share of people who are unique in the population.
    estimator
        What it was found with; None if the sample alone settles it.
    """

    share: float
    estimator: Estimator | None


def estimate_uniqueness(
    sizes: CountArray, fraction: float, estimator: Estimator = Estimator.DANKAR
) -> Estimate:
    """Estimate the share of people who are unique in the population that they were drawn from.

    Who is unique in the population is unique in the sample. So if the sample has no uniques, none
    of its people is unique in the population; if it is the population, its uniques are counted;
    and no estimate is higher than their share in the sample.

    The rule of Dankar et al. takes the Pitman model up to a fraction of 0.1, and beyond that the
    lower of the slide negative binomial model and Zayatz's estimator. Zayatz's estimator stands in
    where one of the models has no estimate.

    Parameters
    ----------
    sizes
        How many people are in each group of those who look alike.
    fraction
        The share of the population that they are.
    estimator
        How to estimate.

    Raises
    ------
    UnsupportedError
        If the estimator has no estimate for this sample. The rule of Dankar et al. always has.

    References
    ----------
    F. K. Dankar, K. El Emam, A. Neisa, T. Roffey. "Estimating the re-identification risk of
    clinical data sets." BMC Medical Informatics and Decision Making 12:66, 2012.

    Examples
    --------
    >>> import numpy as np
    >>> found = estimate_uniqueness(np.array([1] * 8 + [2, 3, 12]), 0.1)
    >>> round(found.share, 4), found.estimator.value
    (0.1536, 'pitman')
    """
    sample = Sample.of(sizes, fraction)
    n_once = sample.n_of_size(1)
    if not n_once:
        return Estimate(0.0, None)
    most = n_once / sample.n_people
    if sample.n_population == sample.n_people:
        return Estimate(most, None)
    found = _BY_NAME[estimator](sample)
    return Estimate(min(found.share, most), found.estimator)


def _pitman(sample: Sample) -> Estimate:
    return Estimate(pitman(sample), Estimator.PITMAN)


def _zayatz(sample: Sample) -> Estimate:
    return Estimate(zayatz(sample), Estimator.ZAYATZ)


def _snb(sample: Sample) -> Estimate:
    return Estimate(slide_negative_binomial(sample), Estimator.SNB)


def _dankar(sample: Sample) -> Estimate:
    try:
        if sample.fraction <= _SMALL:
            return _pitman(sample)
        return min(_snb(sample), _zayatz(sample), key=lambda found: found.share)
    except UnsupportedError:
        return _zayatz(sample)


_BY_NAME = {
    Estimator.PITMAN: _pitman,
    Estimator.ZAYATZ: _zayatz,
    Estimator.SNB: _snb,
    Estimator.DANKAR: _dankar,
}
