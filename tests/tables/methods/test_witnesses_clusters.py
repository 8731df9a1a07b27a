"""Searches that cluster records: everybody is in a good group, which shows as little as it can."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.methods.test_witnesses_regions import Promised, keeps, promised
from tests.tables.methods.witnessed import Asked, asked
from tests.witness import promises as literal
from tests.witness.cuts import Block, nodes
from tests.witness.losses import iloss
from unlinkable.errors import InfeasibleError
from unlinkable.tables.methods.base.search import Search
from unlinkable.tables.methods.regions import Mondrian
from unlinkable.tables.methods.regions.best import Best
from unlinkable.tables.methods.regions.greedy_cell import GreedyCell
from unlinkable.tables.methods.regions.oka import OKA
from unlinkable.tables.models import AlphaKAnonymity, KAnonymity

shared: st.SearchStrategy[Promised] = st.one_of(
    promised,
    st.sampled_from([Fraction(1, 2), Fraction(2, 3)]).map(
        lambda share: (
            AlphaKAnonymity(share, 2, sensitive="s0"),
            literal.alpha_k_anonymous(share, 2, "s0"),
        )
    ),
)


def nodes_of(table: Asked, column: str) -> list[Block]:
    """List what can be shown of a column by its taxonomy, also where the table brought none."""
    if column in table.trees:
        return nodes(table.trees[column])
    domain = table.domain(column)
    levels = [level.blocks.tolist() for level in table.table.taxonomy(column).levels]
    return [
        frozenset(v for v, at in zip(domain, blocks, strict=True) if at == block)
        for blocks in levels
        for block in sorted({*blocks})
    ]


def smallest(table: Asked, column: str, values: Block, *, in_tree: bool) -> Block:
    """Give the least that can be shown for some values: a node of the tree, or a range."""
    domain = table.domain(column)
    if in_tree:
        return min((node for node in nodes_of(table, column) if values <= node), key=len)
    if None in values and len(values) > 1:
        return frozenset(domain)
    places = [domain.index(v) for v in values]
    return frozenset(domain[min(places) : max(places) + 1])


def check_clusters(
    table: Asked, method: Search, promise: Promised, *, in_tree: Collection[str]
) -> None:
    """Check that everybody is in a good group, which shows the least that covers it."""
    model, by_definition = promise
    judge = keeps(table, by_definition)
    if not judge(frozenset(range(len(table.rows)))):
        with pytest.raises(InfeasibleError):
            table.search(method, [model])
        return
    found = table.search(method, [model], seed=3)
    release = table.release(found)
    assert None not in release
    assert literal.hold([by_definition], table.shown(found), table.qid)
    for region in table.regions(found):
        for a in table.qid:
            values = frozenset(table.rows[i][a] for i in region)
            (shown,) = {record[a] for i in region if (record := release[i]) is not None}
            assert shown == smallest(table, a, values, in_tree=a in in_tree)
    again = table.search(method, [model], seed=3)
    assert table.release(again) == release


@pytest.mark.parametrize("direction", ["bottom-up", "top-down"])
@pytest.mark.parametrize("labels", ["taxonomy", "intervals"])
@given(table=asked(max_trees=3, missing=True), promise=shared)
def test_greedy_cells_are_good_and_tight(
    direction: str, labels: str, table: Asked, promise: Promised
) -> None:
    method = GreedyCell(direction=direction, labels=labels)
    check_clusters(table, method, promise, in_tree=table.qid if labels == "taxonomy" else ())


@pytest.mark.parametrize("variant", ["oka", "enhanced"])
@given(table=asked(max_trees=2, max_numbers=1, missing=True), promise=shared)
def test_clusters_of_one_pass_are_good_and_tight(
    variant: str, table: Asked, promise: Promised
) -> None:
    trees = table.trees if variant == "enhanced" else ()
    check_clusters(table, OKA(variant=variant), promise, in_tree=trees)


@given(asked(min_records=4, max_trees=2, max_numbers=1), st.integers(1, 4), st.integers(0, 9))
def test_one_pass_makes_as_many_clusters_as_there_is_room_for(
    table: Asked, k: int, seed: int
) -> None:
    found = table.search(OKA(), [KAnonymity(k)], seed=seed)
    regions = table.regions(found)
    assert all(len(region) >= k for region in regions)
    assert len(regions) <= len(table.rows) // k


@pytest.mark.parametrize("labels", ["intervals", "taxonomy"])
@given(table=asked(max_trees=3, max_numbers=1, missing=True), promise=shared)
def test_the_best_groups_are_good_and_tight(labels: str, table: Asked, promise: Promised) -> None:
    in_tree = table.qid if labels == "taxonomy" else ()
    check_clusters(table, Best(labels=labels), promise, in_tree=in_tree)


@given(asked(max_trees=3, max_numbers=1, max_records=20), shared)
def test_the_best_is_no_worse_than_the_cuts_it_starts_from(table: Asked, promise: Promised) -> None:
    model, by_definition = promise
    if not keeps(table, by_definition)(frozenset(range(len(table.rows)))):
        return
    domains = {a: table.domain(a) for a in table.qid}
    best, cut = (
        iloss(table.release(table.search(method, [model])), domains)
        for method in (Best(), Mondrian(split="best"))
    )
    assert best <= cut
