"""How far a table is from its promise, on random ways up."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import finest_of, table_of
from tests.tables.methods.lattice.setting import Setting, settings
from tests.witness.tree import Tree
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.cuts.shared.headway import Anonymity, Broken, headway_for
from unlinkable.tables.methods.cuts.shared.tea import TeaIndex
from unlinkable.tables.methods.shared.suppression import kept
from unlinkable.tables.models import DistinctLDiversity, EntropyLDiversity, KAnonymity
from unlinkable.tables.models.base import All, GroupModel
from unlinkable.typing import BoolArray


@given(tables(min_records=1, max_records=16, max_qid=3, owner=False), st.integers(1, 5), st.data())
def test_anonymity_is_the_size_of_the_smallest_group(
    random: RandomTable, k: int, data: st.DataObject
) -> None:
    index = TeaIndex(finest_of(random), table_of(random).attributes)
    headway = headway_for(index, All([KAnonymity(k)]), 0)
    assert isinstance(headway, Anonymity)
    while True:
        least = int(index.partition().sizes.min())
        assert headway.least == least
        assert headway.is_there == (least >= k)
        assert headway.keep.all()
        is_open = np.flatnonzero(index.is_open).tolist()
        gains = {v: headway.gain(index.look(v)) for v in is_open}
        for node, gain in gains.items():
            after = index.partition_after(index.look(node))
            assert gain == int(after.sizes.min()) - least
        critical = {node for node, gain in gains.items() if gain > 0}
        assert critical <= set(headway.candidates.tolist()) <= set(is_open)
        assert headway.candidates.size <= len(random.qid)
        if not is_open:
            break
        step = index.look(data.draw(st.sampled_from(is_open)))
        headway.follow(step)
        index.apply(step)


def judged(groups: Groups, setting: Setting) -> BoolArray:
    return kept(groups, setting.privacy) if setting.limit else setting.privacy.good(groups)


@given(settings(kinds="kdert"), st.data())
def test_broken_counts_the_records_that_cannot_be_published(
    setting: Setting, data: st.DataObject
) -> None:
    index = TeaIndex(finest_of(setting.random), setting.task.attributes)
    headway = Broken(index, setting.privacy, setting.limit)
    while True:
        partition = index.partition()
        keep = judged(partition.groups(), setting)
        assert headway.keep.tolist() == keep.tolist()
        n_broken = int(partition.sizes[~keep].sum())
        assert headway.n_broken == n_broken
        assert headway.is_there == (n_broken <= setting.limit)
        is_open = np.flatnonzero(index.is_open).tolist()
        candidates = set(headway.candidates.tolist())
        for node in is_open:
            after = index.partition_after(index.look(node))
            gain = n_broken - int(after.sizes[~judged(after.groups(), setting)].sum())
            assert headway.gain(index.look(node)) == gain
            assert gain <= 0 or node in candidates
        if not is_open:
            break
        step = index.look(data.draw(st.sampled_from(is_open)))
        headway.follow(step)
        index.apply(step)


@pytest.mark.parametrize(
    ("models", "limit", "kind"),
    [
        ([KAnonymity(2)], 0, Anonymity),
        ([KAnonymity(2)], 1, Broken),
        ([KAnonymity(2, qid="q0")], 0, Broken),
        ([DistinctLDiversity(2, sensitive="s0")], 0, Broken),
        ([KAnonymity(2), EntropyLDiversity(Fraction(2), sensitive="s0")], 0, Broken),
    ],
    ids=["k", "k, leaving out", "k on some columns", "diversity", "both"],
)
def test_sizes_say_all_of_a_promise_about_all_columns_if_nobody_is_left_out(
    models: list[GroupModel], limit: int, kind: type
) -> None:
    rows: list[dict[str, Hashable]] = [{"q0": v, "s0": v} for v in "aab"]
    tree = Tree({"a": ("a", "*"), "b": ("b", "*")})
    random = RandomTable(rows, ("q0",), ("s0",), {"q0": tree, "s0": tree}, None)
    index = TeaIndex(finest_of(random), table_of(random).attributes)
    assert type(headway_for(index, All(models), limit)) is kind
