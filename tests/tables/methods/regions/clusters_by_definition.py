"""Greedy clustering as it is described, on plain lists of rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

__all__ = ["Cluster", "Greedy"]

Cluster = list[int]
"""Numbers of rows."""


@dataclass(frozen=True)
class Greedy:
    """Clusters of rows that stand in an order.

    ``price`` is what one unit of weight loses if all these rows are shown alike; ``keeps`` judges a
    cluster.
    """

    order: Sequence[int]
    weights: Sequence[float]
    price: Callable[[Cluster], float]
    keeps: Callable[[Cluster], bool]
    reach: int

    def bottom_up(self) -> list[Cluster]:
        return self.split(self.merge([[row] for row in self.order]), set_aside=False)

    def top_down(self) -> list[Cluster]:
        parted = self.split([list(self.order)], set_aside=True)
        return self.split(self.merge(parted), set_aside=False)

    def cost(self, rows: Cluster) -> float:
        return sum(self.weights[row] for row in rows) * self.price(rows)

    # From below

    def merge(self, clusters: list[Cluster]) -> list[Cluster]:
        good = [self.keeps(cluster) for cluster in clusters]
        while not all(good):
            target = self.round(clusters, [not is_good for is_good in good])
            touched = {t for c, t in enumerate(target) if t != c}
            kept = [c for c, t in enumerate(target) if t == c]
            clusters = [
                sorted(
                    (row for c, t in enumerate(target) if t == new for row in clusters[c]),
                    key=self.order.index,
                )
                for new in kept
            ]
            good = [
                self.keeps(cluster) if new in touched else good[new]
                for new, cluster in zip(kept, clusters, strict=True)
            ]
        return clusters

    def round(self, clusters: list[Cluster], is_open: Sequence[bool]) -> list[int]:
        now = [list(cluster) for cluster in clusters]
        target = list(range(len(now)))
        taken: set[int] = set()
        for c in range(len(now)):
            if not is_open[c] or c in taken:
                continue
            near = range(max(c - self.reach, 0), min(c + self.reach + 1, len(now)))
            others = [g for g in near if g != c and target[g] == g]
            if others:
                own = self.cost(now[c])
                rises = [self.cost(now[c] + now[g]) - own - self.cost(now[g]) for g in others]
                best = others[rises.index(min(rises))]
                target[c] = best
                taken.add(best)
                now[best] += now[c]
        return target

    # From above

    def split(self, clusters: list[Cluster], *, set_aside: bool) -> list[Cluster]:
        done, waiting = [], list(clusters)
        while waiting:
            cluster = waiting.pop()
            halves = self.halves(cluster) if len(cluster) > 1 else ()
            kept = [half for half in halves if self.keeps(half)]
            if len(kept) == 2 or (set_aside and len(kept) == 1):
                waiting += kept
                done += [half for half in halves if half not in kept]
            else:
                done.append(cluster)
        return sorted(done, key=lambda cluster: min(map(self.order.index, cluster)))

    def halves(self, rows: Cluster) -> tuple[Cluster, Cluster]:
        one = rows[0]
        other = self._farthest(rows, one)
        for _ in range(2):
            one, other = other, self._farthest(rows, other)
        lower, upper = [other], [one]
        for row in rows:
            if row not in (one, other):
                rises = [self.cost([*half, row]) - self.cost(half) for half in (lower, upper)]
                (upper if rises[1] < rises[0] else lower).append(row)
        return [r for r in rows if r in lower], [r for r in rows if r in upper]

    def _farthest(self, rows: Cluster, row: int) -> int:
        others = [r for r in rows if r != row]
        far = [self.price([row, r]) for r in others]
        return others[far.index(max(far))]
