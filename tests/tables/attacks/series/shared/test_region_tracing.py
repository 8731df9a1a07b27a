"""Regions: following records by what groups show, and a list of people."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.cases import load
from tests.tables.attacks.series.published import byun_series
from tests.tables.attacks.tables import frame_of_case, target
from unlinkable.errors import SchemaError, UnsupportedError
from unlinkable.release.attacks import Outcome
from unlinkable.tables.attacks.base.target import AdversaryKnowledge
from unlinkable.tables.attacks.series.record_tracing import RecordTracing
from unlinkable.tables.attacks.series.series import Edition, Series
from unlinkable.tables.data.side import Side

Row = tuple[int, int, str]
"""A record: the range of ages that it shows, closed, and what it hides."""


def series_of(*releases: list[Row], people: list[list[int]] | None = None) -> Series:
    """Publish ages."""
    editions = []
    for i, rows in enumerate(releases):
        columns = {
            "age": [f"[{low}-{high + 1})" for low, high, _ in rows],
            "s": [value for _, _, value in rows],
        }
        whose = list(range(len(rows))) if people is None else people[i]
        editions.append(Edition(target(columns, "age", "s"), np.array(whose), f"release {i}"))
    return Series(tuple(editions))


def traced(series: Series, ages: list[int], **parameters: Any) -> Outcome:
    people = {"name": [f"p{i}" for i in range(len(ages))], "age": ages}
    knowledge = AdversaryKnowledge(Side.of({"external": people}))
    return RecordTracing(knows="regions", limit=1, **parameters).run(series, knowledge)


@pytest.mark.parametrize(
    "situation",
    ["one_compatible_class", "two_compatible_one_has_value", "two_compatible_both_have_value"],
)
def test_rules_of_example_3(situation: str) -> None:
    case = load("byun-ex3-record-tracing-update-rules")
    given_, expected = case["input"], case["expected"]["computed"][situation]
    first = [(*given_["r_p"]["Q"]["Age"], given_["r_p"]["s"])]
    then = [
        (*group["Age"], value)
        for group in given_["next_release_classes"][situation]
        for value in group["sensitive"]
    ]
    ages = [age for _, age in given_["population_table"]["rows"]]
    outcome = traced(series_of(first, then), ages, k=given_["k"])
    assert outcome.details["exposed_in_1"] == int(expected["vulnerable_at_k_3"])
    for k in (len(expected["individuals"]), len(expected["individuals"]) + 1):
        found = traced(series_of(first, then), ages, k=k).details["exposed_in_1"]
        assert found == int(k > len(expected["individuals"]))


def test_bob_and_eve_are_traced_by_their_ages_and_gender() -> None:
    case = load("byun-ex2-intersection-attack")["input"]
    people = frame_of_case(case["patients_t1"]).select("NAME", "AGE", "Gender")
    knowledge = AdversaryKnowledge(Side.of({"external": people}))
    attack = RecordTracing(knows="regions", k=2, limit=1)
    outcome = attack.run(byun_series(case), knowledge)
    assert outcome.details["exposed_in_1"] == 2
    told = {v.who["person"] for v in outcome.victims if v.confidence == 1}
    assert {"Bob", "Eve"} <= told


RANGES = st.tuples(st.integers(20, 24), st.integers(0, 3)).map(lambda x: (x[0], x[0] + x[1]))
RECORDS = st.lists(
    st.tuples(RANGES, st.sampled_from("xy")).map(lambda x: (*x[0], x[1])), min_size=1, max_size=4
)


def candidates(first: list[Row], then: list[Row], ages: list[int]) -> list[set[int]] | None:
    """For every record of the first release who fits it, in all ways to find all records again."""
    found: list[set[int]] = [set() for _ in first]
    possible = False
    for chosen in permutations(range(len(then)), len(first)):
        pairs = [(row, then[i]) for row, i in zip(first, chosen, strict=True)]
        if all(a[2] == b[2] and a[0] <= b[1] and b[0] <= a[1] for a, b in pairs):
            possible = True
            for left, (a, b) in zip(found, pairs, strict=True):
                left |= {
                    i for i, age in enumerate(ages) if a[0] <= age <= a[1] and b[0] <= age <= b[1]
                }
    return found if possible else None


def n_exposed(first: list[Row], n_left: list[int], k: int) -> int:
    """Count records with too few candidates, or fewer than there are records like them."""
    return sum(0 < n < max(k, first.count(row)) for row, n in zip(first, n_left, strict=True))


@given(RECORDS, RECORDS, st.lists(st.integers(20, 27), min_size=1, max_size=6), st.integers(1, 4))
def test_matchings_that_find_all_records_again(
    first: list[Row], more: list[Row], ages: list[int], k: int
) -> None:
    """All injections of records, by hand, when nobody leaves."""
    then = [*((max(a - 1, 20), b, v) for a, b, v in first), *more]
    found = candidates(first, then, ages)
    assert found is not None
    outcome = traced(series_of(first, then), ages, k=k)
    assert outcome.details["contradicted"] == 0
    n_left = [len(left) for left in found]
    assert outcome.details["exposed_in_1"] == n_exposed(first, n_left, k)


@given(RECORDS, RECORDS, st.lists(st.integers(20, 27), min_size=1, max_size=6), st.integers(1, 4))
def test_once_somebody_left_a_record_may_be_anywhere_or_nowhere(
    first: list[Row], then: list[Row], ages: list[int], k: int
) -> None:
    """If everybody left, nothing is followed."""
    people = [list(range(len(first))), [10 + i for i in range(len(then))]]
    outcome = traced(series_of(first, then, people=people), ages, k=k)
    fits = [sum(a <= age <= b for age in ages) for a, b, _ in first]
    assert outcome.details["exposed_in_1"] == n_exposed(first, fits, k)


@given(RECORDS, RECORDS, st.lists(st.integers(20, 27), min_size=1, max_size=6), st.integers(1, 4))
def test_fewer_edges_expose_more(
    first: list[Row], more: list[Row], ages: list[int], k: int
) -> None:
    assume(first)
    series = series_of(first, [*first, *more])
    simple, exact = (traced(series, ages, k=k, edges=edges) for edges in ("all", "feasible"))
    assert int(str(simple.details["exposed_in_1"])) <= int(str(exact.details["exposed_in_1"]))


def test_refuses_lists_and_releases_without_regions() -> None:
    series = series_of([(20, 30, "x")], [(20, 30, "x")])
    knowledge = AdversaryKnowledge(Side.of({"external": {"name": ["Ann"], "zip": [1]}}))
    with pytest.raises(SchemaError, match="'external' has none of the columns"):
        RecordTracing(knows="regions").run(series, knowledge)
    columns = {"age": [20, 30], "bucket": ["1", "1"], "s": ["x", "y"]}
    told = target(columns, "age", "s", bucket="bucket")
    buckets = Series((Edition(told, np.arange(2), "one"), Edition(told, np.arange(2), "two")))
    knowledge = AdversaryKnowledge(Side.of({"external": {"name": ["Ann"], "age": [20]}}))
    with pytest.raises(UnsupportedError, match="one has buckets"):
        RecordTracing(knows="regions").run(buckets, knowledge)
