"""MDAV: what is published keeps the promise, the best groups of one column, the refusals."""

from __future__ import annotations

from collections import Counter
from typing import get_type_hints

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.tables.methods.perturb.masking import bound, published_groups, run
from tests.tables.methods.perturb.mdav_by_definition import groupings, mdav, squares
from unlinkable.errors import InfeasibleError, ParameterError, SchemaError, UnsupportedError
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.methods.perturb.mdav import MDAV
from unlinkable.tables.methods.perturb.shared.record_points import RecordPoints
from unlinkable.tables.models import (
    DistinctLDiversity,
    EntropyLDiversity,
    KAnonymity,
    LKCPrivacy,
    TCloseness,
)
from unlinkable.tables.models.base import GroupModel
from unlinkable.tables.operations.microaggregation import Microaggregation

Row = tuple[int, float, str, str]

rows = st.lists(
    st.tuples(
        st.integers(0, 9),
        st.floats(0, 5, allow_subnormal=False).map(lambda x: round(x, 2)),
        st.sampled_from("abc"),
        st.sampled_from("xyz"),
    ),
    min_size=2,
    max_size=40,
)


def table_of(drawn: list[Row], **options: object) -> Table:
    names = ("age", "pay", "job", "ill")
    columns = dict(zip(names, map(list, zip(*drawn, strict=True)), strict=True))
    return as_table(columns, quasi=names[:3], sensitive="ill", **options)  # type: ignore[arg-type]


@given(rows, st.integers(2, 4))
def test_groups_are_those_of_the_published_algorithm(drawn: list[Row], k: int) -> None:
    assume(len(drawn) >= k)
    people = table_of(drawn)
    shown = run(MDAV(), people, KAnonymity(k)).frame
    points = RecordPoints.of(people, ["age", "pay", "job"], scaled=True).points
    groups = mdav([tuple(p) for p in points.tolist()], k)
    for group in groups:
        assert len({*shown[group].select("age", "pay", "job").rows()}) == 1
        ages = [drawn[i][0] for i in group]
        assert shown["age"][group[0]] == pytest.approx(sum(ages) / len(ages))
        jobs = Counter(drawn[i][2] for i in group)
        assert jobs[shown["job"][group[0]]] == max(jobs.values())
    assert shown["ill"].to_list() == [row[3] for row in drawn]


@pytest.mark.parametrize(
    "models",
    [
        [KAnonymity(3)],
        [DistinctLDiversity(2)],
        [KAnonymity(2), EntropyLDiversity(1.5)],
        [TCloseness(0.4)],
    ],
    ids=lambda models: " and ".join(map(str, models)),
)
@given(drawn=rows)
def test_the_published_table_keeps_the_promise(models: list[GroupModel], drawn: list[Row]) -> None:
    people = table_of(drawn)
    try:
        masked = run(MDAV(), people, *models)
    except InfeasibleError:
        whole = published_groups(
            people, run(MDAV(k=len(drawn)), people, KAnonymity(2)), bound(people, *models)
        )
        assert not bound(people, *models).holds(whole)
        return
    privacy = bound(people, *models)
    assert privacy.holds(published_groups(people, masked, privacy))
    assert masked.rows is not None
    assert masked.rows.tolist() == list(range(len(drawn)))
    assert 0 <= masked.facts["information_loss"] <= 1 + 1e-12


@given(st.lists(st.integers(0, 30), min_size=2, max_size=8), st.integers(2, 3))
def test_no_groups_of_one_column_are_better(ages: list[int], k: int) -> None:
    assume(len(ages) >= k)
    people = as_table({"age": ages}, quasi="age")
    masked = run(MDAV(scaled=False), people, KAnonymity(k))
    assert masked.optimal
    own = sum((a - b) ** 2 for a, b in zip(ages, masked.frame["age"], strict=True))
    least = min(
        sum(squares([(float(ages[i]),) for i in group]) for group in groups)
        for groups in groupings(list(range(len(ages))), k)
    )
    assert own == pytest.approx(least, abs=1e-6)


