"""How far groups may be from the whole table: the library against the definitions."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from functools import partial
from math import isclose

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable
from tests.tables.models.twins import agree, bounds, same, small, verdict_of
from tests.witness import closeness, emd
from tests.witness.closeness import FloatDistance
from unlinkable.tables.models import (
    NTCloseness,
    TCloseness,
)
from unlinkable.tables.models.base import Verdict


def compare(verdict: Verdict, level: Fraction | float | None, bound: Fraction) -> None:
    """Assert agreement, but for bounds so near that floating point cannot tell."""
    if level is None or isinstance(level, Fraction) or not isclose(level, bound, rel_tol=1e-9):
        agree(verdict, level, holds=level is None or level <= bound)
    else:
        assert same(verdict.level, level)


@given(small(), bounds)
def test_kullback_leibler(table: RandomTable, t: Fraction) -> None:
    level = closeness.table_distance(table.rows, table.qid, "s0", closeness.kullback_leibler)
    compare(verdict_of(table, TCloseness(t, sensitive="s0", distance="kl")), level, t)


@given(small(), bounds)
def test_variational(table: RandomTable, t: Fraction) -> None:
    level = closeness.table_distance(table.rows, table.qid, "s0", emd.emd_equal)
    compare(verdict_of(table, TCloseness(t, sensitive="s0")), level, t)


@given(small(max_leaves=3, max_records=8, missing=False, min_records=1), bounds, st.data())
def test_any_ground_distance(table: RandomTable, t: Fraction, data: st.DataObject) -> None:
    leaves = table.trees["s0"].leaves
    tenths = st.integers(1, 30).map(lambda n: Fraction(n, 10))
    costs: dict[tuple[Hashable, Hashable], Fraction] = {}
    for i, v in enumerate(leaves):
        for w in leaves[:i]:
            costs[v, w] = costs[w, v] = data.draw(tenths)
    # Mass can be put down only where somebody is: at the values of the table.
    stops = list({row["s0"] for row in table.rows})
    ground = closeness.shortest_ground(stops, lambda v, w: costs[v, w])
    rows = [(v, w, float(cost)) for (v, w), cost in costs.items()]
    side = {"costs": pl.DataFrame(rows, schema=["from", "to", "distance"], orient="row")}
    model = TCloseness(t, sensitive="s0", distance="given", ground="costs")
    level = closeness.table_distance(
        table.rows, table.qid, "s0", partial(emd.emd_by_transport, ground=ground)
    )
    assert level is not None
    verdict = verdict_of(table, model, side=side)
    assert same(verdict.level, level)
    if not isclose(level, t, rel_tol=1e-9):
        assert verdict.holds is (level <= t)


@pytest.mark.parametrize(
    ("name", "distance"),
    [
        ("kl", closeness.kullback_leibler),
        ("hellinger", closeness.hellinger),
    ],
)
@given(table=small(), n=st.integers(1, 12), t=bounds)
def test_nt_closeness(
    name: str, distance: FloatDistance, table: RandomTable, n: int, t: Fraction
) -> None:
    level = closeness.nt_closeness(table.rows, table.qid, "s0", n, distance)
    compare(verdict_of(table, NTCloseness(n, t, sensitive="s0", distance=name)), level, t)
