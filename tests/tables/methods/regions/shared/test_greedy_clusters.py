"""ClusterSearch: how clusters are numbered, and which of them are judged."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import table_of
from unlinkable.tables.data import as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Partition
from unlinkable.tables.methods.regions.shared.greedy_clusters import Clusters, ClusterSearch
from unlinkable.tables.methods.regions.shared.group_judging import Judge
from unlinkable.tables.methods.regions.shared.range_prices import PricedRecords
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.models import DistinctLDiversity, KAnonymity
from unlinkable.tables.models.base import All


def gathering_of(random: RandomTable, privacy: All) -> ClusterSearch:
    people = table_of(random)
    finest = count(people, privacy.needs()).finest
    prices = PricedRecords.of(finest, people.attributes, ILoss(), in_taxonomy=True)
    return ClusterSearch(finest, prices, Judge.of(finest, privacy), lambda share, words: None)


@given(st.lists(st.integers(0, 5), min_size=1), st.data())
def test_clusters_are_numbered_by_their_first_rows(labels: list[int], data: st.DataObject) -> None:
    order = np.array(data.draw(st.permutations(range(len(labels)))))
    clusters = Clusters.numbered(np.array(labels, np.int32), order)
    seen = [labels[row] for row in order]
    first = list(dict.fromkeys(seen))
    assert clusters.n == len(first)
    assert clusters.labels.tolist() == [first.index(label) for label in labels]


@given(tables(min_records=1), st.data(), st.integers(1, 4), st.booleans())
def test_marked_clusters_are_judged(
    random: RandomTable, data: st.DataObject, k: int, counted: bool
) -> None:
    models = [KAnonymity(k), DistinctLDiversity(2, sensitive="s0")]
    privacy = All(models if counted else models[:1])
    clustering = gathering_of(random, privacy)
    n_rows = len(clustering.finest)
    drawn = data.draw(st.lists(st.integers(0, 3), min_size=n_rows, max_size=n_rows))
    clusters = Clusters.numbered(np.array(drawn, np.int32), np.arange(n_rows))
    which = np.array(data.draw(st.lists(st.booleans(), min_size=clusters.n, max_size=clusters.n)))
    groups = Partition.tight(clustering.finest, clusters.labels, clusters.n).groups()
    if not privacy.judge(Partition.whole(clustering.finest).groups()).all():
        return  # the judge is for tables that keep the promise as a whole
    found = clustering.kept(clusters.labels, which)
    assert found.tolist() == privacy.judge(groups)[which].tolist()


def test_a_cluster_without_records_is_good() -> None:
    people = as_table({"a": [1, 1, 2, 2, 3]}, quasi="a")
    finest = count(people).finest
    finest.sizes[2], finest.weights[2] = 0, 0.0  # somebody of a population, not of the table
    prices = PricedRecords.of(finest, people.attributes, ILoss(), in_taxonomy=True)
    judge = Judge.of(finest, All([KAnonymity(2)]))
    clustering = ClusterSearch(finest, prices, judge, lambda share, words: None)
    assert clustering.kept(clustering.singles().labels, np.ones(3, bool)).all()
    assert clustering.merge(clustering.singles(), 10).n == 3


@given(tables(min_records=1, owner=False), st.integers(1, 5), st.integers(1, 6))
def test_blocks_are_stretches_that_keep_the_promise(
    random: RandomTable, k: int, length: int
) -> None:
    clustering = gathering_of(random, All([KAnonymity(k)]))
    if clustering.finest.n_records < k:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("unlinkable.tables.methods.regions.shared.greedy_clusters.BLOCK", length)
        blocks = clustering.blocks()
    stretches = blocks.labels[clustering.prices.order]
    assert (np.diff(stretches) >= 0).all()
    assert clustering.kept(blocks.labels, np.ones(blocks.n, bool)).all()
    rows = np.bincount(stretches)
    assert rows.size == blocks.n
    assert rows.max() - rows.min() <= 1
    wanted = -(-stretches.size // length)
    assert blocks.n in [wanted >> i for i in range(wanted.bit_length())]
    if k == 1:
        assert blocks.n == wanted


@given(tables(min_records=1, owner=False))
def test_what_is_set_aside_breaks_the_promise_and_nothing_else_does(random: RandomTable) -> None:
    privacy = All([KAnonymity(2)])
    clustering = gathering_of(random, privacy)
    if clustering.finest.n_records < 2:
        return
    whole = Clusters(np.zeros(len(clustering.finest), np.int32), 1)
    both = clustering.split(whole, set_aside=False)
    assert clustering.kept(both.labels, np.ones(both.n, bool)).all()
    aside = clustering.split(whole, set_aside=True)
    assert clustering.kept(aside.labels, np.ones(aside.n, bool)).any()
    assert aside.n >= both.n
