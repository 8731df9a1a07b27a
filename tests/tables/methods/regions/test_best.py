"""Best: what it must keep, what it must beat, how it ends, what it refuses."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from tests.adult import needs_adult
from tests.strategies import RandomTable, tables
from tests.tables.methods.regions.setting import Promised, Setting, promised, regions_of
from unlinkable.errors import InfeasibleError, ParameterError, UnsupportedError
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Partition
from unlinkable.tables.methods.base.search import Search, Solution, Task
from unlinkable.tables.methods.regions.best import Best, queues
from unlinkable.tables.methods.regions.mondrian import Mondrian
from unlinkable.tables.methods.regions.shared.options import Labels, Split
from unlinkable.tables.metrics import Discernibility, ILoss, NormalizedCertaintyPenalty
from unlinkable.tables.metrics.base import CellMetric, GroupMetric, Shown
from unlinkable.tables.models import DistinctLDiversity, KAnonymity, LKCPrivacy
from unlinkable.tables.models.base import All

LABELS = list(Labels)
METRICS: list[GroupMetric] = [NormalizedCertaintyPenalty(), ILoss(), Discernibility()]


@given(
    tables(min_records=1, max_records=16),
    st.sampled_from(LABELS),
    st.sampled_from(METRICS),
    st.data(),
)
def test_the_promise_is_kept_and_mondrian_is_not_better(
    random: RandomTable, labels: Labels, metric: GroupMetric, data: st.DataObject
) -> None:
    promise: Promised = data.draw(promised(random.owner))
    setting = Setting.of(random)
    privacy, task = All(promise.models), Task(setting.attributes, metric)
    assume(privacy.holds(Partition.whole(setting.finest).groups()))
    found = Best(labels).search(setting.finest, privacy, task).partition
    keeps = setting.keeps(promise)
    assert all(keeps(rows) for rows in regions_of(found))
    assert (found.labels >= 0).all()
    rival = Mondrian(split=Split.BEST, labels=labels, along="order")
    by_cells = metric if isinstance(metric, CellMetric) else METRICS[0]
    cut = rival.search(setting.finest, privacy, Task(setting.attributes, by_cells)).partition
    loss, other = (metric.loss(Shown.of(p, setting.attributes)) for p in (found, cut))
    assert loss <= other + 1e-9


def search(people: Table, method: Search, *models: object, seed: int = 0) -> Solution:
    privacy = All(models)  # type: ignore[arg-type]
    task = Task(people.attributes, ILoss(), rng=np.random.default_rng(seed))
    return method.search(count(people, privacy.needs()).finest, privacy, task)


PEOPLE = as_table(
    {
        "age": [20, 21, 22, 40, 41, 42, 60, 61, 62, 63],
        "sex": list("fmfmfmfmfm"),
        "illness": list("abababcdcd"),
    },
    quasi=["age", "sex"],
    sensitive="illness",
)


def test_the_same_seed_gives_the_same_groups_with_the_same_effort() -> None:
    first, second = (search(PEOPLE, Best(), KAnonymity(3), seed=5) for _ in range(2))
    assert first.partition.labels.tolist() == second.partition.labels.tolist()
    assert first.effort == second.effort
    assert first.is_complete


@pytest.mark.parametrize("labels", LABELS, ids=lambda value: value.value)
def test_a_search_that_is_stopped_has_a_release(labels: Labels) -> None:
    task = Task(PEOPLE.attributes, ILoss(), is_stopped=lambda: True)
    found = Best(labels).search(count(PEOPLE).finest, All([KAnonymity(3)]), task)
    assert not found.is_complete
    assert found.partition.sizes.min() >= 3


def test_a_search_ends_when_its_time_is_up() -> None:
    found = search(PEOPLE, Best(time=0.01), KAnonymity(3))
    assert found.partition.sizes.min() >= 3


def test_promises_that_overlapping_groups_may_break_are_left_to_others() -> None:
    model = LKCPrivacy(l=1, k=2, c=1, sensitive="illness")
    found = search(PEOPLE, Best(), model)
    assert All([model]).holds(found.partition.groups())
    assert "swept" not in found.effort


def test_records_without_company_join_the_dearest_groups() -> None:
    """Somebody alone with his illness can only be diverse with others."""
    found = search(PEOPLE, Best(), DistinctLDiversity(2, sensitive="illness"))
    assert (found.partition.labels >= 0).all()


def test_one_column_and_one_value() -> None:
    for columns in ({"a": [1, 2, 3]}, {"a": [1, 1, 1]}):
        found = search(as_table(columns, quasi="a"), Best(), KAnonymity(3))
        assert found.partition.n_parts == 1


def test_more_records_than_there_are_cannot_be_asked_for() -> None:
    with pytest.raises(InfeasibleError, match="11"):
        search(PEOPLE, Best(), KAnonymity(11))


def test_nothing_can_be_published_of_nobody() -> None:
    with pytest.raises(InfeasibleError, match="no records"):
        search(as_table({"a": []}, quasi="a"), Best(), KAnonymity(2))


def test_time_must_be_positive() -> None:
    with pytest.raises(ParameterError, match="time must be"):
        Best(time=0)


def test_a_written_form_can_be_read() -> None:
    assert str(Best("taxonomy", 2.0)) == 'best(labels="taxonomy", time=2.0)'


ARX = {5: 0.0358, 10: 0.0521, 100: 0.1399}
FIGURES = [(5, 0.0301), (10, 0.0454), (100, 0.1322)]


@needs_adult
@pytest.mark.parametrize(("k", "penalty"), FIGURES, ids=str)
def test_certainty_penalty_on_adult(adult: Table, k: int, penalty: float) -> None:
    metric = NormalizedCertaintyPenalty()
    task = Task(adult.attributes, metric, rng=np.random.default_rng(0))
    found = Best("taxonomy").search(count(adult).finest, All([KAnonymity(k)]), task)
    assert found.partition.sizes.min() >= k
    loss = metric.value(Shown.of(found.partition, adult.attributes))
    assert round(loss, 4) == penalty < ARX[k]


@needs_adult
def test_the_same_seed_gives_the_same_release_however_many_threads_there_are(adult: Table) -> None:
    """Of so many records, the last digit of a product of vectors depends on them."""
    metric, finest, found = NormalizedCertaintyPenalty(), count(adult).finest, []
    for n in (1, 2, 3):
        with threadpool_limits(n):
            task = Task(adult.attributes, metric, rng=np.random.default_rng(0))
            found.append(Best("taxonomy").search(finest, All([KAnonymity(10)]), task).partition)
    assert all(np.array_equal(found[0].labels, other.labels) for other in found[1:])


def test_a_promise_that_nobody_can_keep_is_refused() -> None:
    class Never(KAnonymity):
        unsearchable = "it is a test"

    with pytest.raises(UnsupportedError, match="it is a test"):
        search(PEOPLE, Best(), Never(2))


@given(tables(owner=False))
def test_every_queue_is_sorted_by_what_it_says(random: RandomTable) -> None:
    setting = Setting.of(random)
    attributes, keys = setting.attributes, setting.finest.keys.tolist()
    d = len(attributes)
    columns = sorted(range(d), key=lambda j: -attributes[j].taxonomy.n)
    most = max(len(a.taxonomy.levels) for a in attributes)
    found = [order.tolist() for order in queues(setting.finest, attributes)]
    assert len(found) == 2 * d
    for first in range(d):
        turned = columns[first:] + columns[:first]

        def by_levels(row: int, turned: list[int] = turned) -> list[int]:
            return [
                int(attributes[j].taxonomy.levels[level].blocks[keys[row][j]])
                for level in range(most - 1, -1, -1)
                for j in turned
                if level < len(attributes[j].taxonomy.levels)
            ]

        def by_values(row: int, turned: list[int] = turned) -> list[int]:
            return [keys[row][j] for j in turned]

        rows = range(len(keys))
        assert found[2 * first] == sorted(rows, key=by_values)
        assert found[2 * first + 1] == sorted(rows, key=by_levels)
