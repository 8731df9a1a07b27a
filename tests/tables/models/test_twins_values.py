"""Adversaries who know some values, of some columns or people: library against definitions."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable
from tests.tables.groups.plain import taxonomy_of
from tests.tables.models.twins import agree, bounds, frame_of, same, small, verdict_of
from tests.witness import models, values
from tests.witness.models import Row
from tests.witness.skyline import skyline_confidence
from tests.witness.tree import Tree
from unlinkable import as_table, check
from unlinkable.tables.models import FFAnonymity, LKCPrivacy, PersonalizedPrivacy, SkylinePrivacy
from unlinkable.tables.taxonomies.builders.ready_made import ReadyMade

alone = small(owner=False)
few = small(owner=False, max_records=8, max_leaves=3, max_qid=2)


@given(alone, st.integers(1, 4), st.integers(1, 3), bounds, st.data())
def test_lkc_privacy(
    table: RandomTable,
    l: int,  # noqa: E741
    k: int,
    c: Fraction,
    data: st.DataObject,
) -> None:
    leaves = [str(v) for v in table.trees["s0"].leaves if v is not None]
    chosen = data.draw(st.none() | st.lists(st.sampled_from(leaves), min_size=1, unique=True))
    verdict = verdict_of(table, LKCPrivacy(l, k, c, sensitive="s0", values=chosen))
    rows, qid = table.rows, table.qid
    assert verdict.holds is values.is_lkc_private(rows, qid, "s0", L=l, K=k, C=c, values=chosen)
    if rows:
        assert same(verdict.reached["k"], values.lkc_size(rows, qid, l))
        assert same(verdict.reached["c"], values.lkc_confidence(rows, qid, l, "s0", chosen))


@given(small(owner=False, max_records=8, max_leaves=3, max_sensitive=2), bounds, st.data())
def test_ff_anonymity(table: RandomTable, h: Fraction, data: st.DataObject) -> None:
    columns = [*table.qid, *table.sensitive]
    cells = [(c, v) for c in columns for v in table.trees[c].leaves if v is not None]
    chosen = data.draw(st.lists(st.sampled_from(cells), min_size=1, max_size=4, unique=True))
    model = FFAnonymity(h, sensitive=[f"{c}={v}" for c, v in chosen])
    level = values.ff_confidence(table.rows, columns, chosen)
    agree(verdict_of(table, model), level, holds=level is None or level <= h)


@given(few, bounds, st.sampled_from(["leaf", "subtree"]), st.data())
def test_personalized_privacy(
    table: RandomTable, p: Fraction, reading: str, data: st.DataObject
) -> None:
    tree = table.trees["s0"]
    nodes = [v for v in dict.fromkeys(chain(*tree.paths.values())) if v is not None]
    guard = st.lists(
        st.none() | st.sampled_from(nodes), min_size=len(table.rows), max_size=len(table.rows)
    )
    rows = [{**row, "g": g} for row, g in zip(table.rows, data.draw(guard), strict=True)]
    frame = pl.DataFrame(
        {c: pl.Series([r[c] for r in rows], dtype=pl.String) for c in (*table.qid, "s0", "g")}
    )
    given_ = {name: ReadyMade(taxonomy_of(table.trees[name])) for name in (*table.qid, "s0")}
    published = as_table(frame, quasi=table.qid, sensitive="s0", guard="g", taxonomies=given_)
    (verdict,) = check(published, PersonalizedPrivacy(p, sensitive="s0", reading=reading)).verdicts
    level = values.personalized_breach(
        rows, table.qid, "s0", "g", tree, subtree=reading == "subtree"
    )
    agree(verdict, level, holds=level is None or level <= p)


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
