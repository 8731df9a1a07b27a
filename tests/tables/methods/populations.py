"""Random tables that are taken from a population."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction

import polars as pl
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.witness import metrics
from tests.witness.methods import Node, Problem
from tests.witness.models import Row
from tests.witness.population import is_present_within

__all__ = ["Sampled", "sampled"]


@dataclass(frozen=True)
class Sampled:
    """A table, and the people it is taken from: its own, and others."""

    random: RandomTable
    people: list[dict[str, Hashable]]

    @property
    def population_frame(self) -> pl.DataFrame:
        """The population as the library takes it."""
        return pl.DataFrame(
            {
                a: pl.Series([row[a] for row in self.people], dtype=pl.String)
                for a in self.random.qid
            }
        )

    def best_nodes(self, low: Fraction, high: Fraction) -> tuple[list[Node], Fraction | None]:
        """Give the nodes of least loss at which presence is within bounds, and that loss."""
        random = self.random
        problem = Problem(random.rows, random.qid, random.trees, [])
        losses = []
        for node in problem.nodes():
            people: list[Row] = Problem(self.people, random.qid, random.trees, []).generalize(node)
            if is_present_within(problem.generalize(node), people, random.qid, low, high):
                loss = metrics.iloss(problem.publish(node), random.trees, random.qid)
                losses.append((loss, node))
        least = min((loss for loss, _ in losses), default=None)
        return [node for loss, node in losses if loss == least], least


@st.composite
def sampled(draw: st.DrawFn, *, missing: bool = True) -> Sampled:
    """Draw a table of a few people out of more."""
    random = draw(
        tables(min_records=1, max_records=10, max_qid=3, max_leaves=5, missing=missing, owner=False)
    )
    leaf = {a: st.sampled_from(random.trees[a].leaves) for a in random.qid}
    others = draw(st.lists(st.fixed_dictionaries(leaf), max_size=14))
    own = [{a: row[a] for a in random.qid} for row in random.rows]
    return Sampled(random, [*own, *others])
