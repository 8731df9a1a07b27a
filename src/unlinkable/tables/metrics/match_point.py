"""Match point: how many pairs of records are together, or apart, in both cluster structures.

References
----------
.. [1] B. C. M. Fung, K. Wang, L. Wang, P. C. K. Hung. "Privacy-preserving data publishing for
   cluster analysis." DKE 68(6), 2009. Equation 7.7 in Fung, Wang, Fu, Yu: "Introduction to
   Privacy-Preserving Data Publishing." 2010.
.. [2] W. M. Rand. "Objective criteria for the evaluation of clustering methods." JASA 66, 1971.
"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from unlinkable.tables.metrics.shared.clusters import ClusterMetric, Contingency, Labels

__all__ = ["MatchPoint", "match_point", "rand_index"]


def match_point(natural: Labels, query: Labels) -> float:
    r"""Compare two cluster structures of the same records by the share of pairs that they agree on.

    A pair matches if its records are in one cluster in both structures, or in different ones in
    both. Of the :math:`N^2` ordered pairs, those of a record with itself among them, match
    :math:`N^2 - \sum_i |C_i|^2 - \sum_j |K_j|^2 + 2 \sum_{ij} n_{ij}^2`: counted in whole numbers,
    without looking at a pair. It is symmetric. Records with a negative number in one of them are
    ignored in both. O(n).

    Raises
    ------
    ParameterError
        If the structures are not about the same records, or have none in common.

    Examples
    --------
    >>> match_point([0, 0, 0, 1, 1], [0, 0, 1, 1, 1])
    0.68
    """
    both = Contingency.of(natural, query)
    return _n_matches(both) / both.n_compared**2


def rand_index(natural: Labels, query: Labels) -> float:
    """Compare two cluster structures by the share of pairs of different records that match.

    This is the match point without the pairs of a record with itself, which always match. A single
    record has nothing to disagree about: 1.

    Examples
    --------
    >>> rand_index([0, 0, 0, 1, 1], [0, 0, 1, 1, 1])
    0.6
    """
    return _rand_index(Contingency.of(natural, query))


@frozen
class MatchPoint(ClusterMetric):
    r"""The pairs of records that are together, or apart, both in the original and in the release.

    :math:`(N^2 - \sum_i |C_i|^2 - \sum_j |K_j|^2 + 2 \sum_{ij} n_{ij}^2) / N^2`, where the natural
    cluster :math:`C_i` of the original records has :math:`n_{ij}` records in common with the query
    cluster :math:`K_j` of the published ones, and N records are in both. Suppressed records are not
    compared: publishing fewer of them can make the number better. How records become points stands
    at `ClusterMetric`.

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
    From 1 / N, which only single records against all in one reach, to 1, both structures are the
    same. Structures that have nothing to do with each other agree on most pairs, too, if there are
    many clusters: two of k clusters of the same size each give about 1 - 2 / k. Compare releases by
    it, and mind the Rand index among the details, which leaves out pairs of a record with itself.

    Examples
    --------
    >>> import numpy as np
    >>> from unlinkable.tables.data import as_table
    >>> from unlinkable.tables.metrics.base import Perturbed
    >>> people = as_table({"age": [20, 21, 22, 60, 61, 62]}, quasi="age")
    >>> swapped = as_table({"age": [20, 21, 60, 22, 61, 62]}, quasi="age")
    >>> release = Perturbed(people, swapped.frame, np.arange(6))
    >>> round(MatchPoint(n_clusters=2).measure(release).value, 4)
    0.5556
    """

    name: ClassVar[str] = "match-point"
    reference: ClassVar[str] = "Fung et al. 2009"

    def compare(self, both: Contingency) -> float:
        return _n_matches(both) / both.n_compared**2

    def details(self, both: Contingency) -> dict[str, float]:
        return {**super().details(both), "rand index": _rand_index(both)}


def _n_matches(both: Contingency) -> int:
    """Count the ordered pairs that match. Sums of squares fit into 64 bits below 2^31 records."""
    apart = both.n_compared**2
    for sizes in (both.natural_sizes, both.query_sizes):
        apart -= int(sizes @ sizes)
    return apart + 2 * int(both.common @ both.common)


def _rand_index(both: Contingency) -> float:
    n = both.n_compared
    return (_n_matches(both) - n) / (n * n - n) if n > 1 else 1.0
