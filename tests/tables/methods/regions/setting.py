"""Random tables, promises and options for searches over regions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

from tests.strategies import RandomTable
from tests.tables.groups.plain import table_of
from tests.tables.methods.regions.by_definition import Axis, Literal, Region
from tests.witness import emd
from tests.witness import promises as witness
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups, Partition
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.regions import Mondrian
from unlinkable.tables.metrics.normalized_certainty_penalty import NormalizedCertaintyPenalty
from unlinkable.tables.models import (
    DistinctLDiversity,
    EntropyLDiversity,
    KAnonymity,
    RecursiveCLDiversity,
    TCloseness,
)
from unlinkable.tables.models.base import All, GroupModel
from unlinkable.tables.taxonomies.taxonomy import Attribute

__all__ = ["Promised", "Setting", "promised", "regions_of"]


@dataclass(frozen=True)
class Promised:
    """The same promises twice: as the library makes them, and as they are defined."""

    models: tuple[GroupModel, ...]
    by_definition: tuple[witness.Promise, ...]
    k: int


@st.composite
def promised(draw: st.DrawFn, owner: str | None = None) -> Promised:
    """Draw k-anonymity, or something about the sensitive column ``s0``, or both."""
    k = draw(st.integers(1, 5))
    models: list[GroupModel] = []
    definitions = []
    if draw(st.booleans()):
        models.append(KAnonymity(k))
        definitions.append(witness.k_anonymous(k, owner=owner))
    level = draw(st.integers(2, 3))
    t = draw(st.sampled_from([Fraction(1, 5), Fraction(1, 2)]))
    hidden: list[tuple[GroupModel, witness.Promise]] = [
        (DistinctLDiversity(level, sensitive="s0"), witness.distinct_l_diverse(level, "s0")),
        (EntropyLDiversity(1.5, sensitive="s0"), witness.entropy_l_diverse(Fraction(3, 2), "s0")),
        (
            RecursiveCLDiversity(c=2, l=2, sensitive="s0"),
            witness.recursive_cl_diverse(2, 2, "s0"),
        ),
        (TCloseness(t, sensitive="s0"), witness.t_close(t, "s0", emd.emd_equal)),
    ]
    if not models or draw(st.booleans()):
        model, definition = draw(st.sampled_from(hidden))
        models.append(model)
        definitions.append(definition)
    is_counted = isinstance(models[0], KAnonymity) and owner is None
    return Promised(tuple(models), tuple(definitions), k if is_counted else 1)


@dataclass(frozen=True)
class Setting:
    """A random table as a search gets it, and as the definition does."""

    random: RandomTable
    finest: Groups
    labels: Sequence[int]
    attributes: tuple[Attribute, ...]

    @classmethod
    def of(cls, random: RandomTable) -> Setting:
        """Count a random table."""
        table = table_of(random)
        counted = count(table, [(name,) for name in random.sensitive])
        return cls(random, counted.finest, counted.labels.tolist(), table.attributes)

    @property
    def task(self) -> Task:
        """Ask for little loss."""
        return Task(self.attributes, NormalizedCertaintyPenalty())

    def keeps(self, promised: Promised) -> Callable[[Region], bool]:
        """Judge sets of distinct records by definition."""
        rows = self.random.rows

        def judge(region: Region) -> bool:
            members = set(region)
            group = [row for row, at in zip(rows, self.labels, strict=True) if at in members]
            return all(p.keeps(group, rows) for p in promised.by_definition)

        return judge

    def literal(self, method: Mondrian, promised: Promised, followed: Sequence[bool]) -> Literal:
        """Set up the literal search; the marked columns are cut between children of nodes."""
        axes = [
            Axis(
                a.taxonomy.n,
                a.taxonomy.domain.has_missing,
                a.importance,
                [level.blocks.tolist() for level in a.taxonomy.levels[:-1]]
                if is_followed
                else None,
            )
            for a, is_followed in zip(self.attributes, followed, strict=True)
        ]
        points = [tuple(row) for row in self.finest.keys.tolist()]
        return Literal(
            points,
            self.finest.sizes.tolist(),
            axes,
            self.keeps(promised),
            promised.k,
            method.strict,
            self.loss if method.split.value == "best" else None,
        )

    def loss(self, region: Region) -> float:
        """Add up the normalized certainty penalty of a region that shows its smallest box."""
        points = self.finest.keys[region]
        lost = 0.0
        for a, lo, hi in zip(
            self.attributes, points.min(axis=0), points.max(axis=0) + 1, strict=True
        ):
            n = a.taxonomy.n
            if a.taxonomy.mixes_missing(np.array([lo]), np.array([hi]))[0]:
                lo, hi = 0, n
            lost += a.importance * (float(hi - lo) / n if hi - lo > 1 else 0.0)
        return lost * float(self.finest.weights[region].sum())

    def search(self, method: Mondrian, promised: Promised) -> Partition:
        """Run the search."""
        return method.search(self.finest, All(promised.models), self.task).partition


def regions_of(partition: Partition) -> list[Region]:
    """List the distinct records of every part."""
    return [np.flatnonzero(partition.labels == g).tolist() for g in range(partition.n_parts)]
