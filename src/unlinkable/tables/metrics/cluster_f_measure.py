"""F-measure of clusters: how well each natural cluster is found again among the query clusters.

References
----------
.. [1] B. Larsen, C. Aone. "Fast and effective text mining using linear-time document clustering."
   KDD 1999.
.. [2] B. C. M. Fung, K. Wang, L. Wang, P. C. K. Hung. "Privacy-preserving data publishing for
   cluster analysis." DKE 68(6), 2009. Equations 7.3 to 7.6 in Fung, Wang, Fu, Yu: "Introduction to
   Privacy-Preserving Data Publishing." 2010.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from attrs import frozen

from unlinkable.tables.metrics.shared.clusters import ClusterMetric, Contingency, Labels

__all__ = ["ClusterFMeasure", "f_measure"]


def f_measure(natural: Labels, query: Labels) -> float:
    r"""Compare two cluster structures of the same records by the F-measure.

    :math:`F = \sum_i \frac{|C_i|}{|T|} \max_j \frac{2 n_{ij}}{|C_i| + |K_j|}`, where a natural
    cluster :math:`C_i` and a query cluster :math:`K_j` have :math:`n_{ij}` records in common: each
    natural cluster takes the query cluster that is best for it, by the harmonic mean of recall
    :math:`n_{ij} / |C_i|` and precision :math:`n_{ij} / |K_j|`. Several may take the same. It is
    not symmetric. Records with a negative number in one of them are ignored in both. O(n).

    Raises
    ------
    ParameterError
        If the structures are not about the same records, or have none in common.

    Examples
    --------
    >>> f_measure([0, 0, 0, 1, 1], [0, 0, 1, 1, 1])
    0.8
    >>> round(f_measure([0, 0, 0, 0], [0, 0, 0, 1]), 4)
    0.8571
    >>> round(f_measure([0, 0, 0, 1], [0, 0, 0, 0]), 4)
    0.7429
    """
    return _f_measure(Contingency.of(natural, query))


@frozen
class ClusterFMeasure(ClusterMetric):
    r"""How well each cluster of the original records is found again among those of the release.

    :math:`F = \sum_i \frac{|C_i|}{|T|} \max_j \frac{2 n_{ij}}{|C_i| + |K_j|}`, where the natural
    cluster :math:`C_i` of the original records has :math:`n_{ij}` records in common with the query
    cluster :math:`K_j` of the published ones. Suppressed records are not compared: publishing fewer
    of them can make the number better. How records become points stands at `ClusterMetric`.

    Parameters
    ----------
    n_clusters
        How many clusters to look for. If not given, as many as ``clusters`` tells, and 5 without
        it.
    algorithm
        How clusters are found: ``k-means``, ``bisecting-k-means`` or ``gaussian-mixture``. Take
        what recipients use, if that is known.
    clusters
        A column of the original that tells the natural cluster of each record. If not given, the
        original records are clustered.
    columns
        The columns to cluster by; all published ones except the target, if not given.
    seed
        Where the random numbers of the algorithm start.

    Range
    -----
    From near 0 to 1, both structures are the same. It never gets to 0: records that are all in one
    query cluster still give each natural cluster something, and k clusters of the same size then
    give 2 / (k + 1).

    Examples
    --------
    >>> from unlinkable.tables.data import as_table
    >>> from unlinkable.tables.metrics.base import Perturbed
    >>> people = as_table({"age": [20, 21, 22, 60, 61, 62]}, quasi="age")
    >>> swapped = as_table({"age": [20, 21, 60, 22, 61, 62]}, quasi="age")
    >>> release = Perturbed(people, swapped.frame, np.arange(6))
    >>> found = ClusterFMeasure(n_clusters=2).measure(release)
    >>> round(found.value, 4), found.details["records compared"]
    (0.6667, 6.0)
    """

    name: ClassVar[str] = "cluster-f-measure"
    reference: ClassVar[str] = "Larsen and Aone 1999; Fung et al. 2009"

    def compare(self, both: Contingency) -> float:
        return _f_measure(both)


def _f_measure(both: Contingency) -> float:
    together = both.natural_sizes[both.natural] + both.query_sizes[both.query]
    best = np.zeros(both.natural_sizes.size)
    np.maximum.at(best, both.natural, 2 * both.common / together)
    return float(best @ both.natural_sizes) / both.n_compared
