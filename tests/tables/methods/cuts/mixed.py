"""Random tables with trees, numbers and plain values, as top-down searches get them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import polars as pl
from attrs import frozen
from hypothesis import strategies as st

from tests.strategies import tables
from tests.tables.groups.plain import taxonomy_of
from tests.tables.methods.cuts.descent_by_definition import Along, Block, Literal, Splits, Values
from unlinkable.release.attacks import Threat
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups, number_rows
from unlinkable.tables.methods.base.search import Solution, Step, Task
from unlinkable.tables.methods.cuts.shared.column_refinement import AlongTree, BySplits
from unlinkable.tables.methods.cuts.shared.refinement import quasi_identifiers
from unlinkable.tables.methods.cuts.shared.top_down import TopDown
from unlinkable.tables.metrics import NormalizedCertaintyPenalty
from unlinkable.tables.metrics.base import CellMetric, GroupMetric
from unlinkable.tables.models import (
    AverageRisk,
    ConfidenceBounding,
    DistinctLDiversity,
    EntropyLDiversity,
    KAnonymity,
    LKCPrivacy,
    TCloseness,
)
from unlinkable.tables.models.base import All, BindingContext, GroupModel, Merging
from unlinkable.tables.operations.shared.nodes import children
from unlinkable.tables.taxonomies.builders import Tree
from unlinkable.tables.taxonomies.builders.ready_made import ReadyMade
from unlinkable.tables.taxonomies.taxonomy import Taxonomy
from unlinkable.typing import BoolArray, FloatArray

__all__ = ["Mixed", "NoMultiple", "mixed", "promises", "varied"]


@frozen
class NoMultiple(GroupModel):
    """No group whose number of records is a multiple of ``n``: merging may break it."""

    name = "no-multiple"
    reference = "none"
    threats = Threat.TABLE
    parameter = "n"

    n: int

    @property
    def merging(self) -> Merging:
        return Merging.UNSAFE

    def judge(self, groups: Groups) -> BoolArray:
        good: BoolArray = groups.sizes % self.n > 0
        return good

    def level(self, groups: Groups) -> FloatArray:
        return groups.sizes.astype(float)


@dataclass(frozen=True)
class Mixed:
    """A table with a class ``y``, sensitive columns ``s0`` ... and perhaps owners and weights."""

    table: Table
    finest: Groups
    labels: Sequence[int]
    classes: Sequence[Hashable]
    weights: Sequence[float]

    @property
    def columns(self) -> tuple[str, ...]:
        """The quasi-identifying columns."""
        return self.table.schema.quasi

    def task(self, metric: GroupMetric | None = None) -> Task:
        """Ask for little loss."""
        return Task(self.table.attributes, metric or NormalizedCertaintyPenalty())

    def bound(self, models: Sequence[GroupModel]) -> All:
        """Bind promises to the table."""
        context = BindingContext.of(self.table.schema)
        return All(b for m in models for b in m.bind(context)).prepared(self.finest)

    def search(self, method: TopDown, privacy: All, metric: GroupMetric | None = None) -> Solution:
        """Run a method."""
        bound = method.bind(self.table.schema)
        return bound.search(self.finest, privacy, self.task(metric))

    def keeps(self, privacy: All, shown: Sequence[tuple[Block, ...]]) -> bool:
        """Judge what records show, all groups at once."""
        by_row: list[tuple[Block, ...]] = [()] * len(self.finest)
        for at, row in zip(self.labels, shown, strict=True):
            by_row[at] = row
        keys = np.zeros((len(by_row), len(self.columns)), np.int32)
        for j in range(len(self.columns)):
            blocks = sorted({row[j] for row in by_row}, key=str)
            keys[:, j] = [blocks.index(row[j]) for row in by_row]
        parent, first = number_rows(keys)
        return privacy.holds(self.finest.merge(parent, first.size, self.columns, keys[first]))

    def literal(self, method: TopDown, privacy: All, *, is_lazy: bool = False) -> Literal:
        """Set up the literal search; what it loses is the normalized certainty penalty."""
        bound = method.bind(self.table.schema)
        taxonomies = [a.taxonomy for a in self.table.attributes]
        kinds = [bound.refinement_of(t) for t in taxonomies]
        rows = self.finest.keys.tolist()
        qids = quasi_identifiers(privacy, self.columns) if bound.score == "igpl" else []
        assert bound.score is not None
        return Literal(
            codes=[tuple(rows[at]) for at in self.labels],
            columns=[_column(kind, t) for kind, t in zip(kinds, taxonomies, strict=True)],
            keeps=lambda shown: self.keeps(privacy, shown),
            score=bound.score.value,
            classes=self.classes,
            qids=[[self.columns.index(name) for name in known] for known in qids],
            squares=bound.squares.value,
            beneficial=bound.beneficial,
            weights=self.weights,
            cell=self._cell,
            is_lazy=is_lazy,
        )

    def _cell(self, j: int, block: Block) -> float:
        attribute, metric = self.table.attributes[j], NormalizedCertaintyPenalty()
        assert isinstance(metric, CellMetric)
        lo, hi = (0, attribute.taxonomy.n) if block is None else block
        cells = metric.cells(attribute.taxonomy, np.array([lo]), np.array([hi]))
        importance = sum(a.importance for a in self.table.attributes)
        return float(cells[0]) * attribute.importance / importance / sum(self.weights)

    def steps_of(self, literal: Literal, steps: int | None = None) -> list[Step]:
        """Write the steps of the literal search as a trace does."""
        found = []
        for move, score in literal.run(steps)[0]:
            n = self.table.attributes[move.column].taxonomy.n
            lo, hi = move.block or (0, n)
            found.append(Step(self.columns[move.column], lo, hi, move.begins, score))
        return found


def _column(kind: type, taxonomy: Taxonomy) -> Along | Splits | Values:
    if kind is AlongTree:
        open_nodes, below = [(0, taxonomy.n)], {}
        while open_nodes:
            node = open_nodes.pop()
            if found := children(taxonomy, node):
                below[node] = found
                open_nodes += found
        return Along(taxonomy.n, below)
    return Splits(taxonomy.n, taxonomy.domain.missing) if kind is BySplits else Values(taxonomy.n)


def varied(seed: int, n: int = 40) -> Mixed:
    """Make up a table of which few records are alike, of every kind of column one."""
    rng = np.random.default_rng(seed)
    classes = rng.choice([*"abc"], n).tolist()
    table = as_table(
        {
            "age": rng.integers(20, 28, n),
            "job": rng.choice([*"pqrs"], n),
            "city": rng.choice(["Rome", "Pisa", "Bonn", "Kiel"], n),
            "sex": rng.choice([*"fm"], n),
            "s0": rng.choice(["s00", "s01", "s02"], n),
            "y": classes,
        },
        quasi=["age", "job", "city", "sex"],
        sensitive="s0",
        target="y",
        taxonomies={"city": Tree({"Italy": ["Rome", "Pisa"], "Germany": ["Bonn", "Kiel"]})},
    )
    counted = count(table, [("y",), ("s0",)])
    return Mixed(table, counted.finest, counted.labels.tolist(), classes, [1.0] * n)


@st.composite
def mixed(draw: st.DrawFn, *, max_records: int = 12, max_qid: int = 3) -> Mixed:
    """Draw a table in which some of the columns are numbers."""
    random = draw(tables(min_records=1, max_records=max_records, max_qid=max_qid, max_leaves=5))
    n = len(random.rows)
    numbers = [name for name in random.qid if draw(st.booleans())]
    columns: dict[str, pl.Series] = {}
    for name in (*random.qid, *random.sensitive, *([random.owner] if random.owner else [])):
        values = [row[name] for row in random.rows]
        if name in numbers:
            leaves = random.trees[name].leaves
            whole = [None if v is None else 10 * leaves.index(v) for v in values]
            columns[name] = pl.Series(whole, dtype=pl.Int64)
        else:
            columns[name] = pl.Series(values, dtype=pl.String)
    classes = draw(st.lists(st.sampled_from("abc"), min_size=n, max_size=n))
    columns["y"] = pl.Series(classes)
    weights = [1] * n
    if draw(st.booleans()):
        weights = draw(st.lists(st.integers(1, 3), min_size=n, max_size=n))
        columns["w"] = pl.Series(weights)
    given_trees = {a: t for a, t in random.trees.items() if a not in numbers}
    table = as_table(
        pl.DataFrame(columns),
        quasi=random.qid,
        sensitive=random.sensitive,
        owner=random.owner,
        target="y",
        weight="w" if "w" in columns else None,
        taxonomies={name: ReadyMade(taxonomy_of(tree)) for name, tree in given_trees.items()},
        importance={name: float(draw(st.integers(1, 2))) for name in random.qid},
    )
    needs = [("y",), *((name,) for name in random.sensitive)]
    counted = count(table, needs)
    return Mixed(
        table, counted.finest, counted.labels.tolist(), classes, [float(w) for w in weights]
    )


@st.composite
def promises(draw: st.DrawFn, columns: Sequence[str]) -> list[GroupModel]:
    """Draw one or two promises that survive merging: about groups, some columns, or all groups."""
    some = st.lists(st.sampled_from(list(columns)), min_size=1, unique=True)
    k, share = draw(st.integers(1, 3)), draw(st.sampled_from([Fraction(1, 2), Fraction(2, 3)]))
    known: list[GroupModel] = [
        KAnonymity(k),
        KAnonymity(k, qid=draw(some)),
        DistinctLDiversity(2, sensitive="s0"),
        EntropyLDiversity(1.5, sensitive="s0"),
        TCloseness(Fraction(1, 2), sensitive="s0"),
        LKCPrivacy(l=draw(st.integers(1, 3)), k=k, c=share, sensitive="s0"),
        ConfidenceBounding(f"{', '.join(draw(some))} -> s0 = s00 <= {share}"),
        AverageRisk(share),
    ]
    return draw(st.lists(st.sampled_from(known), min_size=1, max_size=2, unique_by=str))
