"""Cost floors: no table of a reach loses less, whether a split is made or given up."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from attrs import evolve
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.tables.groups.plain import finest_of, table_of
from tests.tables.methods.cuts.every_split import split_sets
from tests.tables.methods.lattice.example import thesis_table
from tests.tables.methods.lattice.setting import AtMost, Setting, settings
from unlinkable.kernels.taxonomy_cuts.split_sets import try_splits
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.cuts.shared.head_judging import HeadJudge, least_size
from unlinkable.tables.methods.cuts.shared.reach import Reach, Rows
from unlinkable.tables.methods.cuts.shared.reach_bounds import (
    CellFloor,
    ClassFloor,
    PlainFloor,
    SizeFloor,
    floor_for,
)
from unlinkable.tables.methods.cuts.shared.split_sets import Boundaries, SplitSets
from unlinkable.tables.methods.shared.suppression import RecordLosses, kept
from unlinkable.tables.metrics import (
    AverageClassSize,
    ClassificationMetric,
    Discernibility,
    ILoss,
    InformationGain,
    MinimalDistortion,
    NormalizedCertaintyPenalty,
)
from unlinkable.tables.metrics.base import GroupMetric, Shown
from unlinkable.tables.models import (
    AlphaKAnonymity,
    DistinctLDiversity,
    EntropyLDiversity,
    KAnonymity,
    TCloseness,
)
from unlinkable.tables.models.base import All, GroupModel
from unlinkable.typing import BoolArray

METRICS: Sequence[GroupMetric] = (
    Discernibility(),
    Discernibility("nothing"),
    AverageClassSize(k=2),
    ClassificationMetric("s0"),
    InformationGain("s0"),
    ILoss(),
    MinimalDistortion(),
    NormalizedCertaintyPenalty(),
)


def losses(
    finest: Groups, privacy: All, task: Task, splits: SplitSets, sets: Sequence[BoolArray]
) -> list[float]:
    """What each set of splits loses; infinity if it is no release."""
    found = []
    limit = min(task.may_suppress(finest.n_records), finest.n_records - 1)
    for chosen in sets:
        whole = splits.partition(finest, chosen)
        part = whole.suppress(~kept(whole.groups(), privacy))
        is_release = part.n_suppressed <= limit
        loss = task.metric.loss(Shown.of(part, task.attributes)) if is_release else np.inf
        found.append(loss)
    return found


@given(settings(kinds="kdtr", metric=METRICS), st.sampled_from(Boundaries), st.data())
def test_nothing_loses_less_than_the_floors(
    setting: Setting, boundaries: Boundaries, data: st.DataObject
) -> None:
    finest, privacy, task = finest_of(setting.random), setting.privacy, setting.task
    weights = data.draw(st.lists(st.floats(0.25, 8.0), min_size=len(finest), max_size=len(finest)))
    finest = evolve(finest, weights=np.array(weights))
    splits = SplitSets.of(task.attributes, boundaries)
    assume(len(splits) <= 7)
    every = split_sets(splits)
    head = data.draw(st.sampled_from(every))
    most = data.draw(st.sampled_from([s for s in every if not (head & ~s).any()]))
    judge = HeadJudge.of(finest, privacy, task)
    costs = floor_for(finest, judge, task, splits)
    reach = Reach(splits, head, most & ~head, Rows.of(finest, costs.target)).settled()
    groups = splits.partition(finest, head).groups()
    finding = judge.find(groups, RecordLosses(groups.sizes))
    inside = [s for s in every if not (head & ~s).any() and not (s & ~most).any()]
    lost = losses(finest, privacy, task, splits, inside)
    if finding.is_hopeless:
        assert min(lost) == np.inf
        return
    gone = finding.gone[reach.labels]
    rows = costs.rows(reach)
    floor = costs.floor(reach, gone, rows)
    assert floor <= min(lost) + 1e-9 * max(abs(floor), 1)
    tail = np.flatnonzero(reach.tail).astype(np.int32)
    without = costs.without(reach, gone, rows, tail)
    made, found = np.full(tail.size, floor), np.zeros((3, tail.size), np.int64)
    heads, sizes = (*reach.by_head, finding.gone), reach.rows.sizes
    try_splits(tail, splits.rules, reach.rows.codes, sizes, rows, heads, judge.least, made, found)
    for i, v in enumerate(tail):
        with_it = min(loss for s, loss in zip(inside, lost, strict=True) if s[v])
        if int(found[0, i]) + int(sizes[gone].sum()) > judge.limit:
            assert with_it == np.inf
        least = min(loss for s, loss in zip(inside, lost, strict=True) if not s[v])
        assert made[i] <= with_it + 1e-9 * max(abs(made[i]), 1)
        assert without[i] <= least + 1e-9 * max(abs(without[i]), 1)


@pytest.mark.parametrize(
    ("metric", "kind"),
    [
        (Discernibility(), SizeFloor),
        (Discernibility("alike"), PlainFloor),
        (AverageClassSize(k=2), PlainFloor),
        (ILoss(), CellFloor),
    ],
    ids=str,
)
def test_the_metric_says_what_is_known(metric: GroupMetric, kind: type) -> None:
    table = thesis_table()
    finest, task = count(table).finest, Task(table.attributes, metric)
    splits = SplitSets.of(table.attributes, Boundaries.TAXONOMY)
    judge = HeadJudge.of(finest, All([KAnonymity(2)]), task)
    assert type(floor_for(finest, judge, task, splits)) is kind


@given(settings(kinds="k", metric=[ClassificationMetric("s0")]))
def test_classes_are_counted_where_they_are_the_loss(setting: Setting) -> None:
    finest, task = finest_of(setting.random), setting.task
    splits = SplitSets.of(task.attributes, Boundaries.TAXONOMY)
    costs = floor_for(finest, HeadJudge.of(finest, setting.privacy, task), task, splits)
    assert isinstance(costs, ClassFloor)
    rows = Rows.of(finest, costs.target)
    assert rows.classes is not None
    assert rows.classes.sum(axis=1).tolist() == finest.sizes.tolist()
    together = rows.joined(splits, splits.none)
    assert together.classes is not None
    hidden = finest.histograms[("s0",)].total
    assert together.classes[0, : hidden.size].tolist() == hidden.tolist()
    assert table_of(setting.random).attributes[0].name == task.attributes[0].name


@pytest.mark.parametrize(
    ("models", "least"),
    [
        ([KAnonymity(5)], 5),
        ([KAnonymity(50)], 31),
        ([DistinctLDiversity(3, sensitive="s")], 3),
        ([EntropyLDiversity("5/2", sensitive="s")], 3),
        ([KAnonymity(2), DistinctLDiversity(4, sensitive="s")], 4),
        ([AlphaKAnonymity(alpha=0.5, k=6, sensitive="s")], 6),
        ([TCloseness(0.1, sensitive="s")], 1),
        ([AtMost(3)], 1),
    ],
    ids=str,
)
def test_the_least_size_that_a_promise_implies(models: list[GroupModel], least: int) -> None:
    assert least_size(models, 30) == least
