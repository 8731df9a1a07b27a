"""One-pass k-means as it is described, one row after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

__all__ = ["OnePass"]


@dataclass
class _Centroid:
    """Running means of numbers, and all codes that were seen; `mixed` where some numbers miss."""

    means: list[float | None] = field(default_factory=list)
    mixed: set[int] = field(default_factory=set)
    codes: list[set[int]] = field(default_factory=list)
    size: int = 0


@dataclass(frozen=True)
class OnePass:
    """Rows of numbers and codes, each standing for some records.

    ``apart`` tells how far apart some codes of a column are. Clusters are numbered in the order of
    the rows that they begin with.
    """

    numbers: Sequence[Sequence[float | None]]
    codes: Sequence[Sequence[int]]
    sizes: Sequence[int]
    order: Sequence[int]
    scale: Sequence[float]
    apart: Callable[[int, set[int]], float]
    reach: int

    def assign(self, seeds: Sequence[int]) -> list[int]:
        """Give the cluster of each row after the pass."""
        labels = {row: g for g, row in enumerate(seeds)}
        centroids = [self._centroid([row]) for row in seeds]
        for row in self.order:
            if row not in labels:
                labels[row] = self._closest(row, centroids, range(len(seeds)), seeds)
                self._add(centroids[labels[row]], row)
        return [labels[row] for row in range(len(self.sizes))]

    def adjust(
        self, labels: Sequence[int], seeds: Sequence[int], k: int
    ) -> tuple[list[int], list[int]]:
        """Give the clusters after the adjustment, and the rows that were taken, in order."""
        n = len(seeds)
        members = [[row for row, g in enumerate(labels) if g == c] for c in range(n)]
        taken: list[int] = []
        for g in range(n):
            centroid = self._centroid(members[g])
            farthest_first = sorted(members[g], key=lambda r: -self._distance(r, centroid))
            for row in farthest_first:
                if sum(self.sizes[r] for r in members[g]) - self.sizes[row] < k:
                    break
                members[g].remove(row)
                taken.append(row)
        centroids = [self._centroid(rows) for rows in members]
        for row in taken:
            small = [g for g in range(n) if centroids[g].size < k]
            g = self._closest(row, centroids, small or range(n), seeds)
            members[g].append(row)
            self._add(centroids[g], row)
        found = {row: g for g, rows in enumerate(members) for row in rows}
        return [found[row] for row in range(len(self.sizes))], taken

    def _closest(
        self, row: int, centroids: list[_Centroid], among: Sequence[int], seeds: Sequence[int]
    ) -> int:
        at = self.order.index(row)
        before = [g for g in among if self.order.index(seeds[g]) < at][-self.reach :]
        after = [g for g in among if self.order.index(seeds[g]) >= at][: self.reach]
        near = sorted([*before, *after])
        return min(near, key=lambda g: self._distance(row, centroids[g]))

    def _distance(self, row: int, centroid: _Centroid) -> float:
        far = 0.0
        for j, number in enumerate(self.numbers[row]):
            mean = centroid.means[j]
            if j in centroid.mixed or (number is None) != (mean is None):
                far += self.scale[j]
            elif number is not None and mean is not None:
                far += self.scale[j] * abs(number - mean)
        for j, code in enumerate(self.codes[row]):
            far += self.apart(j, centroid.codes[j] | {code})
        return far

    def _centroid(self, rows: Sequence[int]) -> _Centroid:
        first = rows[0]
        centroid = _Centroid(
            list(self.numbers[first]), set(), [{c} for c in self.codes[first]], self.sizes[first]
        )
        for row in rows[1:]:
            self._add(centroid, row)
        return centroid

    def _add(self, centroid: _Centroid, row: int) -> None:
        centroid.size += self.sizes[row]
        for j, number in enumerate(self.numbers[row]):
            mean = centroid.means[j]
            if (number is None) != (mean is None):
                centroid.mixed.add(j)
            elif number is not None and mean is not None:
                # A running mean, so that ties come out as they do for whoever does it fast.
                centroid.means[j] = mean + self.sizes[row] / centroid.size * (number - mean)
        for j, code in enumerate(self.codes[row]):
            centroid.codes[j].add(code)
