"""Random releases of small tables, as plain Python objects and as the library sees them.

Any boxes that cover their records: tight ones, wide ones, boxes that overlap (local recoding), and
records that are left out. Nothing in a drawn release was made by a method of the library.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from hypothesis import strategies as st

from tests.strategies import trees
from tests.tables.groups.plain import histogram_of, taxonomy_of
from tests.witness.losses import Shown as Sets
from tests.witness.tree import Tree
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.engines import Counted, count
from unlinkable.tables.groups import Partition
from unlinkable.tables.metrics.base import Bucketized, Generalized
from unlinkable.tables.taxonomies import Domain, Kind, Taxonomy
from unlinkable.tables.taxonomies.builders.ready_made import ReadyMade

__all__ = ["CLASS", "Box", "Drawn", "People", "at_levels", "coarser", "releases"]

Box = tuple[tuple[int, int], ...]
"""On every attribute, the places ``[lo, hi)`` of its domain that are shown."""

CLASS = "y"
WEIGHT = "w"


@dataclass(frozen=True, eq=False)
class People:
    """A table.

    Attributes
    ----------
    rows
        The records: attribute, class ``y`` and weight ``w`` to value; None for a missing value.
    trees
        The quasi-identifying attributes with their taxonomies. Leaves may have no record; where
        values are missing, None is the last leaf.
    numeric
        Which of them hold numbers.
    importance
        How much each of them counts.
    is_weighted
        Whether weights are told to the library.
    """

    rows: list[dict[str, Hashable]]
    trees: dict[str, Tree]
    numeric: frozenset[str]
    importance: dict[str, int]
    is_weighted: bool

    @cached_property
    def with_target(self) -> tuple[Table, Counted]:
        """The table as the library sees it, the class as its target, and its distinct records."""
        table = self._table(target=CLASS)
        return table, count(table, [(CLASS,)])

    @cached_property
    def with_sensitive(self) -> tuple[Table, Counted]:
        """The same, the class as a sensitive column."""
        table = self._table(sensitive=CLASS)
        return table, count(table, [(CLASS,)])

    def _table(self, *, target: str | tuple[()] = (), sensitive: str | tuple[()] = ()) -> Table:
        columns = {
            a: pl.Series(
                [row[a] for row in self.rows], dtype=pl.Int64 if a in self.numeric else pl.String
            )
            for a in self.trees
        }
        columns[CLASS] = pl.Series([row[CLASS] for row in self.rows], dtype=pl.String)
        if self.is_weighted:
            columns[WEIGHT] = pl.Series([row[WEIGHT] for row in self.rows], dtype=pl.Int64)
        return as_table(
            pl.DataFrame(columns),
            quasi=tuple(self.trees),
            target=target,
            sensitive=sensitive,
            weight=WEIGHT if self.is_weighted else None,
            taxonomies={a: ReadyMade(self._taxonomy(a)) for a in self.trees},
            importance={a: float(x) for a, x in self.importance.items()},
        )

    def _taxonomy(self, a: str) -> Taxonomy:
        tree = self.trees[a]
        taxonomy = taxonomy_of(tree)
        if a not in self.numeric:
            return taxonomy
        present = np.array([v for v in tree.leaves if v is not None], np.int64)
        return Taxonomy(Domain(Kind.NUMBER, present, None in tree.leaves), taxonomy.levels)


@dataclass(frozen=True)
class Drawn:
    """A table with what was published of every record.

    Attributes
    ----------
    people
        The table.
    boxes
        What each record shows; None if it was left out. Records with equal values show the same.
    """

    people: People
    boxes: list[Box | None]

    @property
    def rows(self) -> list[dict[str, Hashable]]:
        """The records."""
        return self.people.rows

    @property
    def trees(self) -> dict[str, Tree]:
        """The quasi-identifying attributes with their taxonomies."""
        return self.people.trees

    @property
    def numeric(self) -> frozenset[str]:
        """Which of them hold numbers."""
        return self.people.numeric

    @property
    def importance(self) -> dict[str, int]:
        """How much each of them counts."""
        return self.people.importance

    @property
    def qid(self) -> tuple[str, ...]:
        """The quasi-identifying attributes."""
        return tuple(self.trees)

    @property
    def domains(self) -> dict[str, list[Hashable]]:
        """All values of every attribute, in their order."""
        return {a: tree.leaves for a, tree in self.trees.items()}

    @property
    def original(self) -> list[dict[str, Hashable]]:
        """The quasi-identifying values of every record."""
        return [{a: row[a] for a in self.qid} for row in self.rows]

    @property
    def labels(self) -> list[Hashable]:
        """The class of every record."""
        return [row[CLASS] for row in self.rows]

    @property
    def weights(self) -> list[int] | None:
        """How many people every record stands for; None if nobody said so."""
        if not self.people.is_weighted:
            return None
        return [int(str(row[WEIGHT])) for row in self.rows]

    @property
    def release(self) -> list[Sets]:
        """What every record shows, as sets of values."""
        return [None if box is None else self.values_in(box) for box in self.boxes]

    def values_in(self, box: Box) -> dict[str, frozenset[Hashable]]:
        """Give the values that a box holds on every attribute."""
        pairs = zip(self.domains.items(), box, strict=True)
        return {a: frozenset(domain[lo:hi]) for (a, domain), (lo, hi) in pairs}

    def place(self, row: dict[str, Hashable]) -> tuple[int, ...]:
        """Find the values of a record in the domains."""
        return tuple(domain.index(row[a]) for a, domain in self.domains.items())

    def shown_as(self, boxes: Iterable[Box | None]) -> Drawn:
        """Publish the same records otherwise."""
        return Drawn(self.people, list(boxes))

    def raw(self) -> Drawn:
        """Publish all records as they are."""
        places = (self.place(row) for row in self.rows)
        return self.shown_as(tuple((i, i + 1) for i in place) for place in places)

    def root(self) -> Drawn:
        """Publish all records, and nothing about them."""
        everything = tuple((0, len(domain)) for domain in self.domains.values())
        return self.shown_as([everything] * len(self.rows))

    def nothing(self) -> Drawn:
        """Leave all records out."""
        return self.shown_as([None] * len(self.rows))

    def generalized(self, *, sensitive: bool = False) -> Generalized:
        """Give the release to the library."""
        table, counted = self.people.with_sensitive if sensitive else self.people.with_target
        pairs = zip(self.rows, self.boxes, strict=True)
        box_of = {self.place(row): box for row, box in pairs}
        shown = sorted({box for box in box_of.values() if box is not None})
        number = {box: g for g, box in enumerate(shown)}
        labels = [
            -1 if (box := box_of[tuple(key)]) is None else number[box]
            for key in counted.finest.keys.tolist()
        ]
        bounds = np.array(shown, np.int32).reshape(len(shown), len(self.qid), 2)
        partition = Partition(
            counted.finest, np.array(labels, np.int32), bounds[:, :, 0], bounds[:, :, 1]
        )
        return Generalized.of(table, partition, counted.labels)

    def bucketized(self, buckets: Sequence[int]) -> Bucketized:
        """Give the library the records in numbered buckets, with the class hidden in each."""
        table, _ = self.people.with_sensitive
        numbers = np.array(buckets, np.int32)
        taxonomy = table.taxonomy(CLASS)
        dense = np.zeros((int(numbers.max()) + 1, taxonomy.n), int)
        np.add.at(dense, (numbers, table.codes(CLASS)), 1)
        hidden = {CLASS: histogram_of(dense.tolist(), taxonomy)}
        return Bucketized(table, table.frame, np.arange(len(self.rows)), numbers, hidden)


@st.composite
def releases(
    draw: st.DrawFn, *, min_records: int = 1, max_records: int = 12, weighted: bool = True
) -> Drawn:
    """Draw a table of one to three attributes and what is published of it."""
    n = draw(st.integers(min_records, max_records))
    known: dict[str, Tree] = {}
    columns: dict[str, list[Hashable]] = {}
    numeric = set()
    for i in range(draw(st.integers(1, 3))):
        a = f"q{i}"
        tree = draw(trees(a, 5, 3))
        if draw(st.booleans()):
            numeric.add(a)
            tree = draw(_numbered(tree))
        pool = [*tree.leaves, None] if draw(st.integers(0, 4)) == 0 else tree.leaves
        columns[a] = draw(st.lists(st.sampled_from(pool), min_size=n, max_size=n))
        known[a] = _with_missing(tree) if None in columns[a] else tree
    columns[CLASS] = draw(st.lists(st.sampled_from("uvw"), min_size=n, max_size=n))
    columns[WEIGHT] = draw(st.lists(st.integers(1, 3), min_size=n, max_size=n))
    rows = [{name: values[i] for name, values in columns.items()} for i in range(n)]
    importance = {a: draw(st.integers(1, 3)) for a in known}
    is_weighted = weighted and draw(st.booleans())
    people = People(rows, known, frozenset(numeric), importance, is_weighted)
    return draw(_published(Drawn(people, [None] * n)))


@st.composite
def coarser(draw: st.DrawFn, drawn: Drawn) -> Drawn:
    """Merge groups of a release, widen a box, or leave the records of a group out."""
    shown = sorted({box for box in drawn.boxes if box is not None})
    if not shown:
        return drawn
    chosen = draw(st.lists(st.sampled_from(shown), min_size=1, max_size=3, unique=True))
    kind = draw(st.sampled_from(["leave out", "show nothing", "merge"]))
    if kind == "leave out":
        instead = None
    elif kind == "show nothing":
        instead = drawn.root().boxes[0]
    else:
        instead = draw(_wider(drawn, _around(chosen)))
    return drawn.shown_as(instead if box in chosen else box for box in drawn.boxes)


@st.composite
def _published(draw: st.DrawFn, plain: Drawn) -> Drawn:
    places = [plain.place(row) for row in plain.rows]
    distinct = sorted(set(places))
    labels = draw(st.lists(st.integers(-1, 3), min_size=len(distinct), max_size=len(distinct)))
    # Half of the releases leave nobody out.
    if draw(st.booleans()):
        labels = [max(label, 0) for label in labels]
    group = dict(zip(distinct, labels, strict=True))
    box_of: dict[int, Box | None] = {-1: None}
    for label in sorted(set(labels) - {-1}):
        members = [tuple((i, i + 1) for i in p) for p, g in group.items() if g == label]
        box_of[label] = draw(_wider(plain, _around(members)))
    return plain.shown_as(box_of[group[place]] for place in places)


@st.composite
def _wider(draw: st.DrawFn, plain: Drawn, box: Box) -> Box:
    """Widen a box here and there, and to all values where it has missing ones beside others."""
    wide = []
    for (lo, hi), domain in zip(box, plain.domains.values(), strict=True):
        if draw(st.integers(0, 2)) == 0:
            lo, hi = draw(st.integers(0, lo)), draw(st.integers(hi, len(domain)))
        if hi - lo > 1 and None in domain[lo:hi]:
            lo, hi = 0, len(domain)
        wide.append((lo, hi))
    return tuple(wide)


@st.composite
def _numbered(draw: st.DrawFn, tree: Tree) -> Tree:
    """Turn the leaves of a tree into rising numbers."""
    n = len(tree.leaves)
    numbers = draw(st.lists(st.integers(-9, 40), min_size=n, max_size=n, unique=True).map(sorted))
    pairs = zip(numbers, tree.paths.values(), strict=True)
    return Tree({number: (number, *path[1:]) for number, path in pairs})


def _with_missing(tree: Tree) -> Tree:
    return Tree({**tree.paths, None: (None,) * tree.height + ("*",)})


def _around(boxes: Sequence[Box]) -> Box:
    sides = zip(*boxes, strict=True)
    return tuple((min(lo for lo, _ in side), max(hi for _, hi in side)) for side in sides)


def at_levels(drawn: Drawn, levels: Sequence[int]) -> Drawn:
    """Publish all records, every attribute on one level of its tree."""
    boxes = []
    for row in drawn.rows:
        box = []
        for (a, tree), level in zip(drawn.trees.items(), levels, strict=True):
            node = tree.leaves_under(level, tree.generalize(row[a], level))
            box.append((tree.leaves.index(node[0]), tree.leaves.index(node[-1]) + 1))
        boxes.append(tuple(box))
    return drawn.shown_as(boxes)
