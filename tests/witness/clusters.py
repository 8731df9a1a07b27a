"""One-pass k-means for k-anonymity, on numbers.

Babu, "Utility-based privacy preserving data publishing", 2013: sections 4.2 and 4.3.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

__all__ = ["adjust", "one_pass"]

Cluster = list[int]


def one_pass(records: Sequence[int], seeds: Sequence[int]) -> list[Cluster]:
    """Put every record but the seeds into the closest cluster, and move its centroid at once.

    >>> one_pass([1, 2, 3, 5, 10, 11, 20], [1, 10, 20])
    [[1, 2, 3, 5], [10, 11], [20]]
    """
    clusters = [[seed] for seed in seeds]
    left = list(records)
    for seed in seeds:
        left.remove(seed)
    for record in sorted(left):
        _closest(clusters, record).append(record)
    return clusters


def adjust(clusters: Sequence[Cluster], k: int) -> tuple[list[Cluster], list[int]]:
    """Take the farthest records from clusters of more than k, and give them where they are needed.

    Centroids are not moved while records are taken. A record goes to the closest cluster of fewer
    than k; when there is none, to the closest cluster. Gives the clusters, and what was taken.

    >>> adjust([[1, 2, 3, 5], [10, 11], [20]], 2)
    ([[1, 2, 3], [10, 11], [5, 20]], [5, 1])
    """
    found = [sorted(cluster) for cluster in clusters]
    centroids = [Fraction(sum(cluster), len(cluster)) for cluster in found]
    taken: list[int] = []
    for cluster, centre in zip(found, centroids, strict=True):
        while len(cluster) > k:
            farthest = max(cluster, key=lambda record: abs(record - centre))
            cluster.remove(farthest)
            taken.append(farthest)
    for record in taken:
        small = [cluster for cluster in found if len(cluster) < k]
        _closest(small or found, record).append(record)
    return [sorted(cluster) for cluster in found], taken


def _closest(clusters: Sequence[Cluster], record: int) -> Cluster:
    return min(clusters, key=lambda c: abs(record - Fraction(sum(c), len(c))))
