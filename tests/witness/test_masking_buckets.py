"""The witnesses of buckets say what the worked examples say, and keep what is proved of them."""

from __future__ import annotations

import random
from collections.abc import Hashable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import load
from tests.witness import buckets
from tests.witness.models import Row
from tests.witness.test_worked import exact, rows_of
from tests.witness.worlds import Prior, delta_ceiling

numbers = st.lists(st.integers(0, 9), min_size=1, max_size=7)


def test_anatomy_of_the_patients() -> None:
    case = load("book-ch03-ex3.1-anatomy")
    rows = rows_of(case["input"]["original"])
    parts = [[0, 1, 2, 3, 4, 5], [6, 7, 8, 9]]
    qit, st_ = buckets.anatomy_tables(rows, parts, "Disease", "GroupID")
    assert qit == rows_of(case["expected"]["QIT"])
    told = [{**row, "Count": row["count"]} for row in st_]
    assert [{c: r[c] for c in ("GroupID", "Disease", "Count")} for r in told] == rows_of(
        case["expected"]["ST"]
    )
    found = buckets.estimated_count(
        qit,
        st_,
        lambda row: row["Age"] == 38,
        lambda row: row["Disease"] == "Heart",
        "GroupID",
    )
    assert found == exact(case["expected"]["estimate_anatomy"])
    shown = [{"Age": range(35, 40), "Disease": [row["Disease"]]} for row in rows[6:]]
    wanted: dict[str, list[Hashable]] = {"Age": [38], "Disease": ["Heart"]}
    assert buckets.estimated_from_sets(shown, wanted) == exact(
        case["expected"]["estimate_generalized"]
    )


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("l", [2, 3])
def test_anatomize_the_patients(l: int, seed: int) -> None:  # noqa: E741
    case = load("book-ch05-anatomize-table3.1")
    values = [row["Disease"] for row in rows_of(case["input"]["table"])]
    expected = case["expected"][f"l={l}"]
    parts, residue = buckets.anatomize(values, l, random.Random(seed).choice)
    assert len(parts) == expected["groups"]
    assert residue == expected["residue_records"]
    sizes = expected.get("group_sizes") or expected["group_sizes_sorted"]
    assert sorted(map(len, parts)) == sizes
    assert buckets.anatomy_faults(values, parts, l) == []


def test_anatomize_refuses_what_is_too_common() -> None:
    case = load("book-ch05-anatomize-table3.1")
    values = [row["Disease"] for row in rows_of(case["input"]["table"])]
    assert not buckets.is_eligible(values, 4)
    with pytest.raises(ValueError, match="more than 1/4"):
        buckets.anatomize(values, 4)


@given(
    st.lists(st.sampled_from("aaabbcdef"), min_size=1, max_size=40),
    st.integers(1, 5),
    st.integers(0, 99),
)
def test_whatever_anatomize_chooses_no_group_has_a_value_twice(
    values: list[Hashable],
    l: int,  # noqa: E741
    seed: int,
) -> None:
    if buckets.is_eligible(values, l):
        parts, residue = buckets.anatomize(values, l, random.Random(seed).choice)
        assert buckets.anatomy_faults(values, parts, l) == []
        assert residue == len(values) % l


@pytest.mark.parametrize(
    ("parts", "fault"),
    [
        ([[0, 1], [2]], "no partition"),
        ([[0], [1, 2, 3]], "too small"),
        ([[0, 2], [1, 3]], "twice"),
        ([[0, 1, 2, 3]], "1 groups"),
    ],
)
def test_faults_of_an_anatomy_are_seen(parts: list[list[int]], fault: str) -> None:
    faults = buckets.anatomy_faults(["a", "b", "a", "b"], parts, 2)
    assert any(fault in said for said in faults)


def test_the_salaries_of_the_artists_are_one_group() -> None:
    case = load("book-ch02-table2.6-k-e-anonymity-proximity")
    values = [row[2] for row in case["input"]["table"]["rows"]]
    assert buckets.ke_cost(values, [list(range(10))], 7, 50) == 50
    assert buckets.ke_least_cost(values, 7, 50) == 50
    assert buckets.ke_least_cost(values, 8, 50) is None
    assert buckets.ke_least_cost(values, 7, 51) is None


@given(numbers, st.integers(1, 3), st.integers(0, 4))
def test_no_grouping_is_better_than_runs_of_sorted_numbers(
    values: list[int], k: int, e: int
) -> None:
    assert buckets.ke_least_cost(values, k, e) == buckets.ke_least_cost_of_any(values, k, e)


chances = st.integers(0, 20).map(lambda n: Fraction(n, 20))


@given(st.lists(st.lists(chances, min_size=1, max_size=2), min_size=1, max_size=5), st.data())
def test_the_bounding_condition_suffices(f: list[list[Fraction]], data: st.DataObject) -> None:
    r = data.draw(st.sampled_from([Fraction(3, 2), Fraction(2), Fraction(5, 2), Fraction(3)]))
    n_sets = min(map(len, f))
    group: list[Row] = [{"i": i, "s": f"v{i}"} for i in range(len(f))]

    def prior(a: int) -> Prior:
        return lambda row, value: f[int(str(row["i"]))][a]

    priors = [prior(a) for a in range(n_sets)]
    if buckets.is_robust_bucket(group, "s", priors, r):
        assert max(buckets.robust_posteriors(group, "s", priors).values()) <= 1 / r


@pytest.mark.parametrize(("n", "r"), [(3, 2), (4, 2), (6, 4)])
def test_at_the_ceiling_the_bound_is_tight(n: int, r: int) -> None:
    top = Fraction(3, 10)
    low = top - delta_ceiling(n, r, top)
    group: list[Row] = [{"f": top if i == 0 else low, "s": f"v{i}"} for i in range(n)]
    priors: list[Prior] = [lambda row, value: Fraction(str(row["f"]))]
    assert buckets.is_robust_bucket(group, "s", priors, r)
    assert buckets.robust_posteriors(group, "s", priors)["v0"] == Fraction(1, r)
    tighter = Fraction(r) + Fraction(1, 1000)
    assert not buckets.is_robust_bucket(group, "s", priors, tighter)


def test_every_attribute_set_counts() -> None:
    group: list[Row] = [{"a": 2, "b": 1, "s": "x"}, {"a": 2, "b": 9, "s": "y"}]

    def known(column: str) -> Prior:
        return lambda row, value: Fraction(int(str(row[column])), 10)

    assert buckets.is_robust_bucket(group, "s", [known("a")], 2)
    assert not buckets.is_robust_bucket(group, "s", [known("a"), known("b")], 2)
    assert buckets.robust_posteriors(group, "s", [known("a"), known("b")])["y"] > Fraction(9, 10)
