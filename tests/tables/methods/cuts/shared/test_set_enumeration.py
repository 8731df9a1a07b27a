"""Set enumeration: it needs no good start, and finds the best set of splits in either order."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.tables.groups.plain import finest_of
from tests.tables.methods.cuts.every_split import least_of_all
from tests.tables.methods.lattice.example import table_with
from tests.tables.methods.lattice.setting import Setting, settings
from tests.witness.tree import Tree
from unlinkable.tables.data import Table
from unlinkable.tables.engines import count
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.cuts.shared.set_enumeration import SetEnumeration
from unlinkable.tables.methods.cuts.shared.split_sets import Boundaries, SplitSets
from unlinkable.tables.methods.shared.stop_rule import StopRule
from unlinkable.tables.metrics import AverageClassSize, ClassificationMetric, Discernibility, ILoss
from unlinkable.tables.metrics.base import GroupMetric
from unlinkable.tables.models import KAnonymity
from unlinkable.tables.models.base import All

METRICS: Sequence[GroupMetric] = (
    Discernibility(),
    Discernibility(),
    ILoss(),
    ClassificationMetric("s0"),
    AverageClassSize(k=2),
)


@given(
    settings(kinds="kkkdtu", metric=METRICS), st.sampled_from(Boundaries), st.booleans(), st.data()
)
def test_equals_all_sets_of_splits_measured_one_by_one(
    setting: Setting, boundaries: Boundaries, best_first: bool, data: st.DataObject
) -> None:
    finest, privacy, task = finest_of(setting.random), setting.privacy, setting.task
    splits = SplitSets.of(task.attributes, boundaries)
    assume(len(splits) <= 9)
    stop_rule = StopRule.of(task, None, None)
    walk = SetEnumeration(finest, privacy, task, splits, stop_rule, best_first=best_first)
    start = np.array(data.draw(st.lists(st.booleans(), min_size=len(splits), max_size=len(splits))))
    starts = [splits.with_needed(start)] if start.size and data.draw(st.booleans()) else []
    assert walk.run(*starts)
    least = least_of_all(finest, privacy, task, splits)
    if least is None:
        assert walk.best.head is None
        assert walk.release() is None
    else:
        assert walk.best.loss == pytest.approx(least, rel=1e-11)


def told(table: Table, privacy: All, metric: GroupMetric, share: str = "0") -> list[list[int]]:
    """What groups show: the widths of their ranges, as a search without a start finds them."""
    task = Task(table.attributes, metric, Fraction(share))
    finest = count(table, privacy.needs()).finest
    splits = SplitSets.of(table.attributes, Boundaries.TAXONOMY)
    walk = SetEnumeration(
        finest, privacy, task, splits, StopRule.of(task, None, None), best_first=False
    )
    assert walk.run()
    found = walk.release()
    assert found is not None
    widths: list[list[int]] = (found.hi - found.lo).tolist()
    return widths


def flat(values: str) -> Tree:
    return Tree({v: (v, "*") for v in values})


def test_a_split_that_splits_no_group_may_still_tell_too_much() -> None:
    # Who knows a alone must not tell the two apart, though they are apart on b anyway.
    table = table_with(
        [{"a": "p", "b": "x"}, {"a": "q", "b": "y"}], {"a": flat("pq"), "b": flat("xy")}
    )
    promise = KAnonymity(2, qid=["a"])
    assert told(table, All([promise]), Discernibility()) == [[2, 1], [2, 1]]


def test_a_split_that_others_need_is_not_useless() -> None:
    # Of those with b = 0, x is left out as soon as a is told, which alone does not pay. It does
    # where c and d are then told apart.
    rows = [{"a": v, "b": "0"} for v in "xcccddd"] + [{"a": "x", "b": "1"}] * 20
    tree = Tree.nested({"*": {"x": {}, "y": {"c": {}, "d": {}}}})
    table = table_with(rows, {"a": tree, "b": flat("01")})
    widths = told(table, All([KAnonymity(2)]), Discernibility(), "1/2")
    assert widths == [[1, 1], [1, 1], [1, 1]]


def test_columns_that_no_promise_looks_at_are_told_in_full() -> None:
    table = table_with(
        [{"a": a, "b": b} for a, b in zip("ppqr", "wxyz", strict=True)],
        {"a": flat("pqr"), "b": flat("wxyz")},
    )
    assert told(table, All([KAnonymity(4, qid=["a"])]), ILoss()) == [[3, 1]] * 4
