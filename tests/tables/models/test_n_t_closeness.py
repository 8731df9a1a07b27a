"""(n,t)-closeness: the thesis's table, the definition, and why merging is not safe."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from tests import cases
from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import finest_of, groups_of, rows_of_case
from tests.tables.models.samples.closeness import towns
from tests.witness import closeness, emd
from unlinkable import as_table, check
from unlinkable.errors import ParameterError, SchemaError
from unlinkable.tables.groups import Groups
from unlinkable.tables.models import NTCloseness, TCloseness
from unlinkable.tables.models.base import Merging


def test_table_5_3_of_the_thesis() -> None:
    case = cases.load("babu-hellinger-table5-3")
    synonyms = case["input"]["synonyms"]
    rows = {row["#"]: row for row in rows_of_case(case["input"]["table"])}
    columns: dict[str, list[str]] = {"zip": [], "age": [], "ill": []}
    for shown, members in case["input"]["classes"].items():
        place, age = shown.split(" / ")
        for i in members:
            n = int(str(rows[i]["Count"]))
            disease = str(rows[i]["Disease"])
            for name, value in zip(
                columns, (place, age, synonyms.get(disease, disease)), strict=True
            ):
                columns[name] += [value] * n
    table = as_table(columns, quasi=["zip", "age"], sensitive="ill")

    def reached(n: int) -> float | None:
        return check(table, NTCloseness(n, 1)).verdicts[0].level

    # The two groups with 476** are alike, and are 1000 records together.
    assert check(table, NTCloseness(1000, 0.1)).holds
    assert [reached(n) for n in (400, 1000)] == [0.0, 0.0]
    # With more, the whole table is the only superset: distances are those of t-closeness.
    far = case["expected"]["by_class"]["476** / 2*"]["emd_equal"]
    assert reached(1001) == reached(3000) == far
    assert check(table, NTCloseness(3001, 1)).verdicts[0].achieved == {"t": None}


@given(
    tables(max_records=14, max_qid=3),
    st.integers(1, 15),
    st.fractions(0, 1, max_denominator=12),
    st.sampled_from(["equal", "hierarchical", "ordered"]),
)
def test_says_what_the_definition_says(
    random: RandomTable, n: int, t: Fraction, distance: str
) -> None:
    tree = random.trees["s0"]
    present = {row["s0"] for row in random.rows}
    if distance == "ordered" and None in present:
        return
    order = [v for v in tree.leaves if v in present]
    measure = {
        "equal": emd.emd_equal,
        "hierarchical": lambda p, q: emd.emd_hierarchical(p, q, tree),
        "ordered": lambda p, q: emd.emd_ordered(p, q, order),
    }[distance]
    level = closeness.nt_closeness(random.rows, random.qid, "s0", n, measure)
    verdict = NTCloseness(n, t, sensitive="s0", distance=distance).verdict(finest_of(random))
    assert verdict.holds is (level is None or level <= t)
    if level is None:
        assert verdict.level is None
    else:
        assert verdict.level == pytest.approx(float(level), abs=1e-12)


@given(tables(max_records=14, min_records=1), st.fractions(0, 1, max_denominator=12))
def test_with_all_records_it_is_t_closeness(random: RandomTable, t: Fraction) -> None:
    groups = finest_of(random)
    n = len(random.rows)
    for distance in ("equal", "ordered", "kl", "hellinger"):
        near = TCloseness(t, sensitive="s0", distance=distance)
        natural = NTCloseness(n, t, sensitive="s0", distance=distance)
        assert natural.judge(groups).tolist() == near.judge(groups).tolist()
        assert natural.level(groups).tolist() == near.level(groups).tolist()


@given(tables(max_records=14, min_records=1), st.integers(1, 14))
def test_t_closeness_implies_it_where_there_are_n_records(random: RandomTable, n: int) -> None:
    groups = finest_of(random)
    level = NTCloseness(n, 1, sensitive="s0").level(groups)
    if n <= len(random.rows):
        assert (level <= TCloseness(1, sensitive="s0").level(groups)).all()
    else:
        assert np.isinf(level).all()


def test_a_large_group_is_its_own_superset() -> None:
    groups = groups_of([[5, 0], [0, 2]])
    assert NTCloseness(5, 0, sensitive="s").judge(groups).tolist() == [True, False]
    assert NTCloseness(5, 0, sensitive="s").level(groups).tolist() == [0.0, 5 / 7]


def test_merging_is_not_safe_even_if_a_whole_column_is_given_up() -> None:
    promise, groups = NTCloseness(3, 0, sensitive="s"), towns()
    assert promise.merging is Merging.UNSAFE
    assert promise.judge(groups).tolist() == [True] * 4
    by_street, _ = groups.project(("street",))
    assert promise.level(by_street).tolist() == [1 / 4, 0.0]
    first_of_each = groups.merge(
        np.array([0, 1, 0, 2], np.int32),
        3,
        groups.columns,
        np.array([[2, 0], [0, 1], [1, 1]], np.int32),
    )
    assert not promise.judge(first_of_each)[0]


def test_a_split_is_judged_with_the_groups_that_were_not_split() -> None:
    """The parts are good by themselves, and others lose a superset that was large enough."""
    promise, groups = NTCloseness(3, 0, sensitive="s"), towns()
    for parts in (np.array([True, True, False, False]), np.ones(4, bool)):
        for column in groups.columns:
            assert promise.survives(groups, parts, column) == promise.holds(groups)
    by_street, _ = groups.project(("street",))
    assert not promise.survives(by_street, np.array([False, True]), "street")


def test_looks_at_other_groups_and_at_the_whole_table() -> None:
    promise = NTCloseness(3, 0, sensitive="s")
    assert not promise.local
    assert promise.relative
    # Alone, the records of a street have no town around them.
    alone = towns().select(np.array([True, False, True, False]))
    assert promise.judge(alone).tolist() == [False, False]
    assert promise.level(alone).tolist() == [1 / 4, 3 / 4]


def test_columns_that_say_nothing_new_change_nothing() -> None:
    groups = towns()
    twice = evolve(
        groups,
        columns=("town", "street", "same", "town too"),
        keys=np.column_stack([groups.keys, np.zeros(4, np.int32), groups.keys[:, 0]]),
    )
    for n in range(1, 14):
        promise = NTCloseness(n, 0, sensitive="s")
        assert promise.level(twice).tolist() == promise.level(groups).tolist()


def test_the_verdict_says_what_is_natural() -> None:
    verdict = NTCloseness(3, 0, sensitive="s").verdict(towns())
    assert verdict.reading == (
        "a natural superset of a group is all records that show the same on some of the "
        "quasi-identifying columns: on none of them, the whole table"
    )


def test_says_what_is_the_matter() -> None:
    groups = towns()
    assert NTCloseness(10, 0.1, sensitive="s").witness(groups, 0) == (
        "0.25 away from the nearest set of at least 10 records around it (s: v00 1), and at most "
        "0.1 is allowed"
    )
    assert NTCloseness(13, 0.1, sensitive="s").witness(groups, 0) == (
        "the table has 12 records, and a superset of at least 13 must be there"
    )


def test_explains_that_the_table_is_too_small() -> None:
    together = groups_of([[3, 4]])
    assert NTCloseness(9, 0.1, sensitive="s").explain_failure(together) == (
        'n-t-closeness(n=9, t=0.1, sensitive="s") needs a table of 9 records, and this one has 7: '
        "ask for less"
    )
    apart = groups_of([[3, 1]], whole=[4, 5])
    assert "all 4 records together reach" in NTCloseness(9, 0, sensitive="s").explain_failure(apart)


def test_more_records_and_shorter_distances_are_stronger() -> None:
    strong = NTCloseness(9, 0.1, sensitive="s")
    assert strong.covers(NTCloseness(5, 0.2, sensitive="s", distance="variational"))
    assert not strong.covers(NTCloseness(10, 0.2, sensitive="s"))
    assert not strong.covers(NTCloseness(5, 0.05, sensitive="s"))
    assert not strong.covers(NTCloseness(5, 0.2, sensitive="s", distance="kl"))
    assert not strong.covers(TCloseness(0.2, sensitive="s"))


def test_asks_for_less_by_a_twentieth() -> None:
    assert NTCloseness(9, 0.2).weaker() == NTCloseness(9, 0.25)
    assert NTCloseness(9, 0.95).weaker() is None
    assert NTCloseness(9, 2, distance="kl").weaker() == NTCloseness(9, 2.05, distance="kl")


def test_is_written_as_it_is_read() -> None:
    promise = NTCloseness(1000, "1/3", distance="hellinger")
    assert str(promise) == 'n-t-closeness(n=1000, t="1/3", distance="hellinger")'


@pytest.mark.parametrize(
    ("n", "message"),
    [(0, "n must be at least 1, got 0"), (1.5, "n must be a whole number, got 1.5")],
)
def test_refuses_numbers_of_records_that_mean_nothing(n: int, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        NTCloseness(n, 0.1)


def _wide(n_columns: int) -> Groups:
    keys = np.array(list(product([0, 1], repeat=2)), np.int32)
    wide = np.tile(keys, (1, n_columns))[:, :n_columns]
    return evolve(towns(), columns=tuple(f"q{i}" for i in range(n_columns)), keys=wide)


def test_refuses_more_columns_than_can_be_tried() -> None:
    promise = NTCloseness(3, 0, sensitive="s")
    assert promise.judge(_wide(16)).shape == (4,)
    with pytest.raises(SchemaError, match="each set of 17 columns, and at most 16 columns can be"):
        promise.judge(_wide(17))
    assert math.isinf(NTCloseness(99, 0, sensitive="s").level(_wide(2))[0])