def test_the_general_algorithm_can_be_asked_for_on_one_column() -> None:
    ages = [0, 1, 2, 3, 10, 11, 30]
    people = as_table({"age": ages}, quasi="age")
    general, best = (run(MDAV(optimal=optimal), people, KAnonymity(2)) for optimal in (False, True))
    assert general.optimal is None
    assert general.effort["rounds"] == 1
    assert best.facts["information_loss"] < general.facts["information_loss"]


def test_groups_that_had_to_be_merged_are_not_said_to_be_best() -> None:
    people = as_table({"age": [1, 1, 5, 5], "ill": list("xxyz")}, quasi="age", sensitive="ill")
    masked = run(MDAV(), people, KAnonymity(2), DistinctLDiversity(2))
    assert masked.optimal is None
    assert masked.effort["merges"] == 1


def test_people_are_counted_where_they_have_several_records() -> None:
    people = as_table({"age": [1, 1, 2, 2, 9, 9], "who": list("aabbcd")}, quasi="age", owner="who")
    masked = run(MDAV(), people, KAnonymity(2))
    owners: dict[float, set[str]] = {}
    for age, who in zip(masked.frame["age"], "aabbcd", strict=True):
        owners.setdefault(age, set()).add(who)
    assert min(map(len, owners.values())) >= 2
    assert masked.frame.columns == ["age"]


def test_parameters_decide_size_columns_and_what_is_shown() -> None:
    people = as_table(
        {"age": [1, 2, 3, 11, 12, 19], "pay": [5, 1, 9, 1, 5, 9]}, quasi=["age", "pay"]
    )
    by_age = run(MDAV(k=3, columns="age", numbers="median"), people, KAnonymity(2))
    assert by_age.frame.rows() == [(2, 5)] * 3 + [(12, 5)] * 3
    assert by_age.facts["groups"] == 2


def test_seeds_make_no_difference_and_effort_is_as_it_was() -> None:
    rng = np.random.default_rng(2)
    people = as_table({name: rng.normal(size=2_000) for name in "abcd"}, quasi=list("abcd"))
    one, other = (run(MDAV(), people, KAnonymity(5), seed=seed) for seed in (1, 2))
    assert one.frame.equals(other.frame)
    assert dict(one.effort) == {"rounds": 199, "compared": 44_572, "merges": 0, "merge_rounds": 0}


def test_refuses_what_it_cannot_do() -> None:
    people = table_of([(1, 2.0, "a", "x"), (2, 3.0, "b", "y"), (3, 3.0, "b", "y")])
    with pytest.raises(UnsupportedError, match="finds the best groups of one column, and there"):
        run(MDAV(optimal=True), people, KAnonymity(2))
    with pytest.raises(UnsupportedError, match="use mondrian or optimal"):
        run(MDAV(), people, LKCPrivacy(l=1, k=2, c=1))
    with pytest.raises(UnsupportedError, match="works towards a promise"):
        run(MDAV(), people)
    with pytest.raises(InfeasibleError, match="the table has 3 records, and groups need 4"):
        run(MDAV(), people, KAnonymity(4))
    with pytest.raises(SchemaError, match="no quasi-identifying column 'ill'"):
        run(MDAV(columns="ill"), people, KAnonymity(2))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"k": 1}, "k must be at least 2, got 1"),
        ({"scaled": 1}, "scaled must be true or false"),
        ({"optimal": "yes"}, "optimal must be one of"),
        ({"numbers": "mode"}, "numbers must be one of 'mean', 'median'"),
        ({"categories": "mean"}, "categories must be one of 'mode', 'median'"),
    ],
    ids=str,
)
def test_refuses_parameters_that_mean_nothing(parameters: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        MDAV(**parameters)  # type: ignore[arg-type]


def test_no_columns_at_all_are_refused() -> None:
    people = as_table({"age": [1, 2, 3, 4]}, quasi="age")
    with pytest.raises(ParameterError, match="columns is empty"):
        run(MDAV(columns=[]), people, KAnonymity(2))


def test_what_may_stand_for_numbers_and_for_categories_are_different_choices() -> None:
    hints = get_type_hints(MDAV)
    assert [one.value for one in hints["numbers"]] == ["mean", "median"]
    assert [one.value for one in hints["categories"]] == ["mode", "median"]
    assert [one.value for one in get_type_hints(Microaggregation)["numbers"]] == ["mean", "median"]
