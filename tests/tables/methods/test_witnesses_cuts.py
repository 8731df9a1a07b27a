"""Searches over cuts, compared with a look at all cuts and with the steps of the literature."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.methods.witnessed import Asked, asked
from tests.witness import promises as literal
from tests.witness.classes import classification_metric
from tests.witness.cuts import Cut, all_cuts, best_releases, blocks_shown, intervals, publish
from tests.witness.losses import Shown, discernibility, iloss, minimal_distortion
from unlinkable.errors import InfeasibleError
from unlinkable.tables.methods.cuts.genetic import Genetic
from unlinkable.tables.methods.cuts.k_optimize import KOptimize
from unlinkable.tables.methods.cuts.l_plus_optimize import LPlusOptimize
from unlinkable.tables.metrics import ClassificationMetric, Discernibility, ILoss, MinimalDistortion
from unlinkable.tables.metrics.base import GroupMetric
from unlinkable.tables.models import (
    AlphaKAnonymity,
    ConfidenceBounding,
    DistinctLDiversity,
    KAnonymity,
)
from unlinkable.tables.models.base import GroupModel

Promised = tuple[GroupModel, literal.Promise]

k_anonymity: st.SearchStrategy[Promised] = st.integers(1, 4).map(
    lambda k: (KAnonymity(k), literal.k_anonymous(k))
)
promised: st.SearchStrategy[Promised] = st.one_of(
    k_anonymity,
    st.integers(2, 3).map(
        lambda n: (DistinctLDiversity(n, sensitive="s0"), literal.distinct_l_diverse(n, "s0"))
    ),
    st.sampled_from([Fraction(1, 2), Fraction(2, 3)]).map(
        lambda share: (
            AlphaKAnonymity(share, 2, sensitive="s0"),
            literal.alpha_k_anonymous(share, 2, "s0"),
        )
    ),
)


def ways_of(table: Asked, *, ordered: Sequence[str] = ()) -> dict[str, list[Cut]]:
    """List all cuts of every column; of the ordered ones all intervals."""
    return {
        a: intervals(table.domain(a)) if a in ordered else all_cuts(table.trees[a])
        for a in table.qid
    }


def loss_of(table: Asked, metric: GroupMetric | None, release: Sequence[Shown]) -> Fraction | int:
    """Measure a release by the witnesses; without a metric, by the class."""
    if metric is None or isinstance(metric, ClassificationMetric):
        return classification_metric(release, [row[table.targets[0]] for row in table.rows])
    if isinstance(metric, Discernibility):
        return discernibility(release)
    return iloss(release, {a: table.domain(a) for a in table.qid})


def assert_is_release_of_a_cut(
    table: Asked, release: Sequence[Shown], promise: literal.Promise, limit: int
) -> None:
    """Assert that some cut through every tree publishes this, and leaves out what it must."""
    assert sum(record is None for record in release) <= limit
    for a, ways in ways_of(table, ordered=table.numbers).items():
        shown = blocks_shown(release, a)
        assert any(shown <= way for way in ways), (a, shown)
    fitting = [
        record is None or all(row[a] in record[a] for a in table.qid)
        for row, record in zip(table.rows, release, strict=True)
    ]
    assert all(fitting)
    rows = [
        {**row, **record}
        for row, record in zip(table.rows, release, strict=True)
        if record is not None
    ]
    assert rows
    assert literal.hold([promise], rows, table.qid)


@pytest.mark.parametrize("metric", [None, ILoss(), Discernibility()], ids=str)
@given(table=asked(max_trees=2, missing=True), promise=promised, data=st.data())
def test_genetic_publishes_a_cut_that_is_no_better_than_the_best(
    metric: GroupMetric | None, table: Asked, promise: Promised, data: st.DataObject
) -> None:
    model, by_definition = promise
    limit = data.draw(st.integers(0, len(table.rows) // 2))
    method = Genetic(idle=10, population=8, guide="metric" if metric else "class")

    def measure(release: Sequence[Shown]) -> Fraction | int:
        return loss_of(table, metric, release)

    best, least = best_releases(table.rows, ways_of(table), [by_definition], measure, limit)
    if least is None:
        with pytest.raises(InfeasibleError):
            table.search(method, [model], limit=limit, metric=metric)
        return
    found = table.search(method, [model], limit=limit, metric=metric)
    release = table.release(found)
    assert_is_release_of_a_cut(table, release, by_definition, limit)
    top = {a: frozenset([frozenset(table.domain(a))]) for a in table.qid}
    nothing = publish(table.rows, top, [by_definition])
    assert measure(release) >= least
    if None not in nothing:
        assert measure(release) <= measure(nothing)
    assert best


@pytest.mark.parametrize("metric", [ILoss(), Discernibility(), ClassificationMetric()], ids=str)
@given(table=asked(max_trees=2, missing=True), promise=promised, data=st.data())
def test_k_optimize_finds_the_best_cut_of_all(
    metric: GroupMetric, table: Asked, promise: Promised, data: st.DataObject
) -> None:
    model, by_definition = promise
    limit = data.draw(st.integers(0, len(table.rows) // 2))

    def measure(release: Sequence[Shown]) -> Fraction | int:
        return loss_of(table, metric, release)

    _, least = best_releases(table.rows, ways_of(table), [by_definition], measure, limit)
    if least is None:
        with pytest.raises(InfeasibleError):
            table.search(KOptimize(), [model], limit=limit, metric=metric)
        return
    found = table.search(KOptimize(), [model], limit=limit, metric=metric)
    release = table.release(found)
    assert_is_release_of_a_cut(table, release, by_definition, limit)
    assert found.optimal
    assert measure(release) == least


@given(asked(max_trees=2), k_anonymity, st.data())
def test_k_optimize_finds_the_best_intervals_of_all(
    table: Asked, promise: Promised, data: st.DataObject
) -> None:
    model, by_definition = promise
    limit = data.draw(st.integers(0, len(table.rows) // 2))
    ways = ways_of(table, ordered=table.qid)
    method = KOptimize(boundaries="values")
    _, least = best_releases(table.rows, ways, [by_definition], discernibility, limit)
    if least is None:
        with pytest.raises(InfeasibleError):
            table.search(method, [model], limit=limit, metric=Discernibility())
        return
    found = table.search(method, [model], limit=limit, metric=Discernibility())
    assert found.optimal
    assert discernibility(table.release(found)) == least


def losses_of(table: Asked, metric: GroupMetric, release: Sequence[Shown]) -> Fraction | int:
    """Measure a release by the metrics that l+-Optimize is published for, among others."""
    if isinstance(metric, MinimalDistortion):
        return minimal_distortion(release, table.trees)
    return loss_of(table, metric, release)


METRICS = [ILoss(), Discernibility(), MinimalDistortion(), ClassificationMetric()]


@pytest.mark.parametrize("metric", METRICS, ids=str)
@given(table=asked(max_trees=2, missing=True), data=st.data())
def test_l_plus_optimize_finds_the_best_cut_of_all(
    metric: GroupMetric, table: Asked, data: st.DataObject
) -> None:
    value = data.draw(st.sampled_from([leaf for leaf in table.domain("s0") if leaf is not None]))
    h = data.draw(st.sampled_from([Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(2, 3)]))
    known = tuple(data.draw(st.permutations(table.qid)))[: data.draw(st.integers(1, 2))]
    template = ConfidenceBounding([f"{', '.join(known)} -> s0 = {value} <= {h}"])
    by_definition = literal.confident_at_most(h, "s0", value, qid=known)

    def measure(release: Sequence[Shown]) -> Fraction | int:
        return losses_of(table, metric, release)

    _, least = best_releases(table.rows, ways_of(table), [by_definition], measure)
    if least is None:
        with pytest.raises(InfeasibleError):
            table.search(LPlusOptimize(), [template], metric=metric)
        return
    found = table.search(LPlusOptimize(), [template], metric=metric)
    release = table.release(found)
    assert_is_release_of_a_cut(table, release, by_definition, 0)
    assert found.optimal
    assert measure(release) == least
