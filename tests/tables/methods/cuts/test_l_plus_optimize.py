"""l+-Optimize: no cut that keeps the promise loses less."""

from __future__ import annotations

from itertools import count as endless

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.tables.groups.plain import finest_of
from tests.tables.methods.cuts.every_split import (
    cuts_of,
    least_loss,
    least_of_all,
    n_ways,
    worst_fault,
)
from tests.tables.methods.lattice.example import run, table_with, thesis_table
from tests.tables.methods.lattice.setting import AtMost, Setting, settings
from tests.witness.tree import Tree
from unlinkable.errors import InfeasibleError, ParameterError, UnsupportedError
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.engines import count
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.cuts.k_optimize import KOptimize
from unlinkable.tables.methods.cuts.l_plus_optimize import LPlusOptimize
from unlinkable.tables.methods.cuts.shared.split_sets import Boundaries, SplitSets
from unlinkable.tables.metrics import (
    AverageClassSize,
    ClassificationMetric,
    Discernibility,
    InformationGain,
    MinimalDistortion,
)
from unlinkable.tables.metrics.base import Shown
from unlinkable.tables.models import ConfidenceBounding, KAnonymity
from unlinkable.tables.models.base import All
from unlinkable.tables.publishing import anonymize
from unlinkable.tables.taxonomies.builders import Tree as Taxonomy


@given(settings(kinds="kdert", suppression=False))
def test_equals_exhaustive_search_of_all_cuts(setting: Setting) -> None:
    ways = {a: cuts_of(setting.random.trees[a]) for a in setting.random.qid}
    assume(n_ways(ways) <= 250)
    least = least_loss(setting, ways)
    if least is None:
        with pytest.raises(InfeasibleError):
            setting.search(LPlusOptimize())
        return
    found = setting.search(LPlusOptimize())
    assert found.optimal
    assert found.is_complete
    assert worst_fault(setting, found) is None
    shown = Shown.of(found.partition, setting.task.attributes)
    assert setting.metric.value(shown) == pytest.approx(least, rel=1e-12)


@given(
    settings(
        kinds="k",
        suppression=False,
        metric=[ClassificationMetric("s0"), MinimalDistortion(), InformationGain("s0")],
    ),
    st.lists(st.integers(1, 9), min_size=1, max_size=2),
    st.data(),
)
def test_equals_all_cuts_measured_one_by_one_for_confidence_bounding(
    setting: Setting, tenths: list[int], data: st.DataObject
) -> None:
    random = setting.random
    values = [v for v in random.trees["s0"].leaves if v is not None]
    known = [*random.qid, ", ".join(random.qid), ""]
    templates = [
        f"{data.draw(st.sampled_from(known))} -> s0 = {data.draw(st.sampled_from(values))} <= 0.{h}"
        for h in tenths
    ]
    privacy = All([*setting.privacy.models, *map(ConfidenceBounding, templates)])
    finest, task = finest_of(random), setting.task
    splits = SplitSets.of(task.attributes, Boundaries.TAXONOMY)
    assume(len(splits) <= 7)
    least = least_of_all(finest, privacy, task, splits)
    if least is None:
        with pytest.raises(InfeasibleError):
            LPlusOptimize().search(finest, privacy, task)
        return
    found = LPlusOptimize().search(finest, privacy, task)
    assert found.optimal
    assert privacy.holds(found.partition.groups())
    assert found.partition.n_suppressed == 0
    loss = task.metric.loss(Shown.of(found.partition, task.attributes))
    assert loss == pytest.approx(least, rel=1e-11)


@given(settings(kinds="kdr"), st.integers(1, 3))
def test_has_a_release_whenever_it_is_stopped_and_leaves_nobody_out(
    setting: Setting, steps: int
) -> None:
    try:
        found = setting.search(LPlusOptimize(steps=steps))
    except InfeasibleError:
        return
    assert worst_fault(setting, found) is None
    assert found.partition.n_suppressed == 0
    assert found.effort["looked_at"] <= steps
    assert found.optimal == found.is_complete


