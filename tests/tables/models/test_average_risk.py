"""Average risk: the definition, people and records, and which groups go first."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import finest_of
from tests.tables.models.populated import coarser, owned, parents, populated, sized
from tests.witness import models, population
from unlinkable import checks
from unlinkable.errors import ParameterError
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.shared.suppression import kept
from unlinkable.tables.models import AverageRisk
from unlinkable.tables.models.base import All, Merging

risks = st.fractions(Fraction(1, 12), 1, max_denominator=12)
sizes = st.lists(st.integers(1, 7), min_size=1, max_size=7)
owners = st.lists(
    st.lists(st.integers(0, 2), min_size=4, max_size=4).filter(any), min_size=1, max_size=6
)


def mean_risk(random: RandomTable) -> Fraction:
    """Add up one in the number of people in the group of each record."""
    total = Fraction(0)
    for group in models.groups(random.rows, random.qid).values():
        people = {row[random.owner] for row in group} if random.owner else group
        total += Fraction(len(group), len(people))
    return total / max(len(random.rows), 1)


@given(tables(), risks)
def test_says_what_the_definition_says(random: RandomTable, risk: Fraction) -> None:
    promise, groups = AverageRisk(risk), finest_of(random)
    verdict = promise.verdict(groups)
    assert verdict.holds is (mean_risk(random) <= risk)
    assert verdict.good.tolist() == [verdict.holds] * len(groups)
    if random.rows:
        assert verdict.level == pytest.approx(float(mean_risk(random)))
    if random.owner is None:
        assert mean_risk(random) == (population.average_risk(random.rows, random.qid) or 0)
    checks.check_level(promise, groups)


def test_the_bound_is_met_by_equality() -> None:
    assert AverageRisk("2/7").holds(sized([3, 4]))
    assert not AverageRisk("285714285714/1000000000000").holds(sized([3, 4]))
    thirds = owned([[1, 1, 1]] * 3)
    assert AverageRisk("1/3").holds(thirds)
    assert not AverageRisk("333333333333/1000000000000").holds(thirds)


def test_people_are_counted_where_owners_are_known() -> None:
    groups = owned([[2, 2, 0], [0, 0, 1]])
    assert AverageRisk(1).verdict(groups).achieved == {"risk": (4 / 2 + 1) / 5}
    assert AverageRisk(1).witness(groups, 1) == (
        "the owner of a record is found with a mean probability of 0.6 in all 2 groups (this one "
        "has 1 people), and at most 1 is allowed"
    )


def test_groups_without_records_do_not_matter() -> None:
    assert AverageRisk("1/3").holds(populated([(0, 5), (3, 3)]))
    good = AverageRisk("1/3").good(populated([(0, 5), (3, 3), (1, 1)]))
    assert good.tolist()[1:] == [True, False]


@given(sizes, risks, st.data())
def test_coarser_tables_stay_good(counts: list[int], risk: Fraction, data: st.DataObject) -> None:
    promise, groups = AverageRisk(risk), sized(counts)
    assert promise.merging is Merging.SAFE
    if promise.holds(groups):
        assert promise.holds(coarser(groups, data.draw(parents(len(counts)))))


@given(owners, risks, st.data())
def test_coarser_tables_of_people_stay_good(
    rows: list[list[int]], risk: Fraction, data: st.DataObject
) -> None:
    promise, groups = AverageRisk(risk), owned(rows)
    if promise.holds(groups):
        assert promise.holds(coarser(groups, data.draw(parents(len(rows)))))


def test_a_group_says_nothing_without_the_others() -> None:
    groups = sized([1, 11, 11])
    assert AverageRisk("1/5").holds(groups)
    assert not AverageRisk("1/5").holds(groups.select(np.array([True, False, False])))


def fewest_gone(groups: Groups, risk: Fraction) -> int:
    """Try all sets of groups that may be left out."""
    everything = range(len(groups))
    best = groups.n_records
    for n in everything:
        for gone in combinations(everything, n):
            rest = groups.select(~np.isin(np.arange(len(groups)), gone))
            if AverageRisk(risk).holds(rest):
                best = min(best, groups.n_records - rest.n_records)
    return best


@given(sizes, risks)
def test_the_least_is_left_out(counts: list[int], risk: Fraction) -> None:
    groups = sized(counts)
    keep = kept(groups, All([AverageRisk(risk)]))
    assert int(groups.sizes[~keep].sum()) == fewest_gone(groups, risk)
    assert AverageRisk(risk).holds(groups.select(keep))


@given(owners, risks)
def test_what_is_left_keeps_the_promise(rows: list[list[int]], risk: Fraction) -> None:
    groups = owned(rows)
    keep = kept(groups, All([AverageRisk(risk)]))
    assert AverageRisk(risk).holds(groups.select(keep))


@given(owners, st.booleans(), risks, st.integers(0, 3), st.data())
def test_no_finer_release_leaves_out_less(
    rows: list[list[int]], are_owned: bool, risk: Fraction, spare: int, data: st.DataObject
) -> None:
    finer = owned(rows) if are_owned else sized([sum(row) for row in rows])
    promise, parent = AverageRisk(risk), data.draw(parents(len(rows)))
    n_gone = fewest_gone(finer, risk)
    assert promise.least_suppressed(coarser(finer, parent), n_gone + spare).sum() in (
        0,
        finer.n_records,
    )
    if n_gone < finer.n_records:
        assert not promise.least_suppressed(coarser(finer, parent), n_gone + spare).any()


def test_gives_up_if_too_many_must_go() -> None:
    groups = sized([1, 1, 1, 2])
    assert AverageRisk("1/2").good(groups).tolist() == [False, False, False, True]
    assert AverageRisk("1/2").least_suppressed(groups, 2).tolist() == [1, 1, 1, 2]
    assert not AverageRisk("1/2").least_suppressed(groups, 3).any()
    assert not AverageRisk(1).least_suppressed(groups, 0).any()


def test_tells_the_mean_of_all_groups() -> None:
    verdict = AverageRisk(0.25).verdict(sized([3, 1]))
    assert not verdict.holds
    assert verdict.why == (
        "the owner of a record is found with a mean probability of 0.5 in all 2 groups (this one "
        "has 3 records), and at most 0.25 is allowed"
    )


def test_explains_that_there_are_too_few_records() -> None:
    assert AverageRisk(0.3).explain_failure(sized([3])) == (
        "average-risk(risk=0.3) needs at least 4 records in a group on average, and all together "
        "are 3: ask for a risk of at least 1/3, or gather more data"
    )


def test_asks_for_less_up_to_one() -> None:
    assert AverageRisk(0.3).weaker() == AverageRisk(0.35)
    assert AverageRisk(0.95).weaker() is None


def test_covers_what_allows_more() -> None:
    assert AverageRisk(0.3).covers(AverageRisk(0.4))
    assert not AverageRisk(0.4).covers(AverageRisk(0.3))


def test_refuses_what_means_nothing() -> None:
    for risk in (0, 1.5):
        with pytest.raises(ParameterError, match=r"risk must lie in \(0, 1\], got"):
            AverageRisk(risk)
