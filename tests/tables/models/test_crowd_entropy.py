"""Entropy of a crowd: the definition in whole numbers, owners and none, what it adds."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import finest_of, groups_of
from tests.witness import numbers as witness
from unlinkable.errors import ParameterError
from unlinkable.tables.groups import Groups
from unlinkable.tables.models import CrowdEntropy, KAnonymity
from unlinkable.tables.models.base import BindingContext, Merging
from unlinkable.tables.models.shared.implication import implied


def owned(*groups: list[int]) -> Groups:
    """Make groups from how many records each owner has in them."""
    return evolve(groups_of(groups, column="owner"), owner="owner")


@given(tables(max_qid=2), st.fractions(0, 3, max_denominator=8))
def test_says_what_the_definition_says(random: RandomTable, bits: Fraction) -> None:
    verdict = CrowdEntropy(bits).verdict(finest_of(random))
    known = (random.rows, random.qid)
    assert verdict.holds is witness.has_owners_for_bits(*known, bits, random.owner)
    level = witness.crowd_entropy(*known, random.owner)
    assert (verdict.level is None) is (level is None)
    assert level is None or math.isclose(verdict.level or 0, level, rel_tol=1e-12, abs_tol=1e-12)


@given(tables(max_qid=2, owner=False), st.integers(0, 3))
def test_without_owners_it_is_k_anonymity(random: RandomTable, bits: int) -> None:
    groups = finest_of(random)
    good = CrowdEntropy(bits).judge(groups)
    assert good.tolist() == KAnonymity(2**bits).judge(groups).tolist()


def test_one_patient_with_most_records_is_no_crowd() -> None:
    groups = owned([99, 1])
    assert KAnonymity(2).holds(groups)
    assert not CrowdEntropy(1).holds(groups)
    assert CrowdEntropy(0.08).holds(groups)


@pytest.mark.parametrize("times", [1, 1000, 10**8])
def test_uneven_owners_who_are_exactly_2_bits(times: int) -> None:
    # One half and four eighths: 1/2 * 1 + 4/8 * 3 = 2 bits.
    groups = owned([4 * times, times, times, times, times])
    assert CrowdEntropy(2).holds(groups)
    assert not CrowdEntropy(2 + Fraction(1, 10**15)).holds(groups)


@pytest.mark.parametrize("n", [1, 2, 3, 8, 100])
def test_n_equal_owners_are_n_people(n: int) -> None:
    groups = owned([3] * n)
    bits = Fraction(math.log2(n)).limit_denominator(1000)
    assert CrowdEntropy(bits).least_people in (n, n + 1)
    assert CrowdEntropy(bits).holds(groups) is (CrowdEntropy(bits).least_people == n)
    assert CrowdEntropy(0).verdict(groups).level == math.log2(n)


@given(st.fractions(0, 12, max_denominator=50))
def test_so_many_people_are_needed(bits: Fraction) -> None:
    p, q = bits.as_integer_ratio()
    n = CrowdEntropy(bits).least_people
    assert (n - 1) ** q < 2**p <= n**q


@given(
    st.lists(
        st.lists(st.integers(0, 6), min_size=3, max_size=3).filter(any), min_size=1, max_size=4
    )
)
def test_owners_in_several_groups_do_not_make_the_whole_surer(groups: list[list[int]]) -> None:
    least = float(CrowdEntropy(0).level(owned(*groups)).min())
    whole = owned([sum(counts) for counts in zip(*groups, strict=True)])
    assert CrowdEntropy(0).merging is Merging.SAFE
    assert CrowdEntropy(0).level(whole)[0] >= least - 1e-12


def test_the_degree_of_anonymity_is_out_of_everybody() -> None:
    groups = owned([1, 1, 0, 0], [0, 0, 1, 3], [1, 1, 1, 1])
    degree = CrowdEntropy(0).degree(groups).tolist()
    assert degree == pytest.approx([0.5, 0.4056390622, 1.0], abs=1e-9)
    assert CrowdEntropy(0).degree(owned([5])).tolist() == [0.0]
    assert CrowdEntropy(0).degree(groups_of([[2], [4], [2]])).tolist() == [1 / 3, 2 / 3, 1 / 3]


def test_what_must_be_left_out_of_a_group() -> None:
    promise = CrowdEntropy(1)
    assert promise.least_suppressed(owned([5, 1], [2, 2], [3, 0]), 9).tolist() == [4, 0, 3]
    assert promise.least_suppressed(groups_of([[1], [2]]), 9).tolist() == [1, 0]


def test_the_worst_group_is_told() -> None:
    verdict = CrowdEntropy(1).verdict(owned([3, 1], [1, 1]))
    assert verdict.why == (
        "3 of 4 records belong to one of 2 people, as unsure as among 1.755 equally likely ones: "
        "an entropy of 0.8113, and it must be at least 1"
    )
    assert verdict.reading == ""
    verdict = CrowdEntropy(2).verdict(groups_of([[2], [9]]))
    assert verdict.why == "2 people look alike, an entropy of 1, and it must be at least 2"
    assert verdict.reading == (
        "every record is taken for another person's, because no column tells owners"
    )


def test_what_follows() -> None:
    assert CrowdEntropy(3).consequences() == (KAnonymity(8),)
    assert CrowdEntropy("1.5").consequences() == (KAnonymity(3),)
    (found,) = implied([CrowdEntropy(3), KAnonymity(8)], owner="patient")
    assert found.model == KAnonymity(8)
    assert CrowdEntropy(2).covers(CrowdEntropy(1.5))
    assert not CrowdEntropy(2).covers(CrowdEntropy(3))


def test_asks_for_less_by_half_a_bit() -> None:
    assert CrowdEntropy(2).weaker() == CrowdEntropy(1.5)
    assert CrowdEntropy(0.5).weaker() is None


def test_explains_that_the_whole_table_is_no_crowd() -> None:
    assert CrowdEntropy(2).explain_failure(owned([3, 0], [0, 1])) == (
        "in all 4 records together, 3 of 4 records belong to one of 2 people, as unsure as among "
        "1.755 equally likely ones: an entropy of 0.8113, and it must be at least 2, and some "
        "group is never more unsure than the whole: ask for at most 0.811278 bits"
    )


def test_is_about_no_column() -> None:
    assert CrowdEntropy(1).bind(BindingContext(sensitive=("s",))) == (CrowdEntropy(1),)
    assert str(CrowdEntropy("7/3")) == 'crowd-entropy(bits="7/3")'


def test_refuses_what_means_nothing() -> None:
    with pytest.raises(ParameterError, match="bits must be at least 0, got -1"):
        CrowdEntropy(-1)
    with pytest.raises(ParameterError, match="bits must be at most 48, got 49"):
        CrowdEntropy(49)
