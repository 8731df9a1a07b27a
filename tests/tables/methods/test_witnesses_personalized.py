"""Greedy personalized anonymization: nobody's guard is breached, and every value stays true."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

import unlinkable as ul
from tests.strategies import trees
from tests.tables.groups.plain import taxonomy_of
from tests.witness.cuts import all_cuts, nodes
from tests.witness.tree import Tree
from tests.witness.values import is_personalized
from unlinkable.errors import InfeasibleError
from unlinkable.tables.methods.regions.greedy_personalized import GreedyPersonalized
from unlinkable.tables.taxonomies.builders.ready_made import ReadyMade

ILLS = Tree.nested({"*": {"virus": {"flu": {}, "hiv": {}}, "wound": {"burn": {}, "cut": {}}}})
SHOWN = trees("q", max_leaves=4, max_height=2)


@given(tree=SHOWN, other=SHOWN, data=st.data())
def test_guards_are_kept_by_what_is_published(tree: Tree, other: Tree, data: st.DataObject) -> None:
    person = st.fixed_dictionaries(
        {
            "a": st.sampled_from(tree.leaves),
            "b": st.sampled_from(other.leaves),
            "ill": st.sampled_from(ILLS.leaves),
            "guard": st.sampled_from(["", "hiv", "flu", "virus", "burn", "wound"]),
        }
    )
    rows: list[dict[str, Hashable]] = data.draw(st.lists(person, min_size=1, max_size=12))
    p = data.draw(st.sampled_from([Fraction(1, 4), Fraction(1, 2), Fraction(2, 3)]))
    reading = data.draw(st.sampled_from(["leaf", "subtree"]))
    table = ul.as_table(
        pl.DataFrame({c: [str(row[c]) for row in rows] for c in ("a", "b", "ill", "guard")}),
        quasi=["a", "b"],
        sensitive="ill",
        guard="guard",
        taxonomies={
            "a": ReadyMade(taxonomy_of(tree)),
            "b": ReadyMade(taxonomy_of(other)),
            "ill": ReadyMade(taxonomy_of(ILLS)),
        },
    )
    promise = ul.PersonalizedPrivacy(p, sensitive="ill", guard="guard", reading=reading)
    by_subtree = reading == "subtree"
    try:
        release = ul.anonymize(table, privacy=promise, method=GreedyPersonalized(), seed=1)
    except InfeasibleError:
        for level in range(ILLS.height + 1):
            alike: list[dict[str, Hashable]] = [
                {"ill": ILLS.generalize(row["ill"], level), "guard": row["guard"] or None}
                for row in rows
            ]
            assert not is_personalized(alike, [], "ill", "guard", ILLS, p, subtree=by_subtree)
        return
    shown = release.applied.frame.rows(named=True)
    assert len(shown) == len(rows)
    told: list[dict[str, Hashable]] = [
        {**after, "guard": before["guard"] or None}
        for before, after in zip(rows, shown, strict=True)
    ]
    assert is_personalized(told, ["a", "b"], "ill", "guard", ILLS, p, subtree=by_subtree)
    for before, after in zip(rows, shown, strict=True):
        assert after["ill"] in ILLS.paths[before["ill"]]
    partition = release.solution.partition
    for j, way in enumerate((tree, other)):
        boxes = {
            frozenset(way.leaves[lo:hi])
            for lo, hi in zip(partition.lo[:, j].tolist(), partition.hi[:, j].tolist(), strict=True)
        }
        assert boxes <= set(nodes(way))
        assert any(boxes <= cut for cut in all_cuts(way))
    assert all(step.score > 0 for step in release.solution.trace), "every step lowers the loss"
