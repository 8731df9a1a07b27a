"""K-Optimize: no cut loses less, whatever is promised and however loss is measured."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count as endless

import numpy as np
import pytest
from attrs import evolve, frozen
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.tables.groups.plain import finest_of, table_of
from tests.tables.methods.cuts.every_split import (
    cuts_of,
    intervals_of,
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
from unlinkable.tables.methods import Optimal
from unlinkable.tables.methods.cuts.k_optimize import KOptimize
from unlinkable.tables.methods.cuts.shared.split_sets import Boundaries, SplitSets
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
from unlinkable.tables.models import DistinctLDiversity, KAnonymity, LKCPrivacy
from unlinkable.tables.operations.base.recoding import Recoding
from unlinkable.tables.publishing import anonymize
from unlinkable.tables.taxonomies.builders import Intervals

MANY = 250
"""Settings with more tables than this are not searched by exhaustion."""


@frozen
class Opaque(GroupMetric):
    """A metric of which nothing is known but its values."""

    name = "opaque"
    reference = "none"

    def value(self, shown: Shown) -> float:
        return ILoss().value(shown)


@frozen
class Dark(Opaque):
    """One of which it is known that it never falls."""

    name = "dark"

    @property
    def monotone(self) -> bool:
        return True


def gains_from_suppression(setting: Setting) -> bool:
    """Whether leaving out a group that could stay may pay: then the best release is not proved."""
    return setting.limit > 0 and not setting.metric.monotone


def check(setting: Setting, boundaries: str = "taxonomy") -> None:
    list_ways = cuts_of if boundaries == "taxonomy" else intervals_of
    ways = {a: list_ways(setting.random.trees[a]) for a in setting.random.qid}
    assume(n_ways(ways) <= MANY)
    least = least_loss(setting, ways)
    if least is None:
        with pytest.raises(InfeasibleError):
            setting.search(KOptimize(boundaries))
        return
    found = setting.search(KOptimize(boundaries))
    assert found.optimal or gains_from_suppression(setting)
    assert found.is_complete
    assert worst_fault(setting, found) is None
    shown = Shown.of(found.partition, setting.task.attributes)
    assert setting.metric.value(shown) == pytest.approx(least, rel=1e-12)


@given(settings())
def test_equals_exhaustive_search_of_all_cuts(setting: Setting) -> None:
    check(setting)


@given(settings(kinds="k", metric=[Discernibility()]))
def test_equals_exhaustive_search_as_published(setting: Setting) -> None:
    check(setting)


@given(settings(kinds="kdr"))
def test_equals_exhaustive_search_of_all_intervals(setting: Setting) -> None:
    check(setting, "values")


@given(settings(kinds="ku", metric=[AverageClassSize(k=2)]))
def test_equals_exhaustive_search_for_a_metric_that_suppression_improves(setting: Setting) -> None:
    check(setting)


METRICS: Sequence[GroupMetric] = (
    ClassificationMetric("s0"),
    InformationGain("s0"),
    Discernibility("alike"),
    Discernibility("nothing"),
    Discernibility(3),
    MinimalDistortion(),
    NormalizedCertaintyPenalty(),
    Dark(),
)


@given(settings(kinds="kdt", metric=METRICS), st.data())
def test_equals_all_sets_of_splits_measured_one_by_one(
    setting: Setting, data: st.DataObject
) -> None:
    table = table_of(setting.random)
    importance = {a: data.draw(st.sampled_from([1.0, 0.5, 3.0])) for a in setting.random.qid}
    attributes = tuple(evolve(a, importance=importance[a.name]) for a in table.attributes)
    finest = finest_of(setting.random)
    weights = data.draw(st.lists(st.floats(0.25, 8.0), min_size=len(finest), max_size=len(finest)))
    finest = evolve(finest, weights=np.array(weights))
    task = evolve(setting.task, attributes=attributes)
    boundaries = data.draw(st.sampled_from(Boundaries))
    splits = SplitSets.of(attributes, boundaries)
    assume(len(splits) <= 8)
    least = least_of_all(finest, setting.privacy, task, splits)
    method = KOptimize(boundaries)
    if least is None:
        with pytest.raises(InfeasibleError):
            method.search(finest, setting.privacy, task)
        return
    found = method.search(finest, setting.privacy, task)
    assert found.optimal or gains_from_suppression(setting)
    loss = task.metric.loss(Shown.of(found.partition, attributes))
    assert loss == pytest.approx(least, rel=1e-11)


@given(settings(), st.integers(1, 4))
def test_has_a_release_whenever_it_is_stopped(setting: Setting, steps: int) -> None:
    whole = KOptimize(steps=steps)
    try:
        found = setting.search(whole)
    except InfeasibleError:
        return
    assert worst_fault(setting, found) is None
    assert found.effort["looked_at"] <= steps
    assert found.optimal == found.is_complete


@given(settings(kinds="kd"), st.integers(0, 30))
def test_ends_with_what_it_has_when_it_is_asked_to(setting: Setting, after: int) -> None:
    asked = endless()
    task = evolve(setting.task, is_stopped=lambda: next(asked) >= after)
    try:
        found = KOptimize().search(finest_of(setting.random), setting.privacy, task)
    except InfeasibleError:
        return
    assert worst_fault(setting, found) is None


def test_what_costs_nothing_is_told() -> None:
    # Both have groups of two; by their sizes alone, 21 could as well be [20-30) or [0-40).
    people = as_table({"age": [21, 21, 35, 36]}, quasi="age", taxonomies={"age": Intervals(10, 40)})
    release = anonymize(people, privacy=KAnonymity(2), method=KOptimize(), metric="discernibility")
    assert list(release.applied.frame["age"].to_list()) == ["21", "21", "[30-40)", "[30-40)"]


def binary_table(n_columns: int, n_records: int) -> Table:
    rng = np.random.default_rng(7)
    rows = [
        {f"c{j}": "abcdef"[int(v)] for j, v in enumerate(record)}
        for record in (rng.random((n_records, n_columns)) ** 2 * 6)
    ]
    tree = Tree.nested(
        {"*": {"x": {"a": {}, "b": {}}, "y": {"c": {}, "z": {"d": {}, "e": {}, "f": {}}}}}
    )
    return table_with(rows, dict.fromkeys(rows[0], tree))


@pytest.mark.parametrize(
    ("boundaries", "limit", "loss", "effort"),
    [
        ("taxonomy", 30, 4819.0, (16, 45, 23, 0, 82, 23, 190, 0)),
        ("taxonomy", 0, 5652.0, (16, 30, 7, 9, 43, 43, 81, 0)),
        ("values", 30, 3616.0, (20, 708, 327, 28, 1997, 343, 1050, 45)),
    ],
)
def test_effort_is_golden(
    boundaries: str, limit: int, loss: float, effort: tuple[int, ...]
) -> None:
    table = binary_table(4, 300)
    method, metric = KOptimize(boundaries), Discernibility()
    found = run(method, table, [KAnonymity(4)], limit=limit, metric=metric)
    assert found.optimal
    assert metric.value(Shown.of(found.partition, table.attributes)) == loss
    names = ("splits", "looked_at", "bounded", "hopeless", "dropped", "made", "measured", "first")
    assert found.effort == dict(zip(names, effort, strict=True))


def test_a_cut_may_be_better_than_any_level() -> None:
    # 20 and 22 need no range; one level for all would give them that of the others.
    ages = [20, 20, 22, 22, 31, 33]
    people = as_table({"age": ages}, quasi="age", taxonomies={"age": Intervals(5, 10)})
    found, best = (run(m, people, [KAnonymity(2)]).partition for m in (KOptimize(), Optimal()))
    assert (found.hi - found.lo).ravel().tolist() == [1, 1, 2]
    assert ILoss().value(Shown.of(found, people.attributes)) == pytest.approx(1 / 12)
    assert ILoss().value(Shown.of(best, people.attributes)) == pytest.approx(1 / 4)


def test_one_record_is_a_release_of_itself() -> None:
    table = table_with([{"a": "x"}], {"a": Tree({"x": ("x", "*")})})
    assert run(KOptimize(), table, [KAnonymity(1)]).partition.sizes.tolist() == [1]
    with pytest.raises(InfeasibleError, match=r"k-anonymity\(k=2\) needs at least 2 records"):
        run(KOptimize(), table, [KAnonymity(2)])


def test_no_records_are_an_error() -> None:
    table = table_with([], {"a": Tree({"x": ("x", "*")})})
    with pytest.raises(InfeasibleError, match="the table has no records"):
        run(KOptimize(), table, [KAnonymity(1)])


def test_missing_values_are_told_from_all_others_first() -> None:
    ages = [20, 20, 30, 30, None, None]
    people = as_table({"age": ages}, quasi="age", taxonomies={"age": Intervals(10)})
    found = anonymize(people, privacy=KAnonymity(2), method=KOptimize("numbers"))
    assert list(map(str, found.applied.frame["age"].to_list())) == list(map(str, ages))
    alone = as_table({"age": [20, 20, 30, 30, None]}, quasi="age")
    found = anonymize(alone, privacy=KAnonymity(2), method=KOptimize("numbers"))
    assert set(found.applied.frame["age"].to_list()) == {"*"}


def test_publishes_what_it_found() -> None:
    ages = [20, 21, 28, 34, 38, 39, 47, 49]
    people = as_table({"age": ages}, quasi="age", taxonomies={"age": Intervals(10, 40)})
    for boundaries, n_groups in (("taxonomy", 3), ("numbers", 4), ("values", 4)):
        method = KOptimize(boundaries)
        release = anonymize(people, privacy=KAnonymity(2), method=method, metric="discernibility")
        assert release.holds
        assert len(set(release.applied.frame["age"].to_list())) == n_groups


def test_combinations_of_few_columns_are_served() -> None:
    table = binary_table(4, 40)
    promise = LKCPrivacy(l=2, k=3, c=1)
    found = run(KOptimize(), table, [promise], limit=4)
    assert promise.holds(found.partition.groups())
    assert found.optimal


def test_is_written_in_one_way() -> None:
    assert str(KOptimize()) == "k-optimize"
    assert str(KOptimize("values", steps=3, time=2)) == (
        'k-optimize(boundaries="values", steps=3, time=2)'
    )


def recoding_of(table: Table, lo: list[int], hi: list[int]) -> Recoding:
    shown = Recoding.of(table)
    return evolve(shown, lo=np.array([lo], np.int32).T, hi=np.array([hi], np.int32).T)


@pytest.mark.parametrize(
    ("boundaries", "lo", "hi", "said"),
    [
        ("taxonomy", [0, 0, 2, 3], [2, 2, 3, 4], []),
        ("taxonomy", [0, 1, 1, 3], [1, 3, 3, 4], ["'a' shows ranges that are no nodes"]),
        ("values", [0, 1, 1, 3], [1, 3, 3, 4], []),
        ("numbers", [0, 1, 1, 3], [1, 3, 3, 4], ["'a' shows ranges that are no nodes"]),
        ("values", [0, 0, 1, 3], [2, 2, 3, 4], ["'a' shows ranges that overlap"]),
        ("values", [0, 2, 2, 3], [1, 3, 3, 4], ["do not hold their values"]),
    ],
)
def test_a_proposal_of_another_kind_is_noticed(
    boundaries: str, lo: list[int], hi: list[int], said: list[str]
) -> None:
    tree = Tree.nested({"*": {"x": {"p": {}, "q": {}}, "y": {"r": {}, "s": {}}}})
    table = table_with([{"a": v} for v in "pqrs"], {"a": tree})
    found = KOptimize(boundaries).misfits(recoding_of(table, lo, hi))
    assert len(found) == len(said)
    assert all(words in flaw for words, flaw in zip(said, found, strict=True))


def test_refuses_a_metric_that_says_nothing_of_coarser_tables() -> None:
    with pytest.raises(UnsupportedError, match="opaque may fall as a table gets coarser"):
        run(KOptimize(), thesis_table(), [KAnonymity(2)], metric=Opaque())


def test_says_that_it_was_stopped_before_there_was_a_release() -> None:
    table = binary_table(3, 60)
    with pytest.raises(InfeasibleError, match="was stopped before it found a release"):
        run(KOptimize(steps=1), table, [AtMost(1), KAnonymity(1)], limit=3)


def test_says_that_there_is_no_release() -> None:
    tree = Tree({"x": ("x", "*"), "y": ("y", "*")})
    table = table_with([{"a": "x", "s": "1"}, {"a": "y", "s": "1"}], {"a": tree}, sensitive=["s"])
    with pytest.raises(InfeasibleError, match="no release that leaves out at most 0 of 2"):
        run(KOptimize(), table, [DistinctLDiversity(2, sensitive="s")])
    with pytest.raises(
        InfeasibleError, match="no release of this kind that leaves out at most 0 of 2"
    ):
        run(KOptimize(), table, [KAnonymity(2), AtMost(1)])


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"boundaries": "leaves"}, "boundaries must be one of 'taxonomy', 'numbers', 'values'"),
        ({"steps": 0}, "steps must be at least 1, got 0"),
        ({"time": -1}, "time must be a number of seconds above 0"),
    ],
)
def test_refuses_parameters_that_mean_nothing(parameters: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        KOptimize(**parameters)  # type: ignore[arg-type]