def test_ends_with_what_it_has_when_it_is_asked_to() -> None:
    asked = endless()
    table = thesis_table()
    everything = run(LPlusOptimize(), table, [KAnonymity(2)])
    assert everything.optimal
    privacy = All([KAnonymity(2)])
    task = Task(table.attributes, Discernibility(), is_stopped=lambda: next(asked) > 2)
    found = LPlusOptimize().search(count(table).finest, privacy, task)
    assert not found.optimal
    assert not found.is_complete
    assert privacy.holds(found.partition.groups())


def jobs() -> Table:
    taxonomy = Taxonomy({"Professional": ["Engineer", "Lawyer"], "Artist": ["Dancer", "Writer"]})
    return as_table(
        {
            "job": ["Engineer", "Engineer", "Lawyer", "Dancer", "Writer", "Writer"],
            "sex": ["m", "f", "m", "f", "f", "m"],
            "ill": ["flu", "HIV", "flu", "HIV", "flu", "flu"],
        },
        quasi=["job", "sex"],
        sensitive="ill",
        taxonomies={"job": taxonomy},
    )


def test_templates_on_some_columns_leave_the_others_alone() -> None:
    promise = ConfidenceBounding("job -> ill = HIV <= 1/2")
    release = anonymize(
        jobs(), privacy=promise, method=LPlusOptimize(), metric="minimal-distortion"
    )
    assert release.holds
    assert release.solution.optimal
    frame = release.applied.frame
    assert frame["sex"].to_list() == ["m", "f", "m", "f", "f", "m"]
    assert set(frame["job"]) == {"Engineer", "Lawyer", "Artist"}


def test_effort_is_golden() -> None:
    below = {"x": {"a": {}, "b": {}}, "y": {"c": {}, "z": {"d": {}, "e": {}, "f": {}}}}
    tree, six = Tree.nested({"*": below}), "abcdef"
    rows = [
        {"p": six[i % 6], "q": six[i * i % 6], "r": six[i * 7 // 5 % 6], "s": str(i % 4)}
        for i in range(90)
    ]
    table = table_with(rows, dict.fromkeys("pqr", tree), sensitive=["s"])
    promises = [ConfidenceBounding("-> s = 1 <= 0.4"), ConfidenceBounding("p, q -> s = 2 <= 0.5")]
    found = run(LPlusOptimize(), table, promises, metric=MinimalDistortion())
    same = run(KOptimize(), table, promises, metric=MinimalDistortion())
    losses = [
        MinimalDistortion().value(Shown.of(s.partition, table.attributes)) for s in (found, same)
    ]
    assert losses == [435, 435]
    names = ("nodes", "looked_at", "bounded", "hopeless", "dropped", "made", "measured")
    assert found.effort == dict(zip(names, (12, 21, 0, 11, 0, 11, 27), strict=True))


def test_refuses_a_promise_that_merging_breaks() -> None:
    with pytest.raises(UnsupportedError, match=r"l-plus-optimize needs a promise that survives"):
        run(LPlusOptimize(), thesis_table(), [AtMost(3)])


def test_refuses_a_metric_that_says_nothing_of_coarser_tables() -> None:
    with pytest.raises(UnsupportedError, match=r"average-class-size.* may fall as a table gets"):
        run(LPlusOptimize(), thesis_table(), [KAnonymity(2)], metric=AverageClassSize(k=2))
    with pytest.raises(UnsupportedError, match=r"discernibility.* may fall as a table gets"):
        run(LPlusOptimize(), thesis_table(), [KAnonymity(2)], metric=Discernibility("nothing"))


def test_says_that_the_whole_table_breaks_the_promise() -> None:
    with pytest.raises(InfeasibleError, match="no release that leaves out at most 0 of 6 records"):
        anonymize(
            jobs(),
            privacy=ConfidenceBounding("-> ill = HIV <= 0.1"),
            method=LPlusOptimize(),
            suppression=0.5,
        )


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"steps": 0}, "steps must be at least 1, got 0"),
        ({"time": 0}, "time must be a number of seconds above 0"),
    ],
)
def test_refuses_parameters_that_mean_nothing(parameters: dict[str, int], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        LPlusOptimize(**parameters)


def test_is_written_in_one_way() -> None:
    assert str(LPlusOptimize()) == "l-plus-optimize"
    assert str(LPlusOptimize(steps=5)) == "l-plus-optimize(steps=5)"
