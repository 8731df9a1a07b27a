"""World counting: knots against enumeration, and the end of the purse."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import perm, prod

from hypothesis import given
from hypothesis import strategies as st

from unlinkable.tables.attacks.series.shared.world_counting import Knot, Purse, count_worlds

GROUPS = 3


@st.composite
def knots(draw: st.DrawFn) -> Knot:
    n_labels = draw(st.integers(1, 3))
    some = st.sets(st.integers(0, GROUPS - 1), min_size=2).map(lambda s: tuple(sorted(s)))
    where = draw(st.lists(some, min_size=1, max_size=3, unique=True))
    kinds = tuple((draw(st.integers(1, 2)), groups) for groups in where)
    counts = st.tuples(*[st.integers(0, 3)] * n_labels)
    return Knot(kinds, tuple(draw(counts) for _ in range(GROUPS)))


def by_definition(knot: Knot) -> list[list[Fraction]]:
    """Give every single person a label, and count the ways to choose his records."""
    people = [kind for kind, (n, _) in enumerate(knot.kinds) for _ in range(n)]
    labels = range(len(knot.records[0]))
    total, has = 0, [[0] * len(labels) for _ in knot.kinds]
    for chosen in product(labels, repeat=len(people)):
        ways = prod(
            perm(
                knot.records[g][x],
                sum(
                    own == x and g in knot.kinds[k][1]
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
    return [[Fraction(n, total * knot.kinds[kind][0]) for n in row] for kind, row in enumerate(has)]


@given(knots())
def test_counts_what_the_definition_counts(knot: Knot) -> None:
    assert count_worlds(knot, Purse(100_000)) == by_definition(knot)


@given(knots(), st.integers(0, 20))
def test_says_nothing_when_the_purse_is_empty(knot: Knot, steps: int) -> None:
    purse = Purse(100_000)
    count_worlds(knot, purse)
    poor = Purse(steps)
    assert (count_worlds(knot, poor) is None) == (steps < purse.spent)


def test_interchangeable_people_are_counted_at_once() -> None:
    """A hundred people of one kind, who may have 50 to 100 of one label: not 2 ** 100 worlds."""
    purse = Purse(1000)
    shares = count_worlds(Knot(((100, (0, 1)),), ((100, 50), (100, 50))), purse)
    assert shares is not None
    assert sum(shares[0]) == 1
    assert purse.spent == 51 * 2
