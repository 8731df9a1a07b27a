"""Profitability: the game, what deters, what is borne, and people in table and population."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.models.populated import Counts, group_counts, owned, populated, sized
from tests.witness import population
from unlinkable import checks
from unlinkable.errors import ParameterError
from unlinkable.tables.models import Adversary, KAnonymity, KMap, Profitability
from unlinkable.tables.models.base import All, Merging

amounts = st.sampled_from([Fraction(n, d) for n in (0, 1, 2, 3, 10) for d in (1, 3)])
games = st.builds(
    Profitability,
    publisher_benefit=amounts,
    publisher_loss=amounts,
    adversary_gain=amounts,
    adversary_cost=amounts,
    attack=st.booleans(),
)


def game(
    benefit: float, loss: float, gain: float, cost: float, *, attack: bool = True, where: str = ""
) -> Profitability:
    return Profitability(
        publisher_benefit=benefit,
        publisher_loss=loss,
        adversary_gain=gain,
        adversary_cost=cost,
        attack=attack,
        adversary=Adversary.JOURNALIST if where else Adversary.PROSECUTOR,
        population=where or None,
    )


def pays(promise: Profitability, people: int) -> bool:
    """Play the game for one record."""
    risk = Fraction(1, people)
    gain, cost = promise.adversary_gain, promise.adversary_cost
    if not promise.attack:
        return population.pays_nobody([risk], gain, cost)
    benefit, loss = promise.publisher_benefit, promise.publisher_loss
    return population.publisher_gains(risk, benefit=benefit, loss=loss, gain=gain, cost=cost) > 0


@given(games, st.lists(st.integers(1, 40), min_size=1, max_size=6))
def test_says_what_the_game_says(promise: Profitability, sizes: list[int]) -> None:
    groups = sized(sizes)
    assert promise.judge(groups).tolist() == [pays(promise, n) for n in sizes]
    checks.check_level(promise, groups)


@given(games, st.integers(1, 40))
def test_the_level_is_the_least_cost_that_will_do(promise: Profitability, size: int) -> None:
    (level,) = promise.level(sized([size])).tolist()
    if level == np.inf:
        assert promise.attack
        assert not promise.publisher_benefit
        return
    cost = promise.adversary_gain / size if level else Fraction(0)
    at, below = (
        Profitability(
            publisher_benefit=promise.publisher_benefit,
            publisher_loss=promise.publisher_loss,
            adversary_gain=promise.adversary_gain,
            adversary_cost=amount,
            attack=promise.attack,
        )
        for amount in (cost, cost * Fraction(999, 1000))
    )
    assert at.judge(sized([size])).all()
    assert level == 0 or not below.judge(sized([size])).any()


@given(games, st.lists(st.integers(1, 9), min_size=1, max_size=5), st.data())
def test_absorbs(promise: Profitability, sizes: list[int], data: st.DataObject) -> None:
    assert promise.merging is Merging.ABSORBS
    which = data.draw(st.lists(st.integers(0, len(sizes) - 1), min_size=1, max_size=4))
    checks.check_merging(promise, sized(sizes), which)


@given(group_counts, st.booleans())
def test_a_journalist_looks_in_the_population(counts: Counts, attack: bool) -> None:
    promise = game(3, 7, 10, 2, attack=attack, where="people")
    expected = [pays(promise, max(people, 1)) for _, people in counts]
    assert promise.judge(populated(counts)).tolist() == expected
    assert promise.needs() == {("@people",)}


def test_a_prosecutor_looks_in_the_table() -> None:
    promise = game(1, 0, 10, 2, attack=False)
    assert promise.sources == ()
    assert promise.needs() == frozenset()
    assert promise.judge(populated([(4, 9), (5, 5)])).tolist() == [False, True]
    assert promise.judge(owned([[5, 0], [1, 1]])).tolist() == [False, False]


def test_bounds_are_exact() -> None:
    assert game(1, 0, 0.3, 0.1, attack=False).least_people == 3
    assert game(0.1, 0.3, 1, 0).least_people == 4
    assert game(0.1, 0.3, 3, 1).least_people == 3


def test_deterring_or_bearing_whichever_is_easier() -> None:
    assert game(1200, 300, 300, 4).least_people == 1
    assert game(1200, 300, 300, 4, attack=False).least_people == 75
    assert game(10, 100, 20, 1).least_people == 11
    assert game(10, 1000, 20, 1).least_people == 20


def test_nothing_will_do_where_attacks_are_free_or_records_worthless() -> None:
    free, worthless = game(1, 1, 1, 0, attack=False), game(0, 1, 1, 1)
    for promise in (free, worthless):
        assert promise.least_people is None
        assert not promise.judge(sized([10**6])).any()
        assert promise.consequences() == ()
    assert worthless.level(sized([3])).tolist() == [np.inf]
    assert worthless.verdict(sized([3])).achieved == {"adversary_cost": None}
    assert free.explain_failure(sized([3])) == (
        "no group keeps profitability(publisher_benefit=1, publisher_loss=1, adversary_gain=1, "
        "adversary_cost=0, attack=false): an attack that costs nothing always pays, and a record "
        "without benefit never does; say what an attack costs, and what a record is worth"
    )


def test_nobody_attacks_for_nothing() -> None:
    assert game(1, 9, 0, 0).least_people == 1
    assert game(1, 9, 0, 0, attack=False).least_people == 1


def test_tells_what_an_attack_brings() -> None:
    verdict = game(1, 100, 20, 5).verdict(sized([3, 4]))
    assert not verdict.holds
    assert (
        verdict.why
        == "3 people look alike, so an attack brings 6.66667 and costs 5: at least 4 must"
    )
    looked = game(1, 100, 20, 5, where="people")
    assert looked.witness(populated([(1, 2)]), 0) == (
        "2 people of 'people' look alike, so an attack brings 10 and costs 5: at least 4 must"
    )
    assert game(0, 1, 1, 1).witness(sized([2]), 0) == (
        "2 people look alike, so an attack brings 0.5 and costs 1: no number would do"
    )


def test_explains_that_there_are_too_few_people() -> None:
    promise = game(1, 100, 20, 5)
    assert promise.explain_failure(sized([3])) == (
        f"{promise} needs at least 4 people who look alike, and there are 3: lower what the "
        "adversary gains or the publisher loses, or gather more data"
    )


def test_it_takes_a_number_of_people_who_look_alike() -> None:
    assert game(1, 0, 10, 2, attack=False).consequences() == (KAnonymity(5),)
    assert game(1, 9, 10, 2, where="p").consequences() == (KMap(5, population="p"),)
    assert game(1, 0, 2, 2).consequences() == ()


@given(games, st.lists(st.integers(1, 12), min_size=1, max_size=4))
def test_what_follows_follows(promise: Profitability, sizes: list[int]) -> None:
    groups = sized(sizes)
    if promise.holds(groups):
        assert All(promise.consequences()).holds(groups)


@given(games, games, st.lists(st.integers(1, 12), min_size=1, max_size=4))
def test_covers_what_asks_for_no_more_people(
    one: Profitability, other: Profitability, sizes: list[int]
) -> None:
    if one.covers(other) and one.holds(sized(sizes)):
        assert other.holds(sized(sizes))


def test_covers_nothing_about_other_people() -> None:
    assert game(1, 0, 10, 2, attack=False).covers(game(1, 0, 8, 2))
    assert not game(1, 9, 8, 2).covers(game(1, 9, 10, 2))
    assert not game(1, 0, 10, 2).covers(game(1, 0, 10, 2, where="p"))
    assert not game(1, 0, 10, 2).covers(KAnonymity(1))


def test_refuses_what_means_nothing() -> None:
    with pytest.raises(ParameterError, match="adversary_cost must be at least 0, got -1"):
        game(1, 1, 1, -1)
    with pytest.raises(ParameterError, match="a journalist looks for his victim in a population"):
        Profitability(
            publisher_benefit=1,
            publisher_loss=1,
            adversary_gain=1,
            adversary_cost=1,
            adversary="journalist",
        )
    with pytest.raises(ParameterError, match="a prosecutor knows that his victim is in the table"):
        Profitability(
            publisher_benefit=1,
            publisher_loss=1,
            adversary_gain=1,
            adversary_cost=1,
            population="people",
        )
