"""Buckets against the witnesses: what every run keeps, and the optimum where there is one."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.methods.masked import hidden_of, masked, parts_of, records_of, texts
from tests.witness import buckets, bundles, noise_tests
from tests.witness.models import Row
from tests.witness.worlds import Prior, is_delta_bounded, value_posterior
from unlinkable.errors import InfeasibleError
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.methods.base.record_method import MaskedRecords
from unlinkable.tables.methods.buckets import Anatomize, KEPermutation, RRobustBucketization
from unlinkable.tables.models import (
    DeltaBounding,
    DistinctLDiversity,
    EntropyLDiversity,
    FrequencyLDiversity,
    KEAnonymity,
    RRobustness,
)

values_of_people = st.lists(st.sampled_from("aaaabbcdef"), min_size=1, max_size=24)


def ward(values: Sequence[Any]) -> Table:
    return as_table(
        {"id": [f"q{i}" for i in range(len(values))], "ill": list(values)},
        quasi="id",
        sensitive="ill",
    )


def check_tables(found: MaskedRecords, values: Sequence[Any], *, n_suppressed: int = 0) -> None:
    """Check that both tables tell the truth, and no more than they should."""
    assert found.buckets is not None
    assert found.rows is not None
    records, hidden, column = records_of(found), hidden_of(found), found.buckets.column
    assert bundles.bucket_faults(texts(records), texts(hidden), column) == []
    assert [row["id"] for row in records] == [f"q{i}" for i in found.rows.tolist()]
    assert len({*found.rows.tolist()}) == len(records) == len(values) - n_suppressed
    true: dict[Any, Counter[Any]] = {}
    for i, row in zip(found.rows.tolist(), records, strict=True):
        true.setdefault(row[column], Counter())[values[i]] += 1
    told: dict[Any, Counter[Any]] = {}
    for row in hidden:
        told.setdefault(row[column], Counter())[row["ill"]] += row["count"]
    assert told == true


def levels(found: MaskedRecords) -> bundles.Counts:
    assert found.buckets is not None
    return bundles.bucket_counts(texts(hidden_of(found)), found.buckets.column, "ill")


@given(values_of_people, st.integers(2, 4), st.integers(0, 9))
def test_anatomize_keeps_all_that_is_proved_of_it(values: list[str], l: int, seed: int) -> None:  # noqa: E741
    if not buckets.is_eligible(values, l):
        with pytest.raises(InfeasibleError):
            masked(Anatomize(), ward(values), [FrequencyLDiversity(l)], seed=seed)
        return
    found = masked(Anatomize(), ward(values), [FrequencyLDiversity(l)], seed=seed)
    assert buckets.anatomy_faults(values, parts_of(found), l) == []
    check_tables(found, values)
    assert bundles.frequency_level(levels(found)) >= l


@given(values_of_people, st.sampled_from([Fraction(3, 2), Fraction(2), Fraction(5, 2)]))
def test_anatomize_keeps_every_form_of_diversity_that_the_whole_table_has(
    values: list[str],
    l: Fraction,  # noqa: E741
) -> None:
    whole = {0: Counter(values)}
    for model, level, least in (
        (FrequencyLDiversity(l), bundles.frequency_level, l),
        (DistinctLDiversity(int(l) + 1), bundles.distinct_level, int(l) + 1),
        (EntropyLDiversity(l), bundles.entropy_level, l),
    ):
        possible = level(whole) >= least - Fraction(1, 10**9)  # type: ignore[arg-type]
        if not possible:
            with pytest.raises(InfeasibleError):
                masked(Anatomize(), ward(values), [model])
            continue
        found = masked(Anatomize(), ward(values), [model])
        check_tables(found, values)
        assert level(levels(found)) >= least - Fraction(1, 10**9)


def fewest_left_out(values: Sequence[str], l: int) -> int:  # noqa: E741
    """Give how many records have to go until the table is eligible, by taking the most frequent."""
    left, n = list(values), 0
    while left and not buckets.is_eligible(left, l):
        left.remove(Counter(left).most_common(1)[0][0])
        n += 1
    return n


@given(values_of_people, st.integers(2, 3), st.sampled_from([Fraction(1, 4), Fraction(3, 5)]))
def test_anatomize_leaves_out_no_more_than_it_must(
    values: list[str],
    l: int,  # noqa: E741
    limit: Fraction,
) -> None:
    needed = fewest_left_out(values, l)
    if needed > limit * len(values) or needed == len(values):
        with pytest.raises(InfeasibleError):
            masked(Anatomize(), ward(values), [FrequencyLDiversity(l)], limit=limit)
        return
    found = masked(Anatomize(), ward(values), [FrequencyLDiversity(l)], limit=limit)
    assert found.n_suppressed == needed
    check_tables(found, values, n_suppressed=needed)
    assert bundles.frequency_level(levels(found)) >= l


@pytest.mark.parametrize("ordered", [True, False])
def test_the_place_in_a_bucket_does_not_tell_the_value(ordered: bool) -> None:
    """Whether the first record of 4,000 buckets has the first value; one false alarm in 10^6."""
    values = ["a"] * 4000 + ["b"] * 4000 if ordered else ["a", "b"] * 4000
    found = masked(Anatomize(), ward(values), [FrequencyLDiversity(2)])
    first = [values[part[0]] == "a" for part in parts_of(found)]
    assert len(first) == 4000
    assert abs(sum(first) / 4000 - 1 / 2) < noise_tests.critical_distance(4000, 1e-6)


def test_partners_are_not_neighbours_in_the_table() -> None:
    """How far apart the places of partners are: random pairs are n/3 apart in the mean."""
    found = masked(Anatomize(), ward(["a", "b"] * 2000), [FrequencyLDiversity(2)])
    apart = [abs(a - b) / 4000 for a, b in parts_of(found)]
    assert noise_tests.agrees(apart, lambda x: 1 - (1 - min(x, 1.0)) ** 2, 1e-6)


numbers = st.lists(st.integers(0, 12), min_size=1, max_size=14)


@given(numbers, st.integers(1, 3), st.integers(0, 4))
def test_permutation_has_the_least_sum_of_ranges(values: list[int], k: int, e: int) -> None:
    best = buckets.ke_least_cost(values, k, e)
    if best is None:
        with pytest.raises(InfeasibleError):
            masked(KEPermutation(), ward(values), [KEAnonymity(k, e)])
        return
    found = masked(KEPermutation(), ward(values), [KEAnonymity(k, e)])
    check_tables(found, values)
    assert buckets.ke_cost(values, parts_of(found), k, e) == best
    assert found.facts["sum of ranges"] == best


@given(st.lists(st.integers(0, 9), min_size=1, max_size=7), st.integers(1, 3), st.integers(0, 4))
def test_permutation_is_as_good_as_any_partition(values: list[int], k: int, e: int) -> None:
    best = buckets.ke_least_cost_of_any(values, k, e)
    if best is not None:
        found = masked(KEPermutation(k=k, e=e), ward(values), [KEAnonymity(k, e)])
        assert buckets.ke_cost(values, parts_of(found), k, e) == best


@given(
    st.lists(st.integers(-30, 30).map(lambda n: n / 10), min_size=2, max_size=12),
    st.integers(1, 3),
    st.sampled_from(["0.1", "0.3", "1.1"]),
)
def test_permutation_counts_in_the_decimals_that_were_written(
    values: list[float], k: int, e: str
) -> None:
    exact = [Fraction(str(value)) for value in values]
    best = buckets.ke_least_cost(exact, k, Fraction(e))
    if best is None:
        with pytest.raises(InfeasibleError):
            masked(KEPermutation(), ward(values), [KEAnonymity(k, e)])
        return
    found = masked(KEPermutation(), ward(values), [KEAnonymity(k, e)])
    assert buckets.ke_cost(exact, parts_of(found), k, Fraction(e)) == best


believed = st.sampled_from(["1/10", "1/5", "3/20", "1/100"])


@st.composite
def crowds(draw: st.DrawFn, max_size: int = 7) -> tuple[list[Row], dict[str, Any], list[Prior]]:
    """Draw people with two signatures, and what is believed by each of them of every value."""
    kinds = st.tuples(st.sampled_from("mf"), st.sampled_from("yo"), st.sampled_from("xyzuv"))
    drawn = draw(st.lists(kinds, min_size=1, max_size=max_size))
    people: list[Row] = [{"sex": a, "age": b, "ill": v} for a, b, v in drawn]
    side, priors = {}, []
    for column, signatures in (("sex", "mf"), ("age", "yo")):
        table = {(s, v): draw(believed) for s in signatures for v in "xyzuv"}
        side[f"by {column}"] = {
            column: [s for s, _ in table],
            "value": [v for _, v in table],
            "p": [float(Fraction(p)) for p in table.values()],
        }
        priors.append(_prior(column, {key: Fraction(p) for key, p in table.items()}))
    return people, side, priors


def _prior(column: str, table: dict[tuple[str, str], Fraction]) -> Prior:
    return lambda row, value: table[str(row[column]), str(value)]


def people_of(rows: Sequence[Row]) -> Table:
    columns = {c: [row[c] for row in rows] for c in ("sex", "age", "ill")}
    return as_table(columns, quasi=["sex", "age"], sensitive="ill")


def some_partition(
    people: Sequence[Row], priors: Sequence[Prior], r: Fraction
) -> list[list[int]] | None:
    """Give a partition whose groups all meet the bounding condition, if there is one."""
    for parts in buckets.set_partitions(len(people)):
        if all(
            is_delta_bounded([people[i] for i in part], "ill", prior, r)
            for part in parts
            for prior in priors
        ):
            return parts
    return None


@given(crowds(max_size=10), st.sampled_from([Fraction(3, 2), Fraction(2), Fraction(3)]))
def test_robust_buckets_are_robust_by_thinking_of_all_worlds(
    crowd: tuple[list[Row], dict[str, Any], list[Prior]], r: Fraction
) -> None:
    people, side, priors = crowd
    privacy = [RRobustness(r, prior=[*side])]
    try:
        found = masked(RRobustBucketization(), people_of(people), privacy, side=side)
    except InfeasibleError:
        return
    parts = parts_of(found)
    assert sorted(i for part in parts for i in part) == list(range(len(people)))
    for part in parts:
        group = [people[i] for i in part]
        for prior in priors:
            for value in {row["ill"] for row in group}:
                assert max(value_posterior(group, "ill", value, prior)) <= 1 / r


@given(crowds(max_size=10), st.sampled_from([Fraction(3, 2), Fraction(2), Fraction(3)]))
def test_bounded_buckets_meet_the_condition(
    crowd: tuple[list[Row], dict[str, Any], list[Prior]], r: Fraction
) -> None:
    people, side, priors = crowd
    privacy = [DeltaBounding(r, prior=[*side])]
    try:
        found = masked(RRobustBucketization(), people_of(people), privacy, side=side)
    except InfeasibleError:
        return
    for part in parts_of(found):
        group = [people[i] for i in part]
        assert buckets.is_robust_bucket(group, "ill", priors, r)


@given(crowds(max_size=6), st.sampled_from([Fraction(3, 2), Fraction(2)]))
def test_no_buckets_are_found_where_no_partition_is_bounded(
    crowd: tuple[list[Row], dict[str, Any], list[Prior]], r: Fraction
) -> None:
    people, side, priors = crowd
    privacy = [DeltaBounding(r, prior=[*side])]
    if some_partition(people, priors, r) is None:
        with pytest.raises(InfeasibleError):
            masked(RRobustBucketization(), people_of(people), privacy, side=side)


def test_buckets_are_found_for_most_crowds_that_have_some() -> None:
    """The search is a heuristic: of these small crowds it may give up on one in four at most."""
    rng, possible, found = random.Random(1), 0, 0
    while possible < 40:
        drawn = [(rng.choice("mf"), rng.choice("yo"), rng.choice("xyzuv")) for _ in range(6)]
        people: list[Row] = [{"sex": a, "age": b, "ill": v} for a, b, v in drawn]
        chances = {
            (sex, v): Fraction(rng.choice(["1/20", "1/10", "1/5"])) for sex in "mf" for v in "xyzuv"
        }
        us = {
            "sex": [sex for sex, _ in chances],
            "value": [v for _, v in chances],
            "p": [float(p) for p in chances.values()],
        }
        if some_partition(people, [_prior("sex", chances)], Fraction(2)) is None:
            continue
        possible += 1
        try:
            privacy = [DeltaBounding(2, prior="us")]
            masked(RRobustBucketization(), people_of(people), privacy, side={"us": us})
            found += 1
        except InfeasibleError:
            pass
    assert found >= 30
