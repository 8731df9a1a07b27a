"""Median swapping: promises hold on what is published, what is reconstructed, and refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st

from tests import cases
from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import rows_of_case, table_of
from tests.tables.methods.perturb.masking import bound, published_groups, run
from unlinkable.errors import InfeasibleError, ParameterError, SchemaError, UnsupportedError
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.methods.perturb.median_swapping import MedianSwapping
from unlinkable.tables.models import (
    BTPrivacy,
    CTIsolation,
    DifferentialPrivacy,
    HellingerCloseness,
    KAnonymity,
    KMap,
    MultirelationalKAnonymity,
    NTCloseness,
    TCloseness,
)
from unlinkable.tables.models.base import All, GroupModel

MODELS = {
    "n-t": NTCloseness(10, "1/5"),
    "hellinger": HellingerCloseness("1/5"),
    "t": TCloseness("1/5"),
    "k": KAnonymity(3),
}


def ward(n: int = 400, **roles: Any) -> Table:
    rng = np.random.default_rng(4)
    age = rng.integers(20, 80, n)
    ill = np.where(rng.random(n) < np.where(age > 50, 0.8, 0.2), "hiv", "flu")
    job = np.where(rng.random(n) < 0.7, np.where(ill == "hiv", "cook", "clerk"), "nurse")
    data = {"age": age, "job": job, "town": rng.choice(["a", "b"], n), "ill": ill}
    return as_table(data, quasi=["age", "job", "town"], sensitive="ill", **roles)


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_the_promise_holds_on_what_is_published(model: GroupModel) -> None:
    people = ward()
    masked = run(MedianSwapping(), people, model)
    privacy = bound(people, model)
    assert privacy.holds(published_groups(people, masked, privacy))
    assert masked.frame["ill"].equals(people.frame["ill"])
    assert masked.n_suppressed == 0


@settings(max_examples=40, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(
    tables(owner=False, min_records=2, max_sensitive=1),
    st.integers(0, 9),
    st.sampled_from(list(MODELS)),
)
def test_the_promise_holds_on_any_table(random: RandomTable, seed: int, which: str) -> None:
    people, model = table_of(random), MODELS[which]
    privacy = bound(people, model)
    try:
        masked = run(MedianSwapping("s0"), people, model, seed=seed)
    except InfeasibleError:
        assume(False)
    assert privacy.holds(published_groups(people, masked, privacy))


def test_numbers_become_medians_of_stretches_that_tell_of_the_sensitive_value() -> None:
    people = ward(4_000)
    masked = run(MedianSwapping(), people, KAnonymity(2))
    shown = {*masked.frame["age"]}
    assert len(shown) == masked.effort["cuts"] + 1 == 2
    old = people.frame["age"] > 50
    lower, upper = ({*masked.frame["age"].filter(part)} for part in (~old, old))
    assert lower.isdisjoint(upper)


def test_a_column_that_says_nothing_becomes_one_median() -> None:
    case = cases.load("babu-discrete-median-table5-4")
    rows = rows_of_case(case["input"]["table"])
    ages, results = ([row[name] for row in rows] for name in ("Age", "Test Result"))
    people = as_table({"age": ages, "result": results}, quasi="age", sensitive="result")
    for rule, expected in (("low", "33"), ("high", "35"), ("average", "34")):
        masked = run(MedianSwapping(median=rule), people, TCloseness("1/5"))
        assert {*masked.frame["age"]} == {expected}


def test_categories_still_go_together_with_the_sensitive_value() -> None:
    """Counts of 4,000 records, to within five standard deviations."""
    people = ward(4_000)
    masked = run(MedianSwapping(), people, KAnonymity(2)).frame
    for job in ("cook", "clerk", "nurse"):
        before, after = (
            int(((frame["job"] == job) & (frame["ill"] == "hiv")).sum())
            for frame in (people.frame, masked)
        )
        assert abs(before - after) < 5 * np.sqrt(1_000)
    assert not masked["job"].equals(people.frame["job"])


def test_only_a_share_is_drawn_anew_if_that_is_asked_for() -> None:
    people = ward(4_000)
    changed = [
        int((run(MedianSwapping(share=share), people, KAnonymity(2)).frame["job"]
             != people.frame["job"]).sum())
        for share in (1, "1/10")
    ]  # fmt: skip
    assert 5 < changed[0] / changed[1] < 20


def test_missing_numbers_stay_missing() -> None:
    people = as_table(
        {"age": [20, None, 30, None, 40, 50], "ill": [*"xyxyxy"]}, quasi="age", sensitive="ill"
    )
    masked = run(MedianSwapping(), people, KAnonymity(2))
    privacy = bound(people, KAnonymity(2))
    assert privacy.holds(published_groups(people, masked, privacy))


def test_the_same_seed_gives_the_same_release_and_effort_is_golden() -> None:
    people = ward()
    one, other = (run(MedianSwapping(), people, TCloseness("1/5"), seed=2) for _ in range(2))
    assert one.frame.equals(other.frame)
    assert one.effort["cuts"] == 1
    assert not one.frame.equals(run(MedianSwapping(), people, KAnonymity(2), seed=3).frame)


def test_records_may_be_left_out_if_the_generalizing_method_does() -> None:
    people = ward(60)
    masked = run(MedianSwapping(generalization="datafly"), people, KAnonymity(5), suppression="1/4")
    assert masked.rows is not None
    assert masked.rows.size == masked.frame.height == 60 - masked.n_suppressed


@pytest.mark.parametrize(
    ("method", "model", "message"),
    [
        (MedianSwapping(), DifferentialPrivacy(1), "it is about noise"),
        (MedianSwapping(generalization="mondrian"), NTCloseness(5, "1/5"), "mondrian needs"),
    ],
    ids=["noise", "the search"],
)
def test_refuses_what_it_cannot_promise(
    method: MedianSwapping, model: GroupModel, message: str
) -> None:
    with pytest.raises(UnsupportedError, match=message):
        run(method, ward(), model)


@pytest.mark.parametrize(
    "model",
    [
        KMap(2, population="all"),
        MultirelationalKAnonymity(2),
        BTPrivacy(1, "0.3", sensitive="ill", quasi=("age",)),
        CTIsolation(2, 3, columns="age"),
    ],
    ids=str,
)
def test_refuses_promises_about_people_as_they_are(model: GroupModel) -> None:
    with pytest.raises(UnsupportedError, match="reconstructed values are nobody's"):
        MedianSwapping().require(All([model]), may_suppress=False)


def test_refuses_tables_and_parameters_that_mean_nothing() -> None:
    with pytest.raises(UnsupportedError, match="give at least one"):
        run(MedianSwapping(), ward())
    two = as_table({"a": [1], "s": [1], "t": [1]}, quasi="a", sensitive=["s", "t"])
    with pytest.raises(SchemaError, match="one sensitive column, and there are 2"):
        run(MedianSwapping(), two, KAnonymity(1))
    with pytest.raises(SchemaError, match="no sensitive column 'a'"):
        run(MedianSwapping("a"), two, KAnonymity(1))
    with pytest.raises(ParameterError, match="no method 'mdav'"):
        run(MedianSwapping(generalization="mdav"), ward(), KAnonymity(2))
    with pytest.raises(ParameterError, match="generalization must be the written form"):
        MedianSwapping(generalization=3)  # type: ignore[arg-type]
    several = as_table(
        {"a": [1, 2], "s": [1, 2], "who": [1, 1]}, quasi="a", sensitive="s", owner="who"
    )
    with pytest.raises(UnsupportedError, match="people have several here"):
        run(MedianSwapping(), several, KAnonymity(1))
