"""delta-presence: worked examples, the definition, absence, and what may be left out."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests import cases
from tests.tables.groups.plain import rows_of_case
from tests.tables.models.populated import Counts, coarser, owned, parents, populated
from tests.witness import models, population
from unlinkable import Intervals, KAnonymity, Optimal, Tree, anonymize, as_table, check, checks
from unlinkable.errors import DataError, ParameterError
from unlinkable.tables.methods.shared.suppression import kept
from unlinkable.tables.models import DeltaPresence, KMap
from unlinkable.tables.models.base import All, Merging

shares = st.fractions(0, 1, max_denominator=6)
present = st.lists(
    st.integers(0, 6).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))),
    min_size=1,
    max_size=6,
)


def within(low: Fraction | float | str, high: Fraction | float | str) -> DeltaPresence:
    return DeltaPresence(low, high, population="people")


@pytest.fixture
def running_example() -> tuple[dict[str, list[object]], dict[str, list[object]]]:
    """Give the patients and the external table of the book, as they were before generalizing."""
    case = cases.load("book-ch02-ex2.1-record-linkage-join")["input"]
    tables = (rows_of_case(case[name]) for name in ("published", "external"))
    sick, people = ({k: [row[k] for row in rows] for k in rows[0]} for rows in tables)
    return sick, people


def test_example_2_8_of_the_book() -> None:
    case = cases.load("book-ch02-ex2.8-table-linkage-delta-presence")
    qid = case["input"]["qid"]
    rows = rows_of_case(case["input"]["released"])
    people = rows_of_case(case["input"]["external_generalized"])
    inside = models.groups(rows, qid)
    counts = [(len(inside.get(k, [])), len(g)) for k, g in models.groups(people, qid).items()]
    groups, expected = populated(counts), case["expected"]
    assert within(0, 1).reached(groups, 0.0) == {"high": expected["max"], "low": expected["min"]}
    for bounds, verdict in expected["delta_presence"].items():
        low, high = bounds.strip("()").split(",")
        assert within(low, high).holds(groups) is verdict


def test_lattice_of_table_2_2(
    running_example: tuple[dict[str, list[object]], dict[str, list[object]]],
) -> None:
    sick, people = running_example
    job = Tree({"*": {"Professional": ["Engineer", "Lawyer"], "Artist": ["Writer", "Dancer"]}})
    table = as_table(
        {k: sick[k] for k in ("Job", "Sex", "Age")},
        quasi=["Job", "Sex", "Age"],
        taxonomies={"Job": job, "Age": Intervals(5, 10)},
    )
    raw = check(table, within(0, 1), side={"people": people}).verdicts[0]
    assert raw.achieved == {"high": 1.0, "low": 0.0}
    for low, high, n_groups in [("3/4", "4/5", 2), ("1/2", "4/5", 2), ("7/9", "7/9", 1)]:
        release = anonymize(
            table, privacy=within(low, high), method=Optimal(), side={"people": people}
        )
        assert release.holds
        assert release.n_groups == n_groups


@given(present, shares, shares)
def test_says_what_the_definition_says(counts: Counts, low: Fraction, high: Fraction) -> None:
    low, high = min(low, high), max(low, high)
    promise, groups = within(low, high), populated(counts)
    verdict = promise.verdict(groups)
    rows = [{"q": g} for g, (n, _) in enumerate(counts) for _ in range(n)]
    people = [{"q": g} for g, (_, n) in enumerate(counts) for _ in range(n)]
    assert verdict.holds is population.is_present_within(rows, people, ["q"], low, high)
    if found := population.presence(rows, people, ["q"]):
        assert verdict.reached == {"high": float(found[1]), "low": float(found[0])}
    checks.check_level(promise, groups)


@given(present, shares, shares, st.data())
def test_is_safe(counts: Counts, low: Fraction, high: Fraction, data: st.DataObject) -> None:
    promise, groups = within(min(low, high), max(low, high)), populated(counts)
    good = np.flatnonzero(promise.judge(groups)).tolist()
    assume(good)
    checks.check_merging(promise, groups, data.draw(st.lists(st.sampled_from(good), min_size=1)))


def test_does_not_absorb() -> None:
    assert within(0, "1/2").merging is Merging.SAFE
    checks.check_does_not_absorb(within(0, "1/2"), populated([(1, 2), (1, 1)]))
    checks.check_does_not_absorb(within("1/2", 1), populated([(1, 2), (0, 1)]))


def test_bounds_are_met_by_equality() -> None:
    groups = populated([(1, 3), (2, 6)])
    assert within("1/3", "1/3").holds(groups)
    assert not within(0, "333333333333333/1000000000000000").judge(groups).any()
    assert not within("333333333333334/1000000000000000", 1).judge(groups).any()


def test_who_looks_like_no_record_is_absent_for_sure() -> None:
    groups = populated([(1, 2), (0, 3)])
    assert All([within(0, "1/2")]).holds(groups)
    (verdict,) = All([within("1/10", "1/2")]).verdicts(groups)
    assert (verdict.holds, verdict.worst) == (False, 1)
    assert verdict.why == (
        "3 people of 'people' who look like no record are absent for sure, and a share of at "
        "least 0.1 must be present"
    )


def test_nobody_at_all_is_anywhere() -> None:
    assert within(1, 1).judge(populated([(0, 0)])).tolist() == [True]
    assert within(1, 1).reached(populated([(0, 0)]), 0.0) == {"high": None, "low": None}


@given(present, shares, st.integers(0, 5), st.data())
def test_no_finer_release_leaves_out_less(
    counts: Counts, high: Fraction, spare: int, data: st.DataObject
) -> None:
    promise, finer = within(0, high), populated(counts)
    parent = data.draw(parents(len(counts)))
    n_gone = int(finer.sizes[~kept(finer, All([promise]))].sum())
    checks.check_least_suppressed(promise, finer, parent, n_gone + spare)


def test_a_group_loses_what_it_has_too_much_of() -> None:
    groups = populated([(5, 6), (1, 2), (0, 9)])
    assert within(0, "1/2").least_suppressed(groups, 3).tolist() == [2, 0, 0]
    assert within("1/9", "1/2").least_suppressed(groups, 3).tolist() == [5, 1, 0]


def test_if_nobody_may_be_absent_nothing_can_be_left_out() -> None:
    groups = populated([(1, 2), (3, 3)])
    assert kept(groups, All([within(0, "1/2")])).tolist() == [True, False]
    assert kept(groups, All([within("1/4", "1/2")])).tolist() == [False, False]
    mixed = All([KAnonymity(2), within("1/4", 1)])
    assert kept(groups, mixed.prepared(groups)).tolist() == [False, False]
    assert kept(groups, All([KAnonymity(2), within(0, 1)]).prepared(groups)).tolist() == [
        False,
        True,
    ]


def test_owners_are_counted_and_not_records() -> None:
    groups = owned([[3, 0, 0], [0, 1, 2]], populated([(3, 2), (3, 4)]))
    assert within(0, 1).level(groups).tolist() == [0.5, 0.5]
    assert within("1/2", "1/2").prepared(groups).holds(groups)


def test_people_who_look_different_in_their_records_are_refused() -> None:
    groups = owned([[1, 1], [1, 0]], populated([(2, 2), (1, 1)]))
    with pytest.raises(DataError, match="some of 2 show different quasi-identifying values"):
        within("1/2", 1).prepared(groups)
    assert within(0, 1).prepared(groups).holds(groups)


def test_a_table_that_is_not_taken_from_the_population_is_refused() -> None:
    groups = populated([(1, 2), (3, 1), (1, 0)])
    for look in (within(0, 1).judge, within(0, 1).level, within(0, 1).prepared):
        with pytest.raises(DataError, match="and 3 people of the table look like nobody"):
            look(groups)


def test_refuses_what_means_nothing() -> None:
    with pytest.raises(ParameterError, match="low must be at least 0, got -1"):
        within(-1, 1)
    with pytest.raises(ParameterError, match="high must be at most 1, got 2"):
        within(0, 2)
    with pytest.raises(ParameterError, match="high must be at least low, which is 1/2, got 1/4"):
        within(0.5, 0.25)


def test_a_record_is_lost_in_the_population() -> None:
    assert within(0, "2/5").consequences() == (KMap(3, population="people"),)
    assert within(0, 0).consequences() == ()


@given(present, shares)
def test_what_follows_follows(counts: Counts, high: Fraction) -> None:
    groups = populated(counts)
    if within(0, high).holds(groups):
        assert All(within(0, high).consequences()).holds(groups)


def test_covers_what_its_bounds_lie_within() -> None:
    assert within(0.2, 0.5).covers(within(0.1, 0.5))
    assert within(0.2, 0.5).covers(within(0.2, 0.6))
    assert not within(0.2, 0.5).covers(within(0.3, 0.6))
    assert not within(0.2, 0.5).covers(within(0.1, 0.4))
    assert not within(0.2, 0.5).covers(DeltaPresence(0.2, 0.5, population="others"))
    assert not within(0.2, 0.5).covers(KMap(2, population="people"))


def test_asks_for_less_on_both_sides() -> None:
    assert within(0.2, 0.5).weaker() == within(0.15, 0.55)
    assert within(0.01, 0.98).weaker() is None
    assert within(0.5, 1).weaker() == within(0.45, 1)
    assert within(0, 1).weaker() is None


def test_explains_that_no_grouping_changes_the_whole() -> None:
    assert within(0, 0.5).explain_failure(populated([(3, 4)])) == (
        "3 of 4 people of 'people' are in the table, which is 0.75 of them however they are "
        "grouped: ask for bounds on both sides of that, or take a larger population"
    )


def test_prepared_or_not_it_is_the_same_promise() -> None:
    groups = populated([(1, 2)])
    ready = within(0.5, 1).prepared(groups)
    assert ready == within(0.5, 1)
    assert hash(ready) == hash(within(0.5, 1))
    assert str(ready) == 'delta-presence(low=0.5, high=1, population="people")'


@given(present, shares, shares, st.data())
def test_coarser_tables_stay_good(
    counts: Counts, low: Fraction, high: Fraction, data: st.DataObject
) -> None:
    promise, groups = within(min(low, high), max(low, high)), populated(counts)
    if promise.holds(groups):
        assert promise.holds(coarser(groups, data.draw(parents(len(counts)))))
