"""Populations: who is born, who stays."""

from __future__ import annotations

import numpy as np
import pytest

from unlinkable.tables.data import as_table
from unlinkable.tables.engines import count
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.cuts.shared.fitness import Fitness, Rank
from unlinkable.tables.methods.cuts.shared.genome import Genome
from unlinkable.tables.methods.cuts.shared.population import Population, _n_flips
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.models import KAnonymity
from unlinkable.tables.models.base import All
from unlinkable.tables.taxonomies.builders import Tree

LETTERS = Tree({f"{a}*": [f"{a}{b}" for b in "012"] for a in "abc"})


def population(size: int, k: int = 4, mutation: float = 0.5) -> tuple[Population, Fitness, Genome]:
    rng = np.random.default_rng(3)
    values = np.array([f"{a}{b}" for a in "abc" for b in "012"])
    data = {n: rng.choice(values, 60).tolist() for n in "xy"}
    table = as_table(data, quasi=["x", "y"], taxonomies={"x": LETTERS, "y": LETTERS})
    finest, task = count(table).finest, Task(table.attributes, ILoss())
    genome = Genome.of(finest, table.attributes, free_numbers=False)
    fitness = Fitness(finest, genome, All([KAnonymity(k)]), task, task.metric)
    return Population(genome, fitness, size, mutation, np.random.default_rng(0)), fitness, genome


def ranks(people: Population) -> list[Rank]:
    return people._ranks


def test_members_are_in_order_and_different_and_the_best_is_never_lost() -> None:
    people, fitness, genome = population(6)
    people.found(genome.top())
    for _ in range(5):
        people.settle(lambda: False)
    best = people.best
    for _ in range(200):
        people.bear()
        assert people.best <= best
        best = people.best
        assert ranks(people) == sorted(ranks(people))
        assert len({bits.tobytes() for bits in people._members}) == len(people._members) <= 6
    assert fitness.recall(people.fittest) == best
    assert people.n_founded == 6
    assert np.array_equal(people.union, np.bitwise_or.reduce(people._members))


def test_a_worse_chromosome_is_not_taken_in_by_a_full_population() -> None:
    people, _, genome = population(2)
    people.settle(lambda: False)
    people.settle(lambda: False)
    before = [bits.copy() for bits in people._members]
    people.found(genome.top())
    assert all(np.array_equal(a, b) for a, b in zip(before, people._members, strict=True))


def test_who_settles_gives_a_release_that_is_as_fine_as_its_order_allows() -> None:
    people, fitness, genome = population(20)
    for _ in range(20):
        people.settle(lambda: False)
    assert all(rank.n_too_many == 0 for rank in ranks(people))
    assert len(people._members) > 5
    top = fitness.rank(genome.top())
    assert people.best < top
    assert ranks(people)[-1] <= top


def test_where_everything_is_a_release_all_that_settle_are_the_finest() -> None:
    people, _, genome = population(3, k=1)
    people.settle(lambda: False)
    assert people.fittest.tolist() == [1] * genome.size
    assert people.best[:2] == (0, 0.0)


def test_a_chromosome_that_comes_again_is_counted_and_not_taken_in_twice() -> None:
    people, fitness, genome = population(5)
    people.found(genome.top())
    people.found(genome.top())
    assert (people.n_founded, people.n_repeated, fitness.n_ranked) == (2, 1, 1)
    assert len(people._members) == 1


def test_the_first_is_drawn_most_often() -> None:
    people, _, genome = population(10)
    people._members = [genome.top()] * 10
    drawn = np.bincount([people._drawn(u) for u in np.arange(100_000) / 100_000], minlength=10)
    # A bias of 1.5: from 1.5 times the mean at the first place to 0.5 at the last, on a line.
    middle = 10_000 * (1.5 - (np.arange(10) + 0.5) / 10)
    assert drawn == pytest.approx(middle, abs=15)


@pytest.mark.parametrize(
    ("chance", "mutation", "n"),
    [(0.6, 0.5, 0), (0.4, 0.5, 1), (0.2, 0.5, 2), (0.0, 0.0, 0), (0.0, 0.5, 8), (0.99, 1.0, 8)],
)
def test_flips_come_one_after_the_other(chance: float, mutation: float, n: int) -> None:
    assert _n_flips(chance, mutation) == n
