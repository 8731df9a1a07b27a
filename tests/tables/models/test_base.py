"""What promises have in common: conjunctions, verdicts, adversaries who know less."""

from __future__ import annotations

from collections.abc import Hashable
from typing import ClassVar

import numpy as np
import pytest
from attrs import frozen

from tests.strategies import RandomTable
from tests.tables.groups.plain import finest_of, groups_of
from unlinkable.tables.groups import Groups, Knowledge
from unlinkable.tables.models import DistinctLDiversity, EntropyLDiversity, KAnonymity, TCloseness
from unlinkable.tables.models.base import (
    All,
    Basis,
    BindingContext,
    GroupModel,
    Merging,
    Threat,
    Verdict,
)
from unlinkable.typing import BoolArray, Columns, FloatArray

Row = dict[str, Hashable]


@frozen
class OddSize(GroupModel):
    """An adversary who knows one column sees groups of odd size."""

    name: ClassVar[str] = "odd-size"
    reference: ClassVar[str] = "nowhere"
    threats: ClassVar[Threat] = Threat.RECORD
    parameter: ClassVar[str] = "size"

    at_most: int = 1

    @property
    def merging(self) -> Merging:
        return Merging.UNSAFE

    @property
    def local(self) -> bool:
        return False

    def knows(self, columns: Columns) -> Knowledge:
        return Knowledge(columns, at_most=self.at_most)

    def judge(self, groups: Groups) -> BoolArray:
        return np.asarray(groups.sizes % 2 == 1)

    def level(self, groups: Groups) -> FloatArray:
        return groups.sizes.astype(float)


def square() -> Groups:
    """Every combination of two columns, the first one twice."""
    rows: list[Row] = [{"a": a, "b": b} for a in "01" for b in "01"]
    return finest_of(RandomTable([*rows, rows[0]], ("a", "b"), (), {}, None))


def test_a_promise_that_merging_breaks_is_asked_of_those_who_know_less() -> None:
    groups = square()
    assert groups.sizes.tolist() == [2, 1, 1, 1]
    assert OddSize(at_most=1).good(groups).tolist() == [True, False, False, False]
    seen = [s.columns for s, _ in OddSize(at_most=2).seen(groups)]
    assert seen == [("a",), ("b",), ("a", "b")]


def test_a_verdict_names_the_worst_group_and_the_good_ones() -> None:
    groups = groups_of([[3, 0], [1, 1], [1, 0]])
    verdict = KAnonymity(2).verdict(groups)
    assert not verdict.holds
    assert verdict.good.tolist() == [True, True, False]
    assert (verdict.worst, verdict.level, verdict.achieved) == (2, 1.0, {"k": 1})
    assert isinstance(verdict.achieved["k"], int)
    assert verdict.basis is Basis.COUNTED
    assert str(verdict.model) == "k-anonymity(k=2)"


def test_a_level_that_falls_is_worst_where_it_is_highest() -> None:
    groups = groups_of([[3, 1], [1, 1], [4, 2]])
    verdict = TCloseness(0.1, sensitive="s").verdict(groups)
    assert verdict.worst == 1
    assert verdict.level == pytest.approx(8 / 12 - 1 / 2)


def test_a_level_that_is_no_count_stays_a_number() -> None:
    achieved = Verdict(EntropyLDiversity(2), True, {"l": 2.0}, np.ones(1, bool), 0).achieved
    assert isinstance(achieved["l"], float)


def test_several_promises_hold_if_each_of_them_does() -> None:
    groups = groups_of([[2, 1], [3, 0]])
    both = All([KAnonymity(3), DistinctLDiversity(2, sensitive="s")])
    assert both.judge(groups).tolist() == both.good(groups).tolist() == [True, False]
    assert not both.holds(groups)
    assert both.holds(groups.select(np.array([True, False])))
    assert [v.holds for v in both.verdicts(groups)] == [True, False]
    assert both.needs() == {("s",)}
    assert str(both) == 'k-anonymity(k=3) and distinct-l-diversity(l=2, sensitive="s")'


def test_several_promises_are_as_tolerant_as_the_least() -> None:
    strong, safe = KAnonymity(2), EntropyLDiversity(2, sensitive="s")
    assert All([]).merging is All([strong]).merging is Merging.ABSORBS
    assert All([strong, safe]).merging is Merging.SAFE
    assert All([strong, safe, OddSize()]).merging is Merging.UNSAFE
    assert All([strong, safe]).local
    assert not All([strong, KAnonymity(2, qid="q")]).local
    assert not All([strong, safe]).relative
    assert All([strong, TCloseness(0.1)]).relative


def test_binding_several_promises_binds_each() -> None:
    both = All([KAnonymity(2), DistinctLDiversity(2)])
    assert both.bind(BindingContext(sensitive=("s", "t"))) == (
        KAnonymity(2),
        DistinctLDiversity(2, sensitive="s"),
        DistinctLDiversity(2, sensitive="t"),
    )


def test_no_promises_hold_for_everything() -> None:
    assert All([]).holds(groups_of([[1]]))
    assert All([]).needs() == frozenset()


def test_several_promises_have_no_common_unit() -> None:
    with pytest.raises(TypeError, match="a conjunction has no level of its own: ask its models"):
        All([KAnonymity(2)]).level(groups_of([[1]]))


def test_a_promise_explains_by_default_what_was_reached() -> None:
    text = OddSize().explain_failure(groups_of([[2]]))
    assert text == "all 2 records together reach {'size': 2.0}, not odd-size: ask for less"
    assert OddSize().weaker() is None
    assert OddSize().bind(BindingContext(sensitive=("s",))) == (OddSize(),)
