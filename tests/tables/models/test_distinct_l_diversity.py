"""Distinct l-diversity: worked examples, the definition, the most groups a table can have."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import cases
from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import finest_of, groups_of, rows_of_case
from tests.witness import models
from unlinkable.errors import ParameterError
from unlinkable.tables.models import DistinctLDiversity


def most_groups(counts: Sequence[int], l: int) -> int:  # noqa: E741
    """Give every group the l values that have the most records left; count how many get them."""
    left, n_groups = list(counts), 0
    while True:
        left.sort(reverse=True)
        if len(left) < l or left[l - 1] == 0:
            return n_groups
        left[:l] = [c - 1 for c in left[:l]]
        n_groups += 1


def test_tables_2_4_and_2_6_of_the_thesis() -> None:
    homogeneous = cases.load("babu-table2-4-homogeneity")
    rows = rows_of_case(homogeneous["input"]["anonymized"])
    values = sorted({str(row["Disease"]) for row in rows})
    qid = homogeneous["input"]["quasi_identifier"]
    counts = [
        [sum(row["Disease"] == v for row in group) for v in values]
        for group in models.groups(rows, qid).values()
    ]
    promise = DistinctLDiversity(3, sensitive="s")
    groups = groups_of(counts)
    assert promise.level(groups).tolist() == [
        c["distinct"] for c in homogeneous["expected"]["classes"]
    ]
    assert promise.judge(groups).tolist() == [False, True, False]
    assert promise.verdict(groups).achieved == {"l": homogeneous["expected"]["table_distinct_l"]}


def test_five_hiv_patients_allow_five_groups() -> None:
    case = cases.load("book-ch02-l-diversity-max-groups")
    counts = np.array(list(case["input"]["counts"].values()))
    found = DistinctLDiversity(case["input"]["l"]).most_groups(counts)
    assert found == case["expected"]["max_groups"]
    assert counts.sum() / found == case["expected"]["average_group_size_at_max_groups"]


@given(tables(), st.integers(1, 4))
def test_says_what_the_definition_says(random: RandomTable, l: int) -> None:  # noqa: E741
    groups = finest_of(random)
    for s in random.sensitive:
        promise = DistinctLDiversity(l, sensitive=s)
        verdict = promise.verdict(groups)
        assert verdict.level == models.distinct_l(random.rows, random.qid, s)
        assert verdict.holds is models.is_distinct_l_diverse(random.rows, random.qid, s, l)


@given(st.lists(st.integers(0, 12), min_size=1, max_size=6), st.integers(1, 5))
def test_no_more_groups_than_can_be_given_l_values(counts: list[int], l: int) -> None:  # noqa: E741
    assert DistinctLDiversity(l).most_groups(np.array(counts)) == most_groups(counts, l)


def test_a_missing_value_is_a_value() -> None:
    table = RandomTable([{"q": "x", "s": "a"}, {"q": "x", "s": None}], ("q",), ("s",), {}, None)
    assert models.distinct_l(table.rows, table.qid, "s") == 2
    assert DistinctLDiversity(2, sensitive="s").holds(finest_of(table))


def test_asks_for_less_by_one_down_to_two() -> None:
    assert DistinctLDiversity(3, sensitive="s").weaker() == DistinctLDiversity(2, sensitive="s")
    assert DistinctLDiversity(2).weaker() is None


def test_explains_that_there_are_too_few_values() -> None:
    promise = DistinctLDiversity(4, sensitive="s")
    assert promise.explain_failure(groups_of([[1, 2, 0, 0], [0, 1, 1, 0]])) == (
        "'s' has 3 different values in all 5 records, and every group needs 4: "
        "ask for l of at most 3"
    )


def test_refuses_what_means_nothing() -> None:
    with pytest.raises(ParameterError, match="l must be at least 1, got 0"):
        DistinctLDiversity(0)
    with pytest.raises(ParameterError, match=r"l must be a whole number, got 1\.5"):
        DistinctLDiversity(1.5)  # type: ignore[arg-type]
