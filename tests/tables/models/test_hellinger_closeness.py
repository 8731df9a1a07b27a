"""Hellinger closeness: the thesis's table, the definition, and the claims."""

from __future__ import annotations

from fractions import Fraction
from math import isclose

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import cases
from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import finest_of, groups_of, rows_of_case
from tests.witness import closeness
from unlinkable.errors import ParameterError
from unlinkable.tables.models import HellingerCloseness, TCloseness
from unlinkable.tables.models.base import Merging


def test_table_5_3_of_the_thesis() -> None:
    case = cases.load("babu-hellinger-table5-3")
    synonyms = case["input"]["synonyms"]
    rows = {row["#"]: row for row in rows_of_case(case["input"]["table"])}
    counts = []
    for members in case["input"]["classes"].values():
        count = {"cancer": 0, "flu": 0}
        for i in members:
            disease = str(rows[i]["Disease"])
            count[synonyms.get(disease, disease)] += int(str(rows[i]["Count"]))
        counts.append(list(count.values()))
    groups, expected = groups_of(counts), case["expected"]
    promise = HellingerCloseness(case["input"]["t"], sensitive="s")
    assert np.allclose(
        promise.level(groups), [c["hellinger"] for c in expected["by_class"].values()], atol=1e-14
    )
    assert promise.holds(groups) is expected["t_close_hellinger_0.1"]
    assert HellingerCloseness(0.2, sensitive="s").holds(groups)


@given(tables(max_records=16), st.fractions(0, 1, max_denominator=12))
def test_says_what_the_definition_says(random: RandomTable, t: Fraction) -> None:
    level = closeness.table_distance(random.rows, random.qid, "s0", closeness.hellinger)
    verdict = HellingerCloseness(t, sensitive="s0").verdict(finest_of(random))
    if level is None:
        assert verdict.holds
        assert verdict.level is None
        return
    # The definition in floats is off by the root of a rounding error where it is nearly 0.
    assert isclose(verdict.level or 0.0, level, abs_tol=1e-7)
    if not isclose(level, t, abs_tol=1e-7):
        assert verdict.holds is (level <= t)


def test_distance_0_means_equal_shares() -> None:
    groups = groups_of([[1, 2, 3], [2, 4, 6], [1, 2, 4]], whole=[10, 20, 30])
    assert HellingerCloseness(0, sensitive="s").judge(groups).tolist() == [True, True, False]


def test_the_order_of_values_does_not_matter() -> None:
    promise = HellingerCloseness(1, sensitive="s")
    levels = promise.level(groups_of([[1, 1, 0, 0], [1, 0, 0, 1]], whole=[2, 2, 2, 2]))
    assert levels[0] == levels[1]


def test_merges_safely_and_compares_with_the_whole_table() -> None:
    promise = HellingerCloseness(0.1, sensitive="s")
    assert promise.merging is Merging.SAFE
    assert promise.local
    assert promise.relative


def test_is_t_closeness_with_its_distance() -> None:
    promise = HellingerCloseness(0.3, sensitive="s")
    assert promise.consequences() == (TCloseness(0.3, sensitive="s", distance="hellinger"),)
    assert promise.covers(HellingerCloseness(0.4, sensitive="s"))
    assert not promise.covers(HellingerCloseness(0.2, sensitive="s"))


def test_says_what_is_the_matter() -> None:
    promise, groups = HellingerCloseness(0.2, sensitive="s"), groups_of([[1, 1]], whole=[1, 99])
    assert promise.witness(groups, 0) == (
        "0.4751 away from all records (s: v00 1, v01 1), and at most 0.2 is allowed"
    )
    assert "ask for t of at least 0.4751" in promise.explain_failure(groups)


def test_asks_for_less_by_a_twentieth() -> None:
    assert HellingerCloseness(0.2).weaker() == HellingerCloseness(0.25)
    assert HellingerCloseness(0.95).weaker() is None


def test_is_written_as_it_is_read() -> None:
    assert str(HellingerCloseness("1/3")) == 'hellinger-closeness(t="1/3")'


@pytest.mark.parametrize(
    ("t", "message"),
    [(-0.1, "t must be at least 0, got -1/10"), (2, "t must be at most 1, got 2")],
)
def test_refuses_distances_that_mean_nothing(t: float, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        HellingerCloseness(t)
