"""Adversaries who know some values, of some columns or people: library against definitions."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable
from tests.tables.groups.plain import taxonomy_of
from tests.tables.models.twins import agree, bounds, frame_of, small, verdict_of
from tests.witness import models, values
from tests.witness.models import Row
from tests.witness.skyline import skyline_confidence
from tests.witness.tree import Tree
from unlinkable import as_table, check
from unlinkable.tables.models import PersonalizedPrivacy, SkylinePrivacy
from unlinkable.tables.taxonomies.builders.ready_made import ReadyMade

ILL = Tree.nested({"*": {"A": {"a": {}, "b": {}, "c": {}}, "B": {"d": {}, "e": {}}}})
NODES = ["A", "B", "*"]
WITH_NODES = Tree(
    {
        **{v: (v, "A", "*") for v in (*"abc", "A")},
        **{v: (v, "B", "*") for v in (*"de", "B")},
        "*": ("*", "none", "*"),
    }
)
"""The same tree, with its own nodes among the values that may be published."""


@given(
    st.lists(
        st.tuples(
            st.sampled_from("xy"),
            st.sampled_from([*"abcde", *NODES]),
            st.none() | st.sampled_from([*"abcde", *NODES]),
        ),
        min_size=1,
        max_size=9,
    ),
    bounds,
    st.booleans(),
)
def test_personalized_privacy_of_generalized_values(
    people: list[tuple[str, str, str | None]], p: Fraction, subtree: bool
) -> None:
    rows: list[Row] = [{"q": q, "s": s, "g": g} for q, s, g in people]
    table = as_table(
        frame_of(rows, ["q", "s", "g"]),
        quasi="q",
        sensitive="s",
        guard="g",
        taxonomies={"s": ReadyMade(taxonomy_of(WITH_NODES))},
    )
    level = values.personalized_breach(rows, ["q"], "s", "g", ILL, subtree=subtree)
    assert level is not None
    model = PersonalizedPrivacy(p, sensitive="s", reading="subtree" if subtree else "leaf")
    (verdict,) = check(table, model).verdicts
    agree(verdict, level, holds=level <= p)


@given(
    small(owner=False, min_records=1, max_records=5, max_leaves=3, max_qid=1, missing=False),
    st.data(),
)
def test_skyline_privacy(table: RandomTable, data: st.DataObject) -> None:
    l, k, m = (data.draw(st.integers(0, 2)) for _ in range(3))  # noqa: E741
    c, value = data.draw(bounds), data.draw(st.sampled_from(table.trees["s0"].leaves))
    groups = models.groups(table.rows, table.qid).values()
    buckets = [[row["s0"] for row in group] for group in groups]
    level = skyline_confidence(buckets, value, l=l, k=k, m=m, implied=True)
    model = SkylinePrivacy([(l, k, m, c)], sensitive="s0", value=str(value))
    agree(verdict_of(table, model), level / c, holds=level < c)
