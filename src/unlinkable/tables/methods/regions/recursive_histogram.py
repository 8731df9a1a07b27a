"""Recursive histogram: cells that are the smaller, the more people there are around.

Where few people live, cells of one size either single them out or are useless for everybody else.
A recursive histogram halves all sides of a cell until it holds few points: the cell of a person is
about as wide as the way to the nearest others [1]_.

References
----------
.. [1] S. Chawla, C. Dwork, F. McSherry, A. Smith, H. Wee. "Toward privacy in public databases." TCC
   2005. Section 4; section 5.1.3.3 in the book of Fung, Wang, Fu and Yu (2010).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import define, evolve, field, frozen

from unlinkable.errors import DataError, UnsupportedError
from unlinkable.kernels.counting import sum_by_label
from unlinkable.params import at_least
from unlinkable.tables.groups import Groups, Partition
from unlinkable.tables.methods.base.search import Search, Solution, Task
from unlinkable.tables.methods.regions.shared.subcubes import Subcubes
from unlinkable.tables.methods.shared.feasible import require_feasible
from unlinkable.tables.models.base import All, Merging
from unlinkable.tables.operations import MultidimensionalGeneralization
from unlinkable.tables.operations.base import Scheme
from unlinkable.tables.taxonomies import Attribute, Kind
from unlinkable.typing import BoolArray, CodeArray, FloatArray

__all__ = ["Raising", "RecursiveHistogram"]


@frozen
class RecursiveHistogram(Search):
    r"""Halve the box of all values on every side, and each part again, down to ``2t`` records.

    1. The first cell is the box of all values of the quasi-identifying numbers and dates.
    2. A cell with more than 2t records is halved on all of its d sides at once, into
       :math:`2^d` parts. Parts without records are left out.
    3. That goes on until no cell has more than 2t records, but for those whose records are all the
       same.
    4. The records of cells that break the promise go back to the cell around them, together with
       the others there that do; they show the smallest box over their cells. If they still break
       it, they go on to the next larger cell. What breaks the promise even in the first cell is
       left out, if that is allowed. If it is not, records that go back are first put together with
       the smallest group in the cell around them, where they keep the promise with it.

    The literature leaves step 4 open: it publishes cells of single people, and shows that these are
    wide for points that are drawn from certain distributions. A table is not such a draw, so a
    promise decides. Boxes of step 4 may overlap with cells inside them. If two groups that keep a
    promise may break it together, or it is about people who are not in the table, that must not be:
    then a cell of which any part breaks the promise is not divided at all.

    A cell shows its bounds in terms of values that occur: from the first value in its range, by
    anybody, up to and not including a step after the last; or the node of the taxonomy that has
    just these values. Cells with nobody in them are not published. Recipients can work them out, as
    the part of space that no published cell covers: that nobody is there is what a histogram tells.

    Promises
    --------
    All that are judged on each group by itself, counted on the published cells. (c,t)-isolation,
    for which it was made, is one of them: what it promises depends on the records, and is checked
    for them, not taken from a theorem.

    Parameters
    ----------
    t
        Half of the most records that a cell keeps. For k-anonymity, t should be at least k.

    Cost
    ----
    O(r d n) for n distinct records, d columns and r rounds of halving, about log2 of the width of
    the table over that of the smallest cell. In many columns nearly all parts are empty or hold one
    record, and most records go back to larger cells: use it for few columns.

    Raises
    ------
    UnsupportedError
        If a quasi-identifying column holds categories, or the promise cannot be judged on a group
        by itself.
    DataError
        If a value is missing.
    InfeasibleError
        If all records in one group break the promise.

    Examples
    --------
    >>> import unlinkable as ul
    >>> people = ul.as_table({"age": [20, 21, 22, 23, 60, 80, 80]}, quasi="age")
    >>> found = ul.anonymize(people, privacy=ul.KAnonymity(2),
    ...     method=ul.RecursiveHistogram(t=1)).solution
    >>> found.partition.lo.ravel().tolist(), found.partition.hi.ravel().tolist()
    ([0, 2, 4], [2, 4, 6])
    """

    name: ClassVar[str] = "recursive-histogram"
    reference: ClassVar[str] = "Chawla et al. 2005"
    scheme: ClassVar[type[Scheme]] = MultidimensionalGeneralization

    t: int = field(default=10, validator=at_least(1))

    def require(self, privacy: All, *, may_suppress: bool) -> None:
        super().require(privacy, may_suppress=may_suppress)
        for model in privacy.models:
            if not model.local:
                raise UnsupportedError(
                    f"{self} judges cells one by one, and {model} is about several of them "
                    "together: use mondrian or optimal"
                )

    def search(self, finest: Groups, privacy: All, task: Task) -> Solution:
        """Find the cells.

        The effort counts ``rounds`` of halving, ``cells`` that came out of it, cells that were
        ``raised`` to larger ones, and ``groups_judged``.
        """
        self.require(privacy, may_suppress=task.suppression > 0)
        points = _points(finest, task.attributes)
        require_feasible(finest, privacy, evolve(task, suppression=Fraction(0)))
        lower, upper = _box(task.attributes)
        cubes = Subcubes.of(points, finest.sizes, lower, upper, most=2 * self.t)
        task.progress(0.5, f"{cubes.n} cells")
        effort = Counter(rounds=cubes.rounds, cells=np.unique(cubes.cells).size)
        raising = Raising(finest, privacy.prepared(finest), cubes, effort)
        if _must_be_apart(privacy):
            labels, n_parts = self._whole_cells(raising, privacy)
        else:
            labels, n_parts = raising.leftovers(task.may_suppress(finest.n_records))
        lo, hi = _ranges(cubes, task.attributes, upper)
        tight = _hull(finest, cubes.cells, labels, n_parts, lo, hi)
        return Solution(tight.shown_as(tight.lo, tight.hi), effort)

    def _whole_cells(self, raising: Raising, privacy: All) -> tuple[CodeArray, int]:
        """Publish whole cells; if only the first of all is left, it has to keep the promise."""
        labels, n_parts = raising.whole_cells()
        whole = Partition.whole(raising.finest).groups()
        for model in privacy.models if n_parts == 1 else ():
            if not model.holds(whole):
                raise UnsupportedError(
                    f"{self} finds no cells that keep {model}: those that break it go back to "
                    "larger ones, up to all records, which break it too: try another t, or optimal"
                )
        return labels, n_parts


def _must_be_apart(privacy: All) -> bool:
    """Whether boxes that overlap could break the promise."""
    return any(m.merging is Merging.UNSAFE or m.judges_absence for m in privacy.models)


def _points(finest: Groups, attributes: Sequence[Attribute]) -> FloatArray:
    """Give the distinct records as points."""
    points = np.empty((len(finest), len(attributes)))
    for j, attribute in enumerate(attributes):
        domain, codes = attribute.taxonomy.domain, finest.keys[:, j]
        if domain.kind is Kind.CATEGORY:
            raise UnsupportedError(
                f"column {attribute.name!r} holds categories, which cannot be halved like the side "
                "of a cube: use mondrian"
            )
        if (is_missing := codes == domain.missing).any():
            raise DataError(
                f"{int(finest.sizes[is_missing].sum())} records have no value of "
                f"{attribute.name!r}, and without it they are no points: leave these records out, "
                "or use mondrian"
            )
        points[:, j] = domain.as_numbers()[codes]
    return points


def _box(attributes: Sequence[Attribute]) -> tuple[FloatArray, FloatArray]:
    """Find the ends of every column."""
    numbers = [a.taxonomy.domain.as_numbers() for a in attributes]
    return np.array([x[0] for x in numbers]), np.array([x[-1] for x in numbers])


def _ranges(
    cubes: Subcubes, attributes: Sequence[Attribute], upper: FloatArray
) -> tuple[CodeArray, CodeArray]:
    """Find the codes in the range of every cell."""
    lo, hi = np.empty((2, cubes.n, len(attributes)), np.int32)
    for j, attribute in enumerate(attributes):
        numbers = attribute.taxonomy.domain.as_numbers()
        lo[:, j] = np.searchsorted(numbers, cubes.lower[:, j])
        hi[:, j] = np.searchsorted(numbers, cubes.upper[:, j])
        hi[cubes.upper[:, j] == upper[j], j] = numbers.size
    return lo, hi


def _hull(
    finest: Groups,
    cells: CodeArray,
    labels: CodeArray,
    n_parts: int,
    lo: CodeArray,
    hi: CodeArray,
) -> Partition:
    """Give every part the smallest box over the cells of its records."""
    shape = (n_parts, lo.shape[1])
    low, high = np.full(shape, np.iinfo(np.int32).max, np.int32), np.zeros(shape, np.int32)
    kept = labels >= 0
    np.minimum.at(low, labels[kept], lo[cells[kept]])
    np.maximum.at(high, labels[kept], hi[cells[kept]])
    return Partition(finest, labels, low, high)


@define(eq=False, frozen=True)
class Raising:
    """Cells that break a promise go back to the larger cells that they were cut out of.

    Both verbs give a label for each of the finest groups, -1 for those that are left out, and the
    number of labels; each label keeps the promise, given that all records together do.

    Attributes
    ----------
    finest, privacy
        What is in the cells, and what they must keep.
    cubes
        The cells.
    effort
        What it took so far.
    """

    finest: Groups
    privacy: All
    cubes: Subcubes
    effort: Counter[str]

    def whole_cells(self) -> tuple[CodeArray, int]:
        """Undo the division of every cell of which a part breaks the promise."""
        parent, depth = self.cubes.parent, self.cubes.depth
        # `at` is the cell that a row is published in, `up` the cell around it on this level.
        at, up = self.cubes.cells.copy(), self.cubes.cells.copy()
        for level in range(int(depth.max()), 0, -1):
            is_shown = depth[at] == level
            is_bad = is_shown & ~self._keeps(np.where(is_shown, at, -1))
            undone = np.zeros(self.cubes.n, bool)
            undone[parent[at[is_bad]]] = True
            self.effort["raised"] += np.unique(at[is_bad]).size
            up = np.where(depth[up] == level, parent[up], up)
            at = np.where(undone[up], up, at)
        return _numbered(at)

    def leftovers(self, may_suppress: int) -> tuple[CodeArray, int]:
        """Put the records of cells that break the promise together, in the cell around them.

        Those for which no cell is large enough are left out, if so many may be. Otherwise the
        records that are left over in a cell join the smallest group within it where that helps.
        """
        if may_suppress:
            labels, n_parts = _numbered(self._placed(join=False))
            if n_parts > 0 and int(self.finest.sizes[labels < 0].sum()) <= may_suppress:
                self.effort["groups_judged"] += n_parts
                if self.privacy.holds(self._groups(labels, n_parts).alone()):
                    return labels, n_parts
        labels, n_parts = _numbered(self._placed(join=True))
        if (labels < 0).any():
            return np.zeros_like(labels), 1
        return labels, n_parts

    def _placed(self, *, join: bool) -> CodeArray:
        """Find a group for every row, level by level; -1 if there is none."""
        parent, depth, n = self.cubes.parent, self.cubes.depth, self.cubes.n
        up = self.cubes.cells.copy()
        labels = np.where(self._keeps(up), up, -1)
        self.effort["raised"] += np.unique(up[labels < 0]).size
        for level in range(int(depth.max()) - 1, -1, -1):
            up = np.where(depth[up] > level, parent[up], up)
            here = depth[up] == level
            # What is left over in a cell is apart from all cells: its label is n + cell.
            rest = np.where(here & (labels < 0), up, -1)
            labels = np.where(self._keeps(rest), rest + n, labels)
            if join and (here & (labels < 0)).any():
                rest = np.where(here, self._with_smallest(up, labels), -1)
                labels = np.where(self._keeps(rest), rest + n, labels)
        return labels

    def _with_smallest(self, up: CodeArray, labels: CodeArray) -> CodeArray:
        """Give the cell of all rows that are left over in it, and of the smallest group in it."""
        numbered, n_groups = _numbered(labels)
        if not n_groups:
            return np.where(labels < 0, up, -1)
        sizes = sum_by_label(self.finest.sizes, numbered, n_groups)
        around = np.empty(n_groups, np.int32)
        around[numbered[labels >= 0]] = up[labels >= 0]
        order = np.lexsort((np.arange(n_groups), sizes, around))
        is_first = np.diff(around[order], prepend=-1) > 0
        joins = np.zeros(n_groups + 1, bool)
        joins[order[is_first]] = True
        has_rest = np.zeros(self.cubes.n, bool)
        has_rest[up[labels < 0]] = True
        return np.where((labels < 0) | (joins[numbered] & has_rest[up]), up, -1)

    def _keeps(self, labels: CodeArray) -> BoolArray:
        """Tell for every row whether the rows with the same label keep the promise; not for -1."""
        numbered, n = _numbered(labels)
        self.effort["groups_judged"] += n
        good = self.privacy.judge(self._groups(numbered, n))
        return np.append(good, False)[numbered]

    def _groups(self, labels: CodeArray, n: int) -> Groups:
        keys = np.arange(n, dtype=np.int32)[:, None]
        return self.finest.merge(labels, n, self.finest.columns[:1], keys)


def _numbered(labels: CodeArray) -> tuple[CodeArray, int]:
    """Number the labels that occur from 0, in their order; -1 stays."""
    found, numbers = np.unique(labels, return_inverse=True)
    if found.size and found[0] == -1:
        return numbers.astype(np.int32) - np.int32(1), found.size - 1
    return numbers.astype(np.int32), found.size
