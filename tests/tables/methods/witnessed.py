"""Random tables with targets, as searches get them and as the witnesses do."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
import polars as pl
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import taxonomy_of
from tests.witness.cuts import Block
from tests.witness.losses import Shown
from tests.witness.models import Row
from tests.witness.tree import Tree
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.engines import count
from unlinkable.tables.methods.base.search import Search, Solution, Task
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.metrics.base import GroupMetric
from unlinkable.tables.models.base import All, BindingContext, GroupModel
from unlinkable.tables.taxonomies.builders.ready_made import ReadyMade

__all__ = ["Asked", "asked"]


@dataclass(frozen=True)
class Asked:
    """A table with targets. ``numbers`` are quasi-identifying columns of whole numbers.

    ``plain`` are columns that come without a taxonomy: numbers, or values to be suppressed.
    """

    rows: Sequence[dict[str, Hashable]]
    trees: Mapping[str, Tree]
    numbers: Sequence[str] = ()
    sensitive: Sequence[str] = ()
    targets: Sequence[str] = ()
    flat: Sequence[str] = ()
    leaves: Mapping[str, Sequence[Hashable]] = field(default_factory=dict)
    kept: dict[str, Table] = field(default_factory=dict, compare=False, repr=False)

    @property
    def qid(self) -> tuple[str, ...]:
        """The quasi-identifying columns, in their order."""
        return (*self.trees, *self.flat, *self.numbers)

    @property
    def table(self) -> Table:
        """The table as searches get it."""
        if not self.kept:
            names = [*self.qid, *self.sensitive, *self.targets]
            whole = {*self.numbers, *(n for n in self.targets if n.startswith("z"))}
            frame = pl.DataFrame(
                {
                    name: pl.Series(
                        [row[name] for row in self.rows],
                        dtype=pl.Int64 if name in whole else pl.String,
                    )
                    for name in names
                }
            )
            self.kept["it"] = as_table(
                frame,
                quasi=self.qid,
                sensitive=self.sensitive,
                target=self.targets,
                taxonomies={a: ReadyMade(taxonomy_of(tree)) for a, tree in self.trees.items()},
            )
        return self.kept["it"]

    def domain(self, column: str) -> list[Hashable]:
        """List the values of a column in the order of their codes."""
        if column in self.trees:
            return self.trees[column].leaves
        if column in self.leaves:
            return list(self.leaves[column])
        present = {row[column] for row in self.rows}
        known = sorted(present - {None})  # type: ignore[type-var]
        return [*known, *([None] if None in present else [])]

    def models(self, asked: Sequence[GroupModel]) -> All:
        """Bind promises to the table."""
        context = BindingContext.of(self.table.schema)
        return All(bound for model in asked for bound in model.bind(context))

    def search(
        self,
        method: Search,
        privacy: Sequence[GroupModel],
        *,
        limit: int = 0,
        metric: GroupMetric | None = None,
        seed: int = 0,
    ) -> Solution:
        """Run a method as the library does."""
        schema = self.table.schema
        models, ready = self.models(privacy), method.bind(schema)
        guide = (metric or ILoss()).bind(schema)
        share = Fraction(limit, max(len(self.rows), 1))
        ready.require(models, may_suppress=share > 0)
        needs = {*models.needs(), *guide.needs(schema), *ready.needs(schema)}
        finest = count(self.table, needs).finest
        rng = np.random.default_rng(seed)
        task = Task(self.table.attributes, guide, share, rng)
        return ready.search(finest, models.prepared(finest), task)

    def labels(self, solution: Solution) -> list[int]:
        """Give the part of every record; -1 if it is left out."""
        of_record = count(self.table).labels
        found: list[int] = solution.partition.labels[of_record].tolist()
        return found

    def regions(self, solution: Solution) -> list[frozenset[int]]:
        """Give the places of the records of every part that holds any."""
        labels = self.labels(solution)
        parts = sorted({*labels} - {-1})
        return [frozenset(i for i, at in enumerate(labels) if at == part) for part in parts]

    def block(self, column: str, lo: int, hi: int) -> Block:
        """Give the values of a range of codes."""
        return frozenset(self.domain(column)[lo:hi])

    def release(self, solution: Solution) -> list[Shown]:
        """Give what every record shows, as sets of raw values."""
        found: list[Shown] = []
        lo, hi = solution.partition.lo.tolist(), solution.partition.hi.tolist()
        for at in self.labels(solution):
            if at < 0:
                found.append(None)
                continue
            found.append({a: self.block(a, lo[at][j], hi[at][j]) for j, a in enumerate(self.qid)})
        return found

    def shown(self, solution: Solution) -> list[Row]:
        """Give the published records with everything they hide, as the witnesses judge them."""
        release = self.release(solution)
        return [
            {**row, **cells}
            for row, cells in zip(self.rows, release, strict=True)
            if cells is not None
        ]


@st.composite
def asked(
    draw: st.DrawFn,
    *,
    min_records: int = 1,
    max_records: int = 12,
    max_trees: int = 2,
    max_numbers: int = 0,
    max_flat: int = 0,
    n_targets: int = 1,
    numeric_targets: bool = False,
    max_leaves: int = 4,
    max_height: int = 3,
    missing: bool = False,
) -> Asked:
    """Draw a table with classes ``c0``, ... and numbers ``z0``, ... to tell, and one secret."""
    random: RandomTable = draw(
        tables(
            min_records=min_records,
            max_records=max_records,
            max_qid=max_trees,
            max_sensitive=1,
            max_leaves=max_leaves,
            max_height=max_height,
            missing=missing,
            owner=False,
        )
    )
    n = len(random.rows)
    columns: dict[str, list[Hashable]] = {}

    def column(name: str, values: st.SearchStrategy[Hashable]) -> str:
        columns[name] = draw(st.lists(values, min_size=n, max_size=n))
        return name

    numbers = [column(f"n{i}", st.integers(0, 5)) for i in range(draw(st.integers(0, max_numbers)))]
    flat = [column(f"f{i}", st.sampled_from("uvwx")) for i in range(draw(st.integers(0, max_flat)))]
    targets = [
        column(f"z{i}", st.integers(0, 9))
        if numeric_targets
        else column(f"c{i}", st.sampled_from("yynm"))
        for i in range(n_targets)
    ]
    rows = [
        {**row, **{name: values[i] for name, values in columns.items()}}
        for i, row in enumerate(random.rows)
    ]
    trees = {a: random.trees[a] for a in random.qid}
    secrets = {s: random.trees[s].leaves for s in random.sensitive}
    return Asked(rows, trees, numbers, random.sensitive, targets, flat, secrets)
