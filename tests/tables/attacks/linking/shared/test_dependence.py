"""Dependence: pairs of people counted one by one, and the heaviest of all trees."""

from __future__ import annotations

from itertools import combinations, permutations
from math import log

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.linking.shared.agreement import column_agreement
from unlinkable.tables.attacks.linking.shared.dependence import excess, joint_excess
from unlinkable.tables.attacks.shared.matching import match
from unlinkable.tables.data.side import SideTable
from unlinkable.tables.taxonomies import observe
from unlinkable.tables.taxonomies.builders import Tree

JOBS = Tree({"p": ["p0", "p1"], "q": ["q0", "q1"]}).build(observe("a", ["p0"]))
VALUES = ["p0", "p1", "q0", "q1", "p", "*", None]
COVERS = {"p": {"p0", "p1"}, "q": {"q0", "q1"}}

Rows = list[tuple[str | None, ...]]
rows = st.lists(st.tuples(*[st.sampled_from(VALUES)] * 3), min_size=1, max_size=12)


def agree(x: str | None, y: str | None) -> bool:
    """Whether two values that tell something overlap."""
    if x in ("*", None) or y in ("*", None):
        return False
    return bool(COVERS.get(x or "", {x}) & COVERS.get(y or "", {y}))


def found(told: Rows, listed: Rows) -> np.ndarray:
    names = ("a", "b", "c")
    types = dict.fromkeys(names, pl.String)
    tables = [pl.DataFrame(part, types, orient="row") for part in (told, listed)]
    target = Target(tables[0], names, (), dict.fromkeys(names, JOBS))
    matching = match(target, SideTable("list", tables[1]))
    boxes = matching.overlaps.first.columns, matching.overlaps.second.columns
    columns = [
        column_agreement(column, ours, theirs, matching.kind_sizes)
        for column, ours, theirs in zip(matching.linked, *boxes, strict=True)
    ]
    return excess(matching, columns)


def tells(row: tuple[str | None, ...], i: int, j: int) -> bool:
    return not {row[i], row[j]} & {"*", None}


@given(rows, rows)
def test_counts_people_and_records_that_agree(told: Rows, listed: Rows) -> None:
    computed = found(told, listed)
    for i, j in combinations(range(3), 2):
        both = float(sum(agree(p[i], r[i]) and agree(p[j], r[j]) for p in listed for r in told))
        people = [p for p in listed if tells(p, i, j)]
        if both > 3 * len(listed):
            both -= len(listed) / 2
            chances = []
            for r in told:
                known = [[p[k] for p in listed if p[k] not in ("*", None)] for k in (i, j)]
                shares = [
                    max(sum(agree(v, r[k]) for v in vs) / max(len(vs), 1), 1e-9)
                    for k, vs in zip((i, j), known, strict=True)
                ]
                chances.append(shares[0] * shares[1] if tells(r, i, j) else 0)
            by_chance = sum(chances) * len(people)
        else:
            pairs = list(permutations(people, 2))
            both = sum(a[i] == b[i] and a[j] == b[j] for a, b in pairs)
            one, other = (sum(a[k] == b[k] for a, b in pairs) for k in (i, j))
            by_chance = one * other / max(len(pairs), 1)
        expected = log((both + 10) / (by_chance + 10))
        assert computed[i, j] == computed[j, i] == pytest.approx(expected, abs=1e-6)


def spans(edges: tuple[tuple[int, int], ...], columns: list[int]) -> bool:
    reached = {columns[0]}
    for _ in edges:
        reached |= {k for edge in edges if {*edge} & reached for k in edge}
    return reached == {*columns}


@given(st.lists(st.floats(-2, 2), min_size=6, max_size=6))
def test_sets_are_held_together_by_the_heaviest_tree(weights: list[float]) -> None:
    pairwise = np.zeros((4, 4))
    for (i, j), weight in zip(combinations(range(4), 2), weights, strict=True):
        pairwise[i, j] = pairwise[j, i] = weight
    found = joint_excess(pairwise)
    for number in range(16):
        columns = [j for j in range(4) if number >> j & 1]
        trees = combinations(combinations(columns, 2), max(len(columns) - 1, 0))
        totals = [
            sum(pairwise[edge] for edge in tree)
            for tree in trees
            if not columns or spans(tree, columns)
        ]
        assert found[number] == pytest.approx(max(totals))
