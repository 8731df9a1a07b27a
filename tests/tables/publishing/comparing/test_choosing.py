"""Choosing k: where the curves cross, and what the curves are."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from attrs import evolve
from hypothesis import assume, given
from hypothesis import strategies as st

from unlinkable.errors import DataError, InfeasibleError, ParameterError
from unlinkable.tables.charts import draw_choice_of_k
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.methods import Mondrian, Optimal
from unlinkable.tables.methods.regions.shared.options import Labels
from unlinkable.tables.metrics import (
    ClassificationError,
    Discernibility,
    ILoss,
    NormalizedCertaintyPenalty,
    PrivacyPercentage,
)
from unlinkable.tables.models import DistinctLDiversity, KAnonymity, KMap
from unlinkable.tables.publishing import anonymize
from unlinkable.tables.publishing.comparing.choosing import Balance, balance, choose_k

Curve = list[int]


def crossing_by_definition(
    ks: Curve, privacy: Curve, utility: Curve
) -> tuple[tuple[int, int], Fraction, Fraction] | None:
    """Walk along both curves, taken to be straight between two values of k, to where they meet."""
    for i, k in enumerate(ks):
        if privacy[i] == utility[i]:
            return (k, k), Fraction(k), Fraction(utility[i])
        if i + 1 < len(ks) and privacy[i + 1] != utility[i + 1]:
            was_above = privacy[i] > utility[i]
            is_above = privacy[i + 1] > utility[i + 1]
            if was_above != is_above:
                # privacy[i] + x * rise = utility[i] + x * fall
                rise = privacy[i + 1] - privacy[i]
                fall = utility[i + 1] - utility[i]
                x = Fraction(utility[i] - privacy[i], rise - fall)
                at = utility[i] + x * fall
                return (k, ks[i + 1]), k + x * (ks[i + 1] - k), at
    return None


@st.composite
def curves(draw: st.DrawFn) -> tuple[Curve, Curve, Curve]:
    ks = sorted(draw(st.sets(st.integers(1, 40), min_size=1, max_size=6)))
    values = st.lists(st.integers(0, 6), min_size=len(ks), max_size=len(ks))
    return ks, draw(values), draw(values)


@given(curves())
def test_finds_the_first_crossing_as_the_definition_does(given: tuple[Curve, Curve, Curve]) -> None:
    ks, privacy, utility = given
    found = balance(ks, privacy, utility)
    expected = crossing_by_definition(ks, privacy, utility)
    assert found.crosses == (expected is not None)
    assert (found.ks, found.privacy, found.utility) == (tuple(ks), tuple(privacy), tuple(utility))
    if expected is not None:
        between, point, at = expected
        assert found.between == between
        assert found.point == pytest.approx(float(point))
        assert found.at == pytest.approx(float(at))


@given(curves())
def test_curves_that_never_meet_are_closest_at_the_first_such_k(
    given: tuple[Curve, Curve, Curve],
) -> None:
    ks, privacy, utility = given
    assume(crossing_by_definition(ks, privacy, utility) is None)
    gaps = {k: abs(p - u) for k, p, u in zip(ks, privacy, utility, strict=True)}
    closest = next(k for k in ks if gaps[k] == min(gaps.values()))
    found = balance(ks, privacy, utility)
    assert (found.between, found.point) == ((closest, closest), closest)
    assert found.k == (None if found.is_flat else closest)
    assert found.at == utility[ks.index(closest)]


@pytest.mark.parametrize(
    ("privacy", "utility", "between", "crosses", "point"),
    [
        ([1, 5, 9], [9, 5, 1], (4, 4), True, 4.0),
        ([0, 6, 9], [8, 4, 1], (2, 4), True, 3.6),
        ([9, 5, 9], [1, 9, 1], (2, 4), True, 10 / 3),
        ([0, 1, 2], [9, 8, 7], (6, 6), False, 6.0),
        ([9, 8, 7], [0, 1, 2], (6, 6), False, 6.0),
        ([5, 5, 5], [5, 5, 5], (2, 2), True, 2.0),
        ([0, 5, 0], [5, 5, 5], (4, 4), True, 4.0),
    ],
    ids=["at a k", "between two", "the first of two", "below", "above", "the same", "touching"],
)
def test_meets(
    privacy: Curve, utility: Curve, between: tuple[int, int], crosses: bool, point: float
) -> None:
    found = balance([2, 4, 6], privacy, utility)
    assert (found.between, found.crosses) == (between, crosses)
    assert found.point == pytest.approx(point)
    assert found.k == (None if found.is_flat else between[1])


def test_no_k_is_recommended_from_a_curve_that_hardly_falls() -> None:
    """Three of four records have the same class, and nothing that they show tells it."""
    flat = balance([2, 4, 6], [0.0, 80.0, 90.0], [75.1, 75.1, 74.3])
    assert (flat.is_flat, flat.k, flat.between) == (True, None, (2, 4))
    assert flat.to_json()["k"] is None
    falling = balance([2, 4, 6], [0.0, 80.0, 90.0], [75.1, 75.1, 74.0])
    assert (falling.is_flat, falling.k) == (False, 4)
    assert balance([2], [10.0], [75.1]).k == 2


def test_what_is_learned_from_two_columns_together_is_measured() -> None:
    """A stump knows one column, on which three of four records have the same class."""
    ages, towns = [20, 20, 60, 60] * 30, [10, 90, 10, 90] * 30
    class_ = [f"{(age > 40) and (town > 40)}" for age, town in zip(ages, towns, strict=True)]
    table = as_table(
        {"age": ages, "town": towns, "class": class_}, quasi=["age", "town"], target="class"
    )
    found = choose_k(table, ks=[2, 100])
    assert found.baseline == 75.0
    assert found.utility[0] == 100.0
    assert found.utility[1] <= 75.0
    assert found.k is not None


def test_curves_that_are_hardly_apart_still_cross() -> None:
    found = balance([2, 4], [0.0, 1e-200], [1e-200, 0.0])
    assert (found.between, found.crosses, found.point) == ((2, 4), True, 3.0)


def test_is_told_as_plain_values_and_drawn() -> None:
    found = balance([2, 4], [0.0, 60.0], [80.0, 40.0])
    assert found.to_json() == {
        "k": 4,
        "between": [2, 4],
        "crosses": True,
        "flat": False,
        "baseline": None,
        "point": pytest.approx(3.6),
        "utility": pytest.approx(48.0),
        "without": [],
        "curve": [
            {"k": 2, "privacy": 0.0, "utility": 80.0},
            {"k": 4, "privacy": 60.0, "utility": 40.0},
        ],
    }
    drawn = str(found.chart().spec)
    assert all(str(share) in drawn for share in (0.8, 0.6, 0.4, 3.6))
    apart = balance([2, 4], [0.0, 10.0], [80.0, 40.0])
    assert apart.chart().text == draw_choice_of_k([2, 4], [0.0, 0.1], [0.8, 0.4]).text


def people(**roles: Any) -> Table:
    data: dict[str, object] = {"age": [*range(20, 40)], "zip": [*range(20)]}
    data["rich"] = ["no"] * 10 + ["yes"] * 10
    return as_table(data, **{"quasi": ["age", "zip"], "insensitive": "rich", **roles})


def by_hand(table: Table, ks: range, utility: object, *, is_loss: bool = True) -> Balance:
    """The curves from releases that are made one by one."""
    method, curve = Mondrian(labels=Labels.TAXONOMY), []
    for k in ks:
        release = anonymize(table, privacy=KAnonymity(k), method=method, metric=ILoss(), seed=0)
        value = release.measure(utility)  # type: ignore[arg-type]
        hidden = release.measure(PrivacyPercentage())
        curve.append((k, hidden, 100 * (1 - value if is_loss else value)))
    return balance(*zip(*curve, strict=True))


def test_without_a_target_it_weighs_the_information_that_is_left() -> None:
    found = choose_k(people(), ks=range(2, 21))
    assert found == by_hand(people(), range(2, 21), ILoss())
    assert found.crosses


def test_with_a_target_it_weighs_how_well_a_tree_tells_it() -> None:
    table = people(insensitive=(), target="rich")
    found = choose_k(table, ks=range(9, 12))
    rich = max(table.frame["rich"].value_counts()["count"].to_list())
    by_tree = by_hand(table, range(9, 12), ClassificationError())
    assert found == evolve(by_tree, baseline=100 * rich / len(table))
    assert found != choose_k(table, ks=range(9, 12), utility=ILoss())


def test_any_metric_from_0_to_1_can_say_what_a_release_is_good_for() -> None:
    penalty = NormalizedCertaintyPenalty()
    assert choose_k(people(), ks=[2, 5, 9], utility=penalty).utility == pytest.approx(
        [100 * (1 - release_of(k).measure(penalty)) for k in (2, 5, 9)]
    )


def release_of(k: int) -> Any:
    return anonymize(
        people(), privacy=KAnonymity(k), method=Mondrian(labels=Labels.TAXONOMY), seed=0
    )


def test_values_of_k_are_tried_once_each_and_in_order() -> None:
    assert choose_k(people(), ks=[5, 2, 5, 3, 2]).ks == (2, 3, 5)


def test_values_without_a_release_are_left_out_of_the_curves() -> None:
    assert choose_k(people(), ks=[10, 20, 21, 1000]).ks == (10, 20)


def test_says_which_values_have_no_release() -> None:
    assert choose_k(people(), ks=[2, 21, 30]).without == (21, 30)


def test_other_promises_are_kept_as_well() -> None:
    table = people(insensitive=(), sensitive="rich")
    alone = choose_k(table, ks=[2, 4])
    both = choose_k(table, ks=[2, 4], privacy=[DistinctLDiversity(2)])
    assert both.utility[0] < alone.utility[0]


def test_promises_may_refer_to_side_tables() -> None:
    population = {"age": [*range(20, 40)] * 2, "zip": [*range(20)] * 2}
    crowd = KMap(4, population="people")
    alone = choose_k(people(), ks=[2])
    both = choose_k(people(), ks=[2], privacy=[crowd], side={"people": population})
    assert both.utility == alone.utility
    with pytest.raises(DataError, match="no side table 'people'"):
        choose_k(people(), ks=[2], privacy=[crowd])


def test_records_may_be_left_out_and_another_method_may_search() -> None:
    table = as_table({"a": ["x"] * 9 + ["y"]}, quasi="a")
    assert choose_k(table, ks=[2], method=Optimal()).utility == (50.0,)
    found = choose_k(table, ks=[2], method=Optimal(), suppression="0.1")
    assert found.utility == pytest.approx([90.0])


@pytest.mark.parametrize(
    ("asked", "error", "message"),
    [
        ({"ks": [2], "hides": ILoss()}, ParameterError, "iloss does not go from 0 to 100: use pri"),
        ({"ks": [2], "utility": Discernibility()}, ParameterError, "discernibility does not go fr"),
        ({"ks": [2], "utility": PrivacyPercentage()}, ParameterError, "does not go from 0 to 1"),
        ({"ks": []}, ParameterError, r"ks must list the values of k to try, like range\(2, 11\)"),
        ({"ks": [0, 2]}, ParameterError, "k must be at least 1, got 0"),
        ({"ks": [2], "jobs": 0}, ParameterError, "jobs must be at least 1, got 0"),
        ({"ks": [21, 30]}, InfeasibleError, r"k-anonymity\(k=21\)"),
    ],
    ids=["hides", "utility", "utility in per cent", "no k", "k = 0", "no jobs", "infeasible"],
)
def test_refuses(asked: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        choose_k(people(), **asked)
