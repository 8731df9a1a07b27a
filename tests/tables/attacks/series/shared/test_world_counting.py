"""World counting: components against enumeration, and the end of the budget."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import perm, prod

from hypothesis import given
from hypothesis import strategies as st

from unlinkable.tables.attacks.series.shared.world_counting import (
    Component,
    StepBudget,
    count_worlds,
)

GROUPS = 3


@st.composite
def components(draw: st.DrawFn) -> Component:
    n_labels = draw(st.integers(1, 3))
    some = st.sets(st.integers(0, GROUPS - 1), min_size=2).map(lambda s: tuple(sorted(s)))
    where = draw(st.lists(some, min_size=1, max_size=3, unique=True))
    kinds = tuple((draw(st.integers(1, 2)), groups) for groups in where)
    counts = st.tuples(*[st.integers(0, 3)] * n_labels)
    return Component(kinds, tuple(draw(counts) for _ in range(GROUPS)))


def by_definition(component: Component) -> list[list[Fraction]]:
    """Give every single person a label, and count the ways to choose his records."""
    people = [kind for kind, (n, _) in enumerate(component.kinds) for _ in range(n)]
    labels = range(len(component.records[0]))
    total, has = 0, [[0] * len(labels) for _ in component.kinds]
    for chosen in product(labels, repeat=len(people)):
        ways = prod(
            perm(
                component.records[g][x],
                sum(
                    own == x and g in component.kinds[k][1]
                    for k, own in zip(people, chosen, strict=True)
                ),
            )
            for g in range(GROUPS)
            for x in labels
        )
        total += ways
        for kind, own in zip(people, chosen, strict=True):
            has[kind][own] += ways
    if not total:
        return []
    return [
        [Fraction(n, total * component.kinds[kind][0]) for n in row] for kind, row in enumerate(has)
    ]


@given(components())
def test_counts_what_the_definition_counts(component: Component) -> None:
    assert count_worlds(component, StepBudget(100_000)) == by_definition(component)


@given(components(), st.integers(0, 20))
def test_says_nothing_when_the_purse_is_empty(component: Component, steps: int) -> None:
    budget = StepBudget(100_000)
    count_worlds(component, budget)
    poor = StepBudget(steps)
    assert (count_worlds(component, poor) is None) == (steps < budget.spent)


def test_interchangeable_people_are_counted_at_once() -> None:
    """A hundred people of one kind, who may have 50 to 100 of one label: not 2 ** 100 worlds."""
    budget = StepBudget(1000)
    shares = count_worlds(Component(((100, (0, 1)),), ((100, 50), (100, 50))), budget)
    assert shares is not None
    assert sum(shares[0]) == 1
    assert budget.spent == 51 * 2
