"""Mondrian as it is described, one region after the other, on plain Python lists."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

__all__ = ["Axis", "Literal", "Region"]

Point = tuple[int, ...]
Region = list[int]
"""Numbers of distinct points."""


@dataclass(frozen=True)
class Axis:
    """A column: its number of codes, whether the last one is missing, and how it may be cut.

    ``levels`` has the node of every code, from fine to coarse without the root, if the column is
    cut between children of nodes only.
    """

    n: int
    has_missing: bool = False
    importance: float = 1.0
    levels: Sequence[Sequence[int]] | None = None

    def mixes(self, codes: set[int]) -> bool:
        return self.has_missing and self.n - 1 in codes and len(codes) > 1

    def steps(self, codes: set[int]) -> int:
        return self.n - 1 if self.mixes(codes) else max(codes) - min(codes)

    def units(self, codes: set[int]) -> dict[int, int]:
        """Number what must stay together."""
        for nodes in reversed(self.levels or []):
            if len({nodes[c] for c in codes}) > 1:
                return {c: nodes[c] for c in codes}
        return {c: c for c in codes}


@dataclass(frozen=True)
class Literal:
    """Mondrian on distinct points that stand for several records each.

    ``keeps`` judges a half, given its points; ``least`` is a size that it asks for in any case.
    ``loss`` measures a half; if it is given, the cut that loses least is made.
    """

    points: Sequence[Point]
    sizes: Sequence[int]
    axes: Sequence[Axis]
    keeps: Callable[[Region], bool]
    least: int = 1
    strict: bool = True
    loss: Callable[[Region], float] | None = None

    def run(self) -> list[Region]:
        """Give the regions, those of lower halves first."""
        return self._divide(list(range(len(self.points))))

    def _divide(self, region: Region) -> list[Region]:
        halves = self._halve(region)
        return [region] if halves is None else [r for half in halves for r in self._divide(half)]

    def _halve(self, region: Region) -> tuple[Region, Region] | None:
        columns = self.by_width(region)
        if self.loss is not None:
            return self._least(region, columns, self.loss)
        for j in columns:
            for cut in self.even_cuts(region, j):
                if self._is_good(cut):
                    return cut
                break
        for j in columns:
            good = [cut for cut in self._all(region, j) if self._is_good(cut)]
            if good:
                return min(good, key=self._unevenness)
        return None

    def _least(
        self, region: Region, columns: list[int], loss: Callable[[Region], float]
    ) -> tuple[Region, Region] | None:
        good = [cut for j in columns for cut in self._all(region, j) if self._is_good(cut)]
        # What differs by rounding only is equal: losses are sums, added up in any order.
        return min(good, key=lambda cut: round(loss(cut[0]) + loss(cut[1]), 9), default=None)

    def _is_good(self, cut: tuple[Region, Region]) -> bool:
        return all(self._size(half) >= self.least and self.keeps(half) for half in cut)

    def _size(self, region: Region) -> int:
        return sum(self.sizes[i] for i in region)

    def _unevenness(self, cut: tuple[Region, Region]) -> int:
        return abs(self._size(cut[0]) - self._size(cut[1]))

    def _codes(self, region: Region, j: int) -> set[int]:
        return {self.points[i][j] for i in region}

    def by_width(self, region: Region) -> list[int]:
        everything = list(range(len(self.points)))
        widths = []
        for j, axis in enumerate(self.axes):
            scale = axis.importance / max(axis.steps(self._codes(everything, j)), 1)
            widths.append(scale * axis.steps(self._codes(region, j)))
        order = sorted(range(len(self.axes)), key=lambda j: -widths[j])
        return [j for j in order if widths[j] > 0]

    def even_cuts(self, region: Region, j: int) -> list[tuple[Region, Region]]:
        """The cuts to try first: missing from present, the most even one, the one within ties."""
        whole = [cut for cut in self._all(region, j) if self._keeps_ties(cut, j)]
        parted = [cut for cut in self._all(region, j) if cut not in whole]
        first = []
        if self.axes[j].mixes(self._codes(region, j)):
            first.append(whole[-1])
        units = self.axes[j].units(self._codes(region, j))
        middle = self._median_unit(region, j, units)
        near = [
            c for c in parted if {units[self.points[i][j]] for i in (c[0][-1], c[1][0])} == {middle}
        ]
        cuts = [*first, min(whole, key=self._unevenness)]
        cuts += [min(near, key=self._unevenness)] if near else []
        return [cut for cut in cuts if min(map(self._size, cut)) >= self.least]

    def _median_unit(self, region: Region, j: int, units: dict[int, int]) -> int:
        total, so_far = self._size(region), 0
        for i in sorted(region, key=lambda i: self.points[i][j]):
            so_far += self.sizes[i]
            if 2 * so_far >= total:
                return units[self.points[i][j]]
        raise AssertionError

    def _keeps_ties(self, cut: tuple[Region, Region], j: int) -> bool:
        return not self._codes(cut[0], j) & self._codes(cut[1], j)

    def _all(self, region: Region, j: int) -> list[tuple[Region, Region]]:
        """All cuts on a column, the lowest first."""
        others = [c for c in self.by_width(region) if c != j]
        order = sorted(region, key=lambda i: [self.points[i][c] for c in (j, *others)])
        units = self.axes[j].units(self._codes(region, j))
        found = []
        for at in range(1, len(order)):
            one, other = self.points[order[at - 1]][j], self.points[order[at]][j]
            alone = sum(units[c] == units[one] for c in units) == 1
            if units[one] != units[other] or (not self.strict and one == other and alone):
                found.append((order[:at], order[at:]))
        return found
