"""Fitness: releases by what they lose, and everything else behind them."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import finest_of, table_of
from tests.tables.methods.cuts.plain_cuts import all_cuts, published
from tests.tables.methods.cuts.shared.test_genome import as_cut, ranges
from tests.tables.methods.lattice.example import table_with
from tests.tables.methods.lattice.setting import Setting, settings
from tests.witness.tree import Tree
from unlinkable.kernels.taxonomy_cuts.chromosomes import close
from unlinkable.tables.data import as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.cuts.shared import fitness as module
from unlinkable.tables.methods.cuts.shared.fitness import (
    Bases,
    CellMeter,
    ClassMeter,
    Fitness,
    MetricMeter,
    SizeMeter,
    meter_for,
)
from unlinkable.tables.methods.cuts.shared.genome import Genome, Rows
from unlinkable.tables.methods.shared.suppression import kept
from unlinkable.tables.metrics import (
    AverageClassSize,
    Discernibility,
    ILoss,
    MinimalDistortion,
    NormalizedCertaintyPenalty,
)
from unlinkable.tables.metrics.base import GroupMetric, Shown
from unlinkable.tables.metrics.classification_metric import ClassificationMetric
from unlinkable.tables.metrics.information_gain import InformationGain
from unlinkable.tables.taxonomies.builders import Tree as TreeBuilder


@given(settings(), st.data())
def test_ranks_what_the_promise_and_the_metric_say(setting: Setting, data: st.DataObject) -> None:
    finest, task = finest_of(setting.random), setting.task
    genome = Genome.of(finest, task.attributes, free_numbers=False)
    fitness = Fitness(finest, genome, setting.privacy, task, task.metric)
    limit = min(setting.limit, finest.n_records - 1)
    for _ in range(4):
        n = genome.size
        bits = np.array(data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)), np.uint8)
        close(bits, genome.parent)
        partition = published(finest, [ranges(cut) for cut in genome.cuts(bits)])
        groups, privacy = partition.groups(), setting.privacy
        release = partition.suppress(~(kept(groups, privacy) if limit else privacy.good(groups)))
        rank = fitness.rank(bits)
        assert fitness.recall(bits) == rank
        assert rank.n_too_many == max(release.n_suppressed - limit, 0)
        if rank.n_too_many:
            assert rank.loss == partition.n_parts
        else:
            loss = task.metric.loss(Shown.of(release, task.attributes))
            assert rank.loss == pytest.approx(loss, abs=1e-9)
        found = fitness.partition(bits)
        assert found.labels.tolist() == release.labels.tolist()
        assert found.lo.tolist() == release.lo.tolist()
    assert fitness.n_ranked == 4
    assert fitness.n_rows == 4 * len(finest)


@given(settings(kinds="k"))
def test_memory_is_bounded(setting: Setting) -> None:
    finest, task = finest_of(setting.random), setting.task
    genome = Genome.of(finest, task.attributes, free_numbers=False)
    fitness = Fitness(finest, genome, setting.privacy, task, task.metric)
    top, bottom = genome.top(), np.ones(genome.size, np.uint8)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(module, "_ROOM", 1)
        fitness.rank(top)
        fitness.rank(bottom)
    assert fitness.recall(bottom) is not None
    assert (fitness.recall(top) is None) == bool(genome.size)


LETTERS = TreeBuilder({f"{a}*": [f"{a}{b}" for b in "0123"] for a in "abcd"})


@pytest.fixture
def genome() -> tuple[Groups, Genome]:
    rng = np.random.default_rng(0)
    values = np.array([f"{a}{b}" for a in "abcd" for b in "0123"])
    frame = pl.DataFrame({n: rng.choice(values, 3000) for n in "xy"} | {"s": ["u", "v"] * 1500})
    taxonomies = {"x": LETTERS, "y": LETTERS}
    table = as_table(frame, quasi=["x", "y"], sensitive="s", taxonomies=taxonomies)
    finest = count(table, [("s",)]).finest
    return finest, Genome.of(finest, table.attributes, free_numbers=False)


def test_rows_are_added_up_for_chromosomes_within_bounds_on_all_columns_but_one(
    genome: tuple[Groups, Genome],
) -> None:
    finest, genes = genome
    bases = Bases(finest, genes, frozenset({("s",)}))
    # The roots of both columns, and the four nodes under each.
    split = np.array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0], np.uint8)
    finer = np.array([1, 1, 0, 1, 0, 1, 0, 0, 0, 0], np.uint8)
    finer_on_both = np.array([1, 1, 0, 0, 0, 1, 0, 0, 0, 1], np.uint8)
    bases.bound(split)
    for bits, n_rows in ((split, 16), (finer, 64), (finer_on_both, len(finest))):
        first = bases.rows(bits)
        assert first is bases.finest
        for _ in range(module._OFTEN - 1):
            rows = bases.rows(bits)
        assert len(rows) == n_rows
        cuts = genes.cuts(bits)
        expected, found = bases.finest.group(cuts), rows.group(cuts)
        assert found.sizes.tolist() == expected.sizes.tolist()
        counts = [
            r.groups(g, cuts, frozenset({("s",)})).histograms["s",].counts.tolist()
            for r, g in ((bases.finest, expected), (rows, found))
        ]
        assert counts[0] == counts[1]


def test_new_bounds_start_anew_and_equal_ones_do_not(genome: tuple[Groups, Genome]) -> None:
    finest, genes = genome
    bases = Bases(finest, genes, frozenset())
    split = np.array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0], np.uint8)
    bases.bound(split)
    for _ in range(module._OFTEN):
        rows = bases.rows(split)
    assert len(rows) == 16
    bases.bound(split.copy())
    assert bases.rows(split) is rows
    bases.bound(np.ones(10, np.uint8))
    assert bases.rows(split) is bases.finest


def test_rows_that_hardly_get_fewer_are_left_as_they_are(genome: tuple[Groups, Genome]) -> None:
    finest, genes = genome
    bases = Bases(finest, genes, frozenset())
    nearly_all = np.array([1, 1, 1, 1, 1, 1, 1, 1, 1, 0], np.uint8)
    bases.bound(nearly_all)
    for _ in range(module._OFTEN + 1):
        assert bases.rows(nearly_all) is bases.finest


KINDS: list[tuple[GroupMetric, type]] = [
    (ILoss(), CellMeter),
    (NormalizedCertaintyPenalty(), CellMeter),
    (MinimalDistortion(), CellMeter),
    (Discernibility(), SizeMeter),
    (AverageClassSize(2), SizeMeter),
    (ClassificationMetric("s0"), ClassMeter),
    (InformationGain("s0"), MetricMeter),
]


@given(
    tables(min_records=1, max_records=16, max_qid=3),
    st.sampled_from(KINDS),
    st.sampled_from([64, 1]),
    st.data(),
)
def test_a_meter_measures_what_its_metric_measures(
    random: RandomTable, chosen: tuple[GroupMetric, type], few: int, data: st.DataObject
) -> None:
    metric, kind = chosen
    finest, attributes = finest_of(random), table_of(random).attributes
    meter = meter_for(finest, attributes, metric)
    assert type(meter) is kind
    rows = Rows(finest, [a.taxonomy.n for a in attributes])
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(module, "_FEW", few)
        for _ in range(3):
            cuts = [as_cut(data.draw(st.sampled_from(all_cuts(a.taxonomy)))) for a in attributes]
            grouped = rows.group(cuts)
            n = len(grouped)
            keep = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)), bool)
            n_lost = int(grouped.sizes[~keep].sum())
            loss = meter.loss(rows, cuts, grouped, keep, n_lost)
            expected = metric.loss(Shown.of(rows.partition(grouped, cuts, keep), attributes))
            assert loss == pytest.approx(expected, abs=1e-9)


def test_weights_and_importance_count() -> None:
    tree = Tree({v: (v, "*") for v in "ab"})
    records = [{"x": a, "y": b, "w": w} for a, b, w in [("a", "a", 5.0), ("b", "b", 1.0)]]
    table = table_with(records, {"x": tree, "y": tree}, weight="w", importance={"y": 3.0})
    finest = count(table).finest
    meter = meter_for(finest, table.attributes, ILoss())
    rows = Rows(finest, [2, 2])
    cuts = [as_cut(((0, 2),)), as_cut(((0, 1), (1, 2)))]
    grouped = rows.group(cuts)
    keep = np.array([True, False])
    # x loses 1/2 in all records, at a quarter; the record of weight 1 loses 1 on both.
    assert meter.loss(rows, cuts, grouped, keep, 1) == pytest.approx((5 / 8 + 1) / 6)
