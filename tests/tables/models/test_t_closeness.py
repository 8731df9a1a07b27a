"""t-closeness: worked examples, the definition with each distance, and the claims."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import isclose

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from tests import cases
from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import finest_of, groups_of, rows_of_case, taxonomy_of
from tests.witness import emd, models
from tests.witness.models import Distance
from tests.witness.tree import Tree
from unlinkable.errors import ParameterError, SchemaError
from unlinkable.tables.models import GroundDistance, TCloseness
from unlinkable.tables.models.base import Merging
from unlinkable.tables.models.shared.given_distances import GivenDistances

VALUES = [f"v{i:02}" for i in range(5)]
NEAR = GivenDistances("near.csv", dict.fromkeys(combinations(VALUES, 2), Fraction(1, 3)))


def by_definition(random: RandomTable, sensitive: str, ground: GroundDistance) -> Distance:
    """Each distance in its closed form, in fractions; None, if it occurs, 1 from all others."""
    tree = random.trees[sensitive]
    present = {row[sensitive] for row in random.rows}
    order = [v for v in tree.leaves if v in present]
    match ground:
        case GroundDistance.EQUAL | GroundDistance.VARIATIONAL:
            return emd.emd_equal
        case GroundDistance.HIERARCHICAL:
            return lambda p, q: emd.emd_hierarchical(p, q, tree)
        case GroundDistance.ORDERED if None not in present:
            return lambda p, q: emd.emd_ordered(p, q, order)
        case GroundDistance.ORDERED:
            in_row = emd.ordered_ground([v for v in order if v is not None])

            def apart(v: object, w: object) -> Fraction:
                return Fraction(v is not w) if v is None or w is None else in_row(v, w)

            # The transport problem has a best solution of few digits: rounding finds it.
            size = len(random.rows) ** 2 * max(len(order) - 2, 1)
            return lambda p, q: Fraction(emd.emd_by_transport(p, q, apart)).limit_denominator(size)
    raise AssertionError(ground)


@given(
    tables(max_records=16),
    st.sampled_from(["equal", "variational", "ordered", "hierarchical"]).map(GroundDistance),
    st.fractions(0, 1, max_denominator=12),
)
def test_says_what_the_definition_says(
    random: RandomTable, ground: GroundDistance, t: Fraction
) -> None:
    groups = finest_of(random)
    for s in random.sensitive:
        distance = by_definition(random, s, ground)
        level = models.t_closeness(random.rows, random.qid, s, distance)
        verdict = TCloseness(t, sensitive=s, distance=ground).verdict(groups)
        assert verdict.holds is models.is_t_close(random.rows, random.qid, s, distance, t)
        if level is None:
            assert verdict.level is None
            continue
        assert isclose(verdict.level or 0.0, level, abs_tol=1e-12)
        assert TCloseness(level, sensitive=s, distance=ground).holds(groups)
        if level:
            below = level - Fraction(1, 10**15)
            assert not TCloseness(below, sensitive=s, distance=ground).holds(groups)


def test_a_group_of_halves_in_a_skewed_table() -> None:
    case = cases.load("book-ch02-t-closeness-skewness")["expected"]
    groups = groups_of([[50, 50]], whole=[950, 50])
    for text, holds in case["t_closeness"].items():
        assert TCloseness(text.removeprefix("t="), sensitive="s").holds(groups) is holds
    assert isclose(TCloseness(1, sensitive="s").level(groups)[0], case["emd_equal_ground_distance"])


def test_a_group_of_halves_where_one_in_a_hundred_is_ill() -> None:
    case = cases.load("aggarwal-skew-hiv-1-99")["expected"]
    groups = groups_of([[1, 1]], whole=[1, 99])
    for t, holds in case["t_close"].items():
        assert TCloseness(t, sensitive="s").holds(groups) is holds
    for distance, expected in (
        ("equal", "emd_equal_distance"),
        ("variational", "variational_distance"),
        ("kl", "kl_nats"),
    ):
        level = TCloseness(1, sensitive="s", distance=distance).level(groups)[0]
        assert isclose(level, case[expected])
    nats = case["kl_nats"]
    for t in (nats - 1e-9, nats + 1e-9):
        assert TCloseness(t, sensitive="s", distance="kl").holds(groups) is (t > nats)


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
    levels = TCloseness(1, sensitive="s").level(groups_of(counts))
    assert np.allclose(levels, [c["emd_equal"] for c in case["expected"]["by_class"].values()])
    promise = TCloseness(case["input"]["t"], sensitive="s")
    assert promise.holds(groups_of(counts)) is case["expected"]["t_close_emd_0.1"]


def test_stomach_diseases_are_near_to_one_another() -> None:
    case = cases.load("aggarwal-emd-linear-program")
    given, expected = case["input"], case["expected"]
    ulcer, gastritis, cancer, hiv = given["values"]
    tree = Tree(
        {
            ulcer: (ulcer, "inflammation", "stomach", "stomach", "*"),
            gastritis: (gastritis, "inflammation", "stomach", "stomach", "*"),
            cancer: (cancer, cancer, "stomach", "stomach", "*"),
            hiv: (hiv, hiv, hiv, hiv, "*"),
        }
    )
    for i, v in enumerate(given["values"]):
        for j, w in enumerate(given["values"]):
            assert emd.hierarchical_ground(tree)(v, w) == Fraction(given["ground_distance"][i][j])
    first, second = [1, 1, 1, 0], [1, 0, 1, 2]
    union = [a + b for a, b in zip(first, second, strict=True)]
    groups = groups_of([first, second, union], whole=[1, 1, 1, 1], taxonomy=taxonomy_of(tree))
    far = {
        (min(v, w), max(v, w)): Fraction(given["ground_distance"][i][j])
        for i, v in enumerate(given["values"])
        for j, w in enumerate(given["values"])
        if i != j
    }
    wanted = [expected["emd_P1"], expected["emd_P2"], expected["emd_union"]]
    for promise in (
        TCloseness(1, sensitive="s", distance="hierarchical"),
        TCloseness(
            1, sensitive="s", distance="given", ground="far", given=GivenDistances("far", far)
        ),
    ):
        assert np.allclose(promise.level(groups), wanted, atol=expected["tolerance"])
        # All three are met exactly: by the parts, and by the union.
        assert evolve(promise, t=Fraction(1, 4)).judge(groups).tolist() == [True, True, True]
        assert evolve(promise, t=Fraction(1, 16)).judge(groups).tolist() == [False, False, True]


def test_salaries_of_the_paper() -> None:
    # Li et al. 2007, section 4: {3k,4k,5k} is 0.375 and {6k,8k,11k} 0.167 from {3k,...,11k}.
    groups = groups_of([[1, 1, 1, 0, 0, 0, 0, 0, 0], [0, 0, 0, 1, 0, 1, 0, 0, 1]], whole=[1] * 9)
    levels = TCloseness(1, sensitive="s", distance=GroundDistance.ORDERED).level(groups)
    assert np.allclose(levels, [3 / 8, 1 / 6])
    promise = TCloseness("3/8", sensitive="s", distance=GroundDistance.ORDERED)
    assert promise.judge(groups).tolist() == [True, True]


def test_values_that_nobody_has_do_not_stretch_the_order() -> None:
    some = groups_of([[2, 0, 0, 1], [1, 0, 0, 2]])
    none = groups_of([[2, 1], [1, 2]])
    promise = TCloseness(1, sensitive="s", distance=GroundDistance.ORDERED)
    assert promise.level(some).tolist() == promise.level(none).tolist()


def test_values_that_a_group_lacks_count() -> None:
    groups = groups_of([[1, 0], [0, 1]], whole=[1, 1])
    assert not TCloseness(0.4, sensitive="s").judge(groups).any()


def test_all_records_together_are_at_distance_0() -> None:
    for ground in GroundDistance:
        near = {"ground": "near.csv", "given": NEAR} if ground == "given" else {}
        promise = TCloseness(0, sensitive="s", distance=ground, **near)  # type: ignore[arg-type]
        assert promise.holds(groups_of([[3, 1, 4, 1, 5]]))
        assert not promise.holds(groups_of([[3, 1, 4, 1, 5], [3, 1, 4, 2, 5]]))


def test_compares_with_the_whole_table_and_merges_safely() -> None:
    promise = TCloseness(0, sensitive="s")
    assert promise.relative
    assert promise.local
    assert promise.merging is Merging.SAFE
    assert promise.judge(groups_of([[1, 1], [2, 1]], whole=[2, 2])).tolist() == [True, False]


def test_what_is_left_is_compared_with_what_is_left() -> None:
    groups = groups_of([[2, 0], [1, 1]])
    promise = TCloseness(0, sensitive="s")
    assert promise.judge(groups).tolist() == [False, False]
    assert promise.judge(groups.select(np.array([False, True])).alone()).tolist() == [True]


def test_reads_its_distance_from_text() -> None:
    assert TCloseness(1, distance="ordered").distance is GroundDistance.ORDERED


def test_asks_for_less_by_a_twentieth() -> None:
    assert TCloseness(0.2).weaker() == TCloseness(0.25)
    assert TCloseness(0.95).weaker() is None
    assert TCloseness(2, distance="kl").weaker() == TCloseness(2.05, distance="kl")


def test_explains_what_is_compared_with_what() -> None:
    promise = TCloseness(0.2, sensitive="s")
    assert promise.explain_failure(groups_of([[1, 1]], whole=[8, 2])) == (
        "the values of 's' in 2 records are 0.3000 away from those of the 10 records that they are "
        "compared with: leave out fewer records, or ask for t of at least 0.3000. All records in "
        "one group are at distance 0"
    )


@pytest.mark.parametrize(
    ("t", "message"),
    [(-0.1, "t must be at least 0, got -1/10"), (20, "t must be at most 1, got 20")],
)
def test_refuses_distances_that_mean_nothing(t: float, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        TCloseness(t)


def test_refuses_a_distance_that_does_not_exist() -> None:
    with pytest.raises(
        ParameterError, match=r"no distance 'order' among 7 \(did you mean 'ordered'\?\)"
    ):
        TCloseness(0.1, distance="order")


def test_loses_no_more_than_it_must_by_any_distance() -> None:
    groups = groups_of([[3, 1], [1, 3]])
    must = {"equal": 2, "variational": 2, "kl": 2, "hellinger": 2, "ordered": 0, "hierarchical": 0}
    bounds = {"kl": "0.02", "hellinger": "0.07"}
    for distance, lost in must.items():
        promise = TCloseness(bounds.get(distance, "0.1"), sensitive="s", distance=distance)
        assert promise.least_suppressed(groups, 0).tolist() == [lost, lost]
    assert TCloseness(0.1, sensitive="s").least_suppressed(groups, 8).tolist() == [0, 0]


def test_tells_how_far_a_group_is() -> None:
    promise = TCloseness(0.2, sensitive="s", distance="kl")
    assert promise.witness(groups_of([[1, 1]], whole=[1, 99]), 0) == (
        "1.614 away from all records (s: v00 1, v01 1), and at most 0.2 is allowed"
    )


def test_refuses_to_judge_what_was_not_counted() -> None:
    with pytest.raises(SchemaError, match="needs the values of 'z', which were not counted"):
        TCloseness(0.1, sensitive="z").judge(groups_of([[1, 1]]))
