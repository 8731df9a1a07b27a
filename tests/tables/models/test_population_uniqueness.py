"""Population uniqueness: counted and estimated, what merging does, and what is left out."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.models.populated import (
    Counts,
    coarser,
    group_counts,
    owned,
    parents,
    populated,
    sized,
)
from unlinkable import checks
from unlinkable.errors import ParameterError, UnsupportedError
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.shared.suppression import kept
from unlinkable.tables.models import Estimator, PopulationUniqueness
from unlinkable.tables.models.base import All, Merging
from unlinkable.tables.models.shared.uniqueness import estimate_uniqueness

shares = st.fractions(0, 1, max_denominator=6)
fractions = st.sampled_from(["1/100", "1/10", "1/2", 1])
sizes = st.lists(st.integers(1, 6), min_size=1, max_size=8)


def counted(share: Fraction | float | str) -> PopulationUniqueness:
    return PopulationUniqueness(share, population="people")


def estimated(
    share: Fraction | float | str, fraction: float | str, estimator: str = "dankar"
) -> PopulationUniqueness:
    return PopulationUniqueness(share, fraction=fraction, estimator=estimator)


def share_of_uniques(counts: Counts) -> Fraction:
    """Count the records that at most one person looks like."""
    unique = sum(records for records, people in counts if people <= 1)
    return Fraction(unique, max(sum(records for records, _ in counts), 1))


@given(group_counts, shares)
def test_with_a_population_it_is_counted(counts: Counts, share: Fraction) -> None:
    promise, groups = counted(share), populated(counts)
    (verdict,) = All([promise]).verdicts(groups)
    assert verdict.holds is (share_of_uniques(counts) <= share)
    if groups.n_records:
        assert verdict.level == float(share_of_uniques(counts))
    assert verdict.reading == ""
    assert promise.judge(groups).tolist() == [verdict.holds] * len(groups)
    checks.check_level(promise, groups)


def test_the_bound_is_met_by_equality() -> None:
    groups = populated([(1, 1), (2, 2)])
    assert counted("1/3").holds(groups)
    assert not counted("333333333333333333/1000000000000000000").holds(groups)


@given(group_counts, shares, st.data())
def test_coarser_tables_have_no_more_uniques(
    counts: Counts, share: Fraction, data: st.DataObject
) -> None:
    promise, groups = counted(share), populated(counts)
    assert promise.merging is Merging.SAFE
    if promise.holds(groups):
        assert promise.holds(coarser(groups, data.draw(parents(len(counts)))))


def fewest_gone(groups: Groups, promise: PopulationUniqueness) -> int:
    """Try all sets of groups that may be left out."""
    everything, best = range(len(groups)), groups.n_records
    for n in everything:
        for gone in combinations(everything, n):
            rest = groups.select(~np.isin(np.arange(len(groups)), gone))
            if promise.holds(rest):
                best = min(best, groups.n_records - rest.n_records)
    return best


@given(st.lists(st.tuples(st.integers(1, 1), st.integers(0, 3)), min_size=1, max_size=6), shares)
def test_as_few_uniques_as_possible_are_left_out(counts: Counts, share: Fraction) -> None:
    promise, groups = counted(share), populated(counts)
    keep = kept(groups, All([promise]))
    assert int(groups.sizes[~keep].sum()) == fewest_gone(groups, promise)
    assert promise.holds(groups.select(keep))


@given(group_counts, shares, st.integers(0, 3), st.data())
def test_no_finer_release_leaves_out_less(
    counts: Counts, share: Fraction, spare: int, data: st.DataObject
) -> None:
    promise, finer = counted(share), populated(counts)
    n_gone = fewest_gone(finer, promise)
    lost = promise.least_suppressed(coarser(finer, data.draw(parents(len(counts)))), n_gone + spare)
    assert not lost.any() or n_gone == finer.n_records


def test_gives_up_if_too_many_must_go() -> None:
    groups = populated([(1, 1), (1, 1), (1, 1), (3, 3)])
    assert counted("1/4").good(groups).tolist() == [False, False, True, True]
    assert counted("1/4").least_suppressed(groups, 1).tolist() == [1, 1, 1, 3]
    assert not counted("1/4").least_suppressed(groups, 2).any()
    assert not counted("1/2").least_suppressed(groups, 0).any()
    assert not estimated(0, "1/2").least_suppressed(groups, 0).any()


@given(sizes, shares, fractions, st.sampled_from(["pitman", "zayatz", "snb", "dankar"]))
def test_without_one_it_is_estimated(
    counts: list[int], share: Fraction, fraction: str, estimator: str
) -> None:
    promise, groups = estimated(share, fraction, estimator), sized(counts)
    (level,) = set(promise.level(groups).tolist())
    try:
        found = estimate_uniqueness(
            np.array(counts), float(Fraction(fraction)), Estimator(estimator)
        )
    except UnsupportedError:
        assert level == np.inf
        assert not promise.holds(groups)
        return
    assert level == found.share
    assert promise.holds(groups) is (found.share <= share)
    checks.check_level(promise, groups)


def test_estimates_count_people_where_owners_are_known() -> None:
    groups = owned([[5, 0, 0], [0, 1, 1]])
    people = estimated(1, "1/2", "zayatz").level(sized([1, 2]))
    assert estimated(1, "1/2", "zayatz").level(groups).tolist() == people.tolist()


@pytest.mark.parametrize("estimator", ["pitman", "zayatz", "snb", "dankar"])
def test_with_an_estimate_a_coarser_table_may_be_worse(estimator: str) -> None:
    smallest = [1] * 7 + [2, 2]
    finer, merged = sized([*smallest, 4, 3]), sized([*smallest, 7])
    (low,) = set(estimated(1, "1/5", estimator).level(finer).tolist())
    (high,) = set(estimated(1, "1/5", estimator).level(merged).tolist())
    promise = estimated((low + high) / 2, "1/5", estimator)
    assert promise.merging is Merging.UNSAFE
    assert promise.holds(finer)
    assert not promise.holds(merged)


def test_zayatz_is_surer_of_a_unique_where_there_are_no_pairs() -> None:
    pairs, four = sized([1, 2, 2]), sized([1, 4])
    assert estimated(0.1, "1/2", "zayatz").holds(pairs)
    assert not estimated(0.1, "1/2", "zayatz").holds(four)


@given(sizes, fractions)
def test_with_an_estimate_all_who_are_unique_go(counts: list[int], fraction: str) -> None:
    promise, groups = estimated(0, fraction), sized(counts)
    keep = kept(groups, All([promise]))
    assert promise.holds(groups.select(keep))
    assert keep.tolist() == [n > 1 or promise.holds(groups) for n in counts]


def test_tells_how_it_was_found() -> None:
    groups = sized([1] * 8 + [2, 3, 12])
    assert estimated(1, "1/10").verdict(groups).reading == (
        "estimated with pitman from 0.1 of the population"
    )
    assert estimated(1, "1/10", "snb").reading(groups) == (
        "estimated with snb from 0.1 of the population"
    )
    assert estimated(1, 1).reading(groups) == "settled by those who are unique in the table"
    verdict = estimated("1/10", "1/10").verdict(groups)
    assert verdict.why == (
        "a share of 0.1536 of all records is about people who are unique in the population (this "
        "group has 1), and at most 0.1 may be"
    )


def test_without_an_estimate_the_promise_is_not_kept() -> None:
    verdict = estimated(1, "1/2", "snb").verdict(sized([1, 3]))
    assert not verdict.holds
    assert verdict.achieved == {"share": None}
    told = (
        "no estimate: the slide negative binomial model needs groups of two, and the table has "
        "none: use zayatz or dankar"
    )
    assert (verdict.reading, verdict.why) == (told, told)


def test_refers_to_a_population_if_there_is_one() -> None:
    assert counted(0.1).sources == ("people",)
    assert counted(0.1).needs() == {("@people",)}
    assert estimated(0.1, 0.5).sources == ()
    assert estimated(0.1, 0.5).needs() == frozenset()
    assert str(counted(0.1)) == 'population-uniqueness(share=0.1, population="people")'
    assert str(estimated(0.1, 0.5)) == "population-uniqueness(share=0.1, fraction=0.5)"


def test_covers_what_allows_more() -> None:
    assert counted(0.1).covers(counted(0.2))
    assert not counted(0.2).covers(counted(0.1))
    assert not counted(0.1).covers(estimated(0.2, 0.5))


def test_asks_for_less_by_one_in_a_hundred() -> None:
    assert counted(0.1).weaker() == counted(0.11)
    assert counted(0.99).weaker() is None


def test_refuses_what_means_nothing() -> None:
    with pytest.raises(ParameterError, match="give one of fraction and population"):
        PopulationUniqueness(0.1)
    with pytest.raises(ParameterError, match="give one of fraction and population"):
        PopulationUniqueness(0.1, fraction=0.1, population="people")
    with pytest.raises(ParameterError, match="share must be at most 1, got 2"):
        counted(2)
    with pytest.raises(ParameterError, match=r"fraction must lie in \(0, 1\], got 0"):
        estimated(0.1, 0)
