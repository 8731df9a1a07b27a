"""What is said of the people of a table and of a population is true of the witnesses."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.witness import models, numbers, population

small = partial(tables, min_records=1, max_records=12, max_qid=3, max_leaves=4, max_height=2)


@given(small())
def test_a_crowd_is_as_large_as_its_entropy_says(table: RandomTable) -> None:
    rows, qid, k = table.rows, table.qid, models.k_anonymity(table.rows, table.qid)
    bits = numbers.crowd_entropy(rows, qid)
    assert bits is not None
    assert k is not None
    assert bits == pytest.approx(math.log2(k))
    assert numbers.has_owners_for_bits(rows, qid, k.bit_length() - 1)
    if table.owner:
        owned = numbers.crowd_entropy(rows, qid, table.owner)
        owners = models.k_anonymity(rows, qid, table.owner)
        assert owned is not None
        assert owners is not None
        assert owned <= bits + 1e-12
        # The smallest crowd may not be the one of the least entropy: the bound is on both.
        assert owned <= math.log2(owners) + 1e-12


@given(small(), small())
def test_a_population_hides_whoever_the_table_hides(one: RandomTable, other: RandomTable) -> None:
    qid = [name for name in one.qid if name in other.qid]
    rows, people = one.rows, [*one.rows, *other.rows]
    k = models.k_anonymity(rows, qid)
    assert k is not None
    assert population.k_map(rows, rows, qid) == k
    assert (population.k_map(rows, people, qid) or 0) >= k
    assert population.is_present_within(rows, rows, qid, 1, 1)
    found = population.presence(rows, people, qid)
    assert found is not None
    assert (population.k_map(rows, people, qid) or 0) >= k / found[1]
    both = zip(
        population.journalist_risks(rows, people, qid),
        population.prosecutor_risks(rows, qid),
        strict=True,
    )
    assert all(journalist <= prosecutor for journalist, prosecutor in both)


@given(small(), st.integers(1, 9), st.integers(1, 9))
def test_anonymity_bounds_the_average_risk_and_what_an_attack_earns(
    table: RandomTable, gain: int, cost: int
) -> None:
    rows, qid = table.rows, table.qid
    k, mean = models.k_anonymity(rows, qid), population.average_risk(rows, qid)
    assert k is not None
    assert mean is not None
    assert mean <= Fraction(1, k)
    assert mean == Fraction(len(models.groups(rows, qid)), len(rows))
    risks = population.prosecutor_risks(rows, qid)
    assert population.pays_nobody(risks, gain, cost) is (Fraction(gain, k) <= cost)
    payments = [
        population.publisher_gains(risk, benefit=5, loss=3, gain=gain, cost=cost) for risk in risks
    ]
    if population.pays_nobody(risks, gain, cost):
        assert payments == [5] * len(rows)
    else:
        assert min(payments) < 5
