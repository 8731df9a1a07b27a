"""Median swapping: promises hold on what is published, what is reconstructed, and refusals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st

from tests import cases
from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import rows_of_case, table_of
from tests.tables.methods.perturb.masking import bound, published_groups, run
from tests.tables.operations.chance import fits_counts
from tests.witness import medians as witness
from tests.witness.swapping import second_order_rows
from unlinkable.errors import InfeasibleError, ParameterError, SchemaError, UnsupportedError
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.methods.perturb.median_swapping import (
    Median,
    MedianSwapping,
    class_cuts,
    discrete_medians,
    draw_second_order,
)
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


CASE = cases.load("babu-discrete-median-table5-4")
ROWS = rows_of_case(CASE["input"]["table"])
AGES = np.array([row["Age"] for row in ROWS], float)
RESULTS = np.array([row["Test Result"] == "Positive" for row in ROWS], np.int32)


@pytest.mark.parametrize("median", Median, ids=str)
def test_the_example_of_the_thesis_with_the_cut_that_it_gives(median: Median) -> None:
    low, high = CASE["expected"]["medians"][median]
    expected = [low if row["ID"] in CASE["expected"]["groups"][0] else high for row in ROWS]
    cuts = np.array(CASE["input"]["cut_points"], float)
    assert discrete_medians(AGES, cuts, median).tolist() == expected


def test_no_cut_of_the_example_pays() -> None:
    assert CASE["expected"]["mdl_accepts_best_cut"] is False
    assert class_cuts(AGES, RESULTS).size == 0
    # Ten times the same records are worth the words of a cut, and the best one is as expected.
    often = class_cuts(np.repeat(AGES, 10), np.repeat(RESULTS, 10))
    assert CASE["expected"]["best_cut_by_gain"] in often


NUMBERS = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 2)), min_size=1, max_size=60)


@given(NUMBERS, st.integers(1, 6))
def test_cuts_are_those_of_the_definition(pairs: list[tuple[int, int]], times: int) -> None:
    many = pairs * times
    numbers, classes = np.array(many, float).T
    found = class_cuts(numbers, classes.astype(np.int32)).tolist()
    assert found == [float(cut) for cut in witness.cuts(many)]


@given(
    st.lists(st.integers(-5, 9), min_size=1, max_size=30),
    st.sets(st.integers(-11, 19), max_size=5),
    st.sampled_from(Median),
)
def test_medians_are_those_of_the_definition(
    numbers: list[int], halves: set[int], median: Median
) -> None:
    cuts = sorted(Fraction(half, 2) for half in halves)
    found = discrete_medians(np.array(numbers, float), np.array([float(c) for c in cuts]), median)
    assert found.tolist() == witness.medians(numbers, cuts, median.value)


def test_nothing_has_no_median_and_many_classes_are_no_matter() -> None:
    assert discrete_medians(np.zeros(0), np.zeros(0)).size == 0
    assert class_cuts(np.zeros(0), np.zeros(0, np.int32)).size == 0
    many = list(range(40))
    expected = [float(cut) for cut in witness.cuts([(x, x) for x in many])]
    assert class_cuts(np.array(many, float), np.array(many, np.int32)).tolist() == expected


def test_refuses_other_medians() -> None:
    with pytest.raises(ParameterError, match="no median 'mean'"):
        Median("mean")


RECORDS = [(0, 0, 1), (0, 0, 0), (0, 1, 2), (1, 1, 2), (1, 1, 1), (1, 0, 1), (1, 1, 1)]
TIMES = 4_000


def test_records_are_made_with_the_probabilities_of_the_algorithm() -> None:
    """False alarm: one in a million; counts of the original itself do not fit."""
    data = np.array(RECORDS * TIMES, np.int32).T
    kept, *columns = (np.ascontiguousarray(column) for column in data)
    made = draw_second_order(kept, columns, np.random.default_rng(1))
    seen: Counter[tuple[Hashable, ...]] = Counter(
        zip(kept.tolist(), *(column.tolist() for column in made), strict=True)
    )
    plain = [dict(zip("cab", row, strict=True)) for row in RECORDS]
    chances = second_order_rows(plain, "cab")
    assert {*seen} <= {row for row, p in chances.items() if p}
    # The kept column is not drawn, so that each of its values is a test of its own.
    for value, n in Counter(kept.tolist()).items():
        rows = [row for row in chances if row[0] == value]
        share = n / kept.size
        assert fits_counts(
            [seen[row] for row in rows], [float(chances[row]) / share for row in rows]
        )
        before: Counter[tuple[Hashable, ...]] = Counter(RECORDS)
        assert not fits_counts([seen[row] for row in rows], [before[row] for row in rows])


def test_counts_of_pairs_with_the_first_two_columns_are_kept_nearly() -> None:
    """Five standard deviations of a count of 28,000 records."""
    data = np.array(RECORDS * TIMES, np.int32).T
    kept, *columns = (np.ascontiguousarray(column) for column in data)
    first, _ = draw_second_order(kept, columns, np.random.default_rng(2))
    before, after = (np.bincount(2 * kept + column, minlength=4) for column in (columns[0], first))
    assert np.abs(before - after).max() < 5 * np.sqrt(len(RECORDS) * TIMES) / 2


def test_nothing_is_made_of_nothing() -> None:
    nothing = np.zeros(0, np.int32)
    assert draw_second_order(nothing, [nothing], np.random.default_rng(1))[0].size == 0
    assert draw_second_order(np.zeros(3, np.int32), [], np.random.default_rng(1)) == []
