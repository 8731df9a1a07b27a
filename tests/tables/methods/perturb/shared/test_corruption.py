"""What corruption can teach: bounds against enumeration of everything that could happen."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.tables.methods.perturb.shared.corruption import largest_belief, largest_growth


def posterior(prior: list[Fraction], others: list[int], p: Fraction, shown: int) -> list[Fraction]:
    """Give the belief in each value of a victim, where the values of all others are known.

    One of the people of the group was drawn, his value was kept with probability p, and else drawn
    evenly; this is what was shown.
    """
    m, k = len(prior), len(others) + 1
    weight = [Fraction(0)] * m
    for own, who in product(range(m), range(k)):
        true = own if who == 0 else others[who - 1]
        chance = (p if true == shown else 0) + (1 - p) / m
        weight[own] += prior[own] * Fraction(1, k) * chance
    return [w / sum(weight) for w in weight]


SHARES = st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=20)


@given(st.data(), st.integers(2, 4), st.integers(1, 5), SHARES)
def test_no_belief_grows_by_more_whatever_the_others_give_away(
    data: st.DataObject, m: int, k: int, p: Fraction
) -> None:
    weights = data.draw(st.lists(st.integers(1, 9), min_size=m, max_size=m))
    prior = [Fraction(w, sum(weights)) for w in weights]
    others = data.draw(st.lists(st.integers(0, m - 1), min_size=k - 1, max_size=k - 1))
    shown = data.draw(st.integers(0, m - 1))
    property_ = data.draw(st.sets(st.integers(0, m - 1), min_size=1))
    after = posterior(prior, others, p, shown)
    before = float(sum(prior[v] for v in property_))
    now = float(sum(after[v] for v in property_))
    skew = float(max(prior))
    assert now - before <= largest_growth(float(p), m, k, skew) + 1e-12
    assert now <= largest_belief(before, float(p), m, k, skew) + 1e-12


@pytest.mark.parametrize(("m", "k"), [(2, 2), (3, 4)])
def test_bounds_are_reached_where_no_other_has_the_value(m: int, k: int) -> None:
    p, steps = Fraction(1, 2), 400
    best = 0.0
    for i in range(1, steps):
        w = Fraction(i, steps)
        prior = [w, *[(1 - w) / (m - 1)] * (m - 1)]
        grown = posterior(prior, [1] * (k - 1), p, 0)[0] - w
        best = max(best, float(grown))
    assert best == pytest.approx(largest_growth(0.5, m, k), rel=1e-4)
    prior = [Fraction(1, 4), *[Fraction(3, 4) / (m - 1)] * (m - 1)]
    after = posterior(prior, [1] * (k - 1), p, 0)[0]
    assert float(after) == pytest.approx(largest_belief(0.25, 0.5, m, k))


def test_pure_chance_teaches_nothing_and_more_people_teach_less() -> None:
    assert largest_growth(0.0, 5, 3) == 0.0
    assert largest_belief(0.3, 0.0, 5, 3) == 0.3
    assert largest_belief(0.0, 0.5, 5, 3) == 0.0
    grown = [largest_growth(0.3, 50, k) for k in (2, 4, 8, 16)]
    assert grown == sorted(grown, reverse=True)
    assert largest_growth(0.3, 50, 6, 0.01) < largest_growth(0.3, 50, 6)
