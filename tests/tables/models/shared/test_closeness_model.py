"""What promises about distances share: side tables, parameters, and what follows from what."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

import unlinkable as ul
from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import finest_of, groups_of
from unlinkable.errors import DataError, ParameterError, SchemaError
from unlinkable.tables.data.side import Side
from unlinkable.tables.models import NTCloseness, TCloseness
from unlinkable.tables.models.base import BindingContext

WARD = {
    "sex": ["f", "f", "m", "m"],
    "ill": ["ulcer", "hiv", "gastritis", "hiv"],
}
FAR = {
    "from": ["ulcer", "ulcer", "gastritis"],
    "to": ["gastritis", "hiv", "hiv"],
    "distance": [0.25, 1, 1],
}
PROMISES = [
    TCloseness("1/8", distance="given", ground="far"),
    NTCloseness(3, "1/8", distance="given", ground="far"),
]


@pytest.mark.parametrize("promise", PROMISES, ids=str)
def test_distances_come_from_a_side_table(promise: TCloseness | NTCloseness) -> None:
    ward = ul.as_table(WARD, quasi="sex", sensitive="ill")
    finding = ul.check(ward, promise, side={"far": FAR})
    # Half of each group have the one of two similar diseases that a quarter of all have.
    assert finding.holds
    assert finding.verdicts[0].achieved == {"t": 0.0625}
    assert promise.sources == ("far",)
    assert promise.relative


def test_distances_come_from_a_file(tmp_path: Path) -> None:
    rows = zip(*FAR.values(), strict=True)
    text = "\n".join(["from,to,distance", *(",".join(map(str, row)) for row in rows)])
    (tmp_path / "far.csv").write_text(text)
    promise = TCloseness(0.1, distance="given", ground="far.csv")
    (bound,) = promise.bind(BindingContext(sensitive=("s",), side=Side.of(folder=tmp_path)))
    assert bound.sensitive == "s"
    assert bound == TCloseness(0.1, sensitive="s", distance="given", ground="far.csv")
    assert hash(bound) == hash(TCloseness(0.1, sensitive="s", distance="given", ground="far.csv"))
    with pytest.raises(DataError, match="3 of 3 pairs of values of 's' have no distance"):
        bound.judge(groups_of([[1, 1, 1]]))


def test_one_side_table_serves_all_sensitive_columns() -> None:
    context = BindingContext(sensitive=("s", "z"), side=Side.of({"far": FAR}))
    bound = TCloseness(0.1, distance="given", ground="far").bind(context)
    assert [model.sensitive for model in bound] == ["s", "z"]


def test_refuses_a_side_table_that_is_not_there() -> None:
    with pytest.raises(DataError, match="no side table 'far'"):
        TCloseness(0.1, distance="given", ground="far").bind(BindingContext(sensitive=("s",)))


def test_refuses_to_judge_before_distances_are_read() -> None:
    promise = TCloseness(0.1, sensitive="s", distance="given", ground="far")
    with pytest.raises(SchemaError, match="were not read: bind the promise to a table"):
        promise.judge(groups_of([[1, 1]]))


@pytest.mark.parametrize("make", [TCloseness, lambda t, **kwargs: NTCloseness(5, t, **kwargs)])
def test_refuses_parameters_that_do_not_go_together(make: type[TCloseness]) -> None:
    with pytest.raises(ParameterError, match="ground does not say where: name a side table"):
        make(Fraction(1, 2), distance="given")
    with pytest.raises(ParameterError, match="the distance is equal: leave ground out, or write"):
        make(Fraction(1, 2), ground="far.csv")
    with pytest.raises(ParameterError, match="t must be at most 1, got 2"):
        make(Fraction(2))
    with pytest.raises(ParameterError, match="t must be at least 0, got -1"):
        make(Fraction(-1), distance="kl")


def test_is_written_with_its_side_table() -> None:
    promise = TCloseness("1/3", sensitive="s", distance="given", ground="far away.csv")
    assert str(promise) == (
        't-closeness(t="1/3", sensitive="s", distance="given", ground="far away.csv")'
    )


def test_says_what_follows_from_it() -> None:
    by_work = TCloseness(0.3, distance="ordered"), TCloseness(0.3, distance="hierarchical")
    assert TCloseness(0.3).consequences() == by_work
    named = TCloseness(0.3, distance="variational").consequences()
    assert named == (TCloseness(0.3), *by_work)
    assert TCloseness(0.08, distance="kl").consequences()[0] == TCloseness(0.2)
    assert TCloseness(0.6, distance="hellinger").consequences()[0] == TCloseness("0.768374909")
    assert TCloseness(2, distance="kl").consequences() == ()
    assert by_work[0].consequences() == ()


@given(tables(max_records=16), st.sampled_from(["equal", "kl", "hellinger"]))
def test_what_follows_is_true(random: RandomTable, distance: str) -> None:
    groups = finest_of(random)
    reached = TCloseness(1, sensitive="s0", distance=distance).verdict(groups).level
    if reached is not None:
        promise = TCloseness(reached, sensitive="s0", distance=distance)
        strong = evolve(promise, t=promise.t + Fraction(1, 10**9))
        if strong.distance.is_share and strong.t > 1:
            return
        assert strong.holds(groups)
        assert all(model.holds(groups) for model in strong.consequences())


def test_covers_the_same_distance_by_whatever_name() -> None:
    strong = TCloseness(0.1, sensitive="s")
    assert strong.covers(TCloseness(0.2, sensitive="s", distance="variational"))
    assert TCloseness(0.1, sensitive="s", distance="variational").covers(strong)
    assert not strong.covers(TCloseness(0.05, sensitive="s"))
    assert not strong.covers(TCloseness(0.2, sensitive="z"))
    assert not strong.covers(TCloseness(0.2, sensitive="s", distance="kl"))
    far = TCloseness(0.1, distance="given", ground="far")
    assert not far.covers(TCloseness(0.2, distance="given", ground="near"))
    assert far.covers(TCloseness(0.2, distance="given", ground="far"))


def test_learning_has_no_upper_bound() -> None:
    assert TCloseness(3, distance="kl").t == 3
    assert TCloseness(30, distance="given", ground="far.csv").t == 30


@pytest.mark.parametrize("distance", ["equal", "hellinger", "ordered", "variational"])
def test_refuses_more_than_1_where_nothing_is_further(distance: str) -> None:
    with pytest.raises(ParameterError, match="t must be at most 1, got 2"):
        TCloseness(2, distance=distance)
