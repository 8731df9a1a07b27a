r"""Zayatz's estimator: the sample shows how the groups of the population are sized.

Let a share :math:`p_j` of all groups of the population have :math:`j` people. A group is seen once
in the sample with a hypergeometric probability :math:`h_j`. By Bayes' rule, a group that is seen
once is unique with probability :math:`p_1 h_1 / \sum_j p_j h_j`. The shares :math:`p_j` are those
of the sample [1]_, which has too few large groups: the estimate is too high for small samples.

References
----------
.. [1] L. Zayatz. "Estimation of the percent of unique population elements on a microdata file using
   the sample." Statistical Research Division Report, US Bureau of the Census, 1991.
"""

from __future__ import annotations

import numpy as np

from unlinkable.tables.models.shared.uniqueness.sample import Sample

__all__ = ["zayatz"]


def zayatz(sample: Sample) -> float:
    """Estimate the share of the population that is unique. It takes a group of one person.

    Examples
    --------
    >>> round(zayatz(Sample.of(np.array([1, 1, 2]), 0.5)), 4)
    0.3182
    """
    n, n_all, n_once = sample.n_people, sample.n_population, sample.n_of_size(1)
    others = np.arange(1, int(sample.sizes[-1]), dtype=float)
    # The i-th other person of a group is missed too, by all n draws.
    missed = np.maximum(n_all - n - others + 1, 0) / np.maximum(n_all - others, 1)
    seen_once = sample.sizes * np.append(1.0, np.cumprod(missed))[sample.sizes - 1]
    is_unique = n_once / float((sample.counts * seen_once).sum())
    return n_once * is_unique / n
