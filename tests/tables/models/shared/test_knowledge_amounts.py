"""What can be concluded from knowing others: everything that could be known, in every world."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import chain, combinations, permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.groups.plain import groups_of
from unlinkable.tables.models.shared.knowledge_amounts import (
    KnowledgeAmounts,
    are_below,
    confidences,
)

AMOUNTS = st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 2))


@st.composite
def small_tables(draw: st.DrawFn, most: int = 6) -> list[list[int]]:
    """Draw how often each value occurs in each group, for a few people in all."""
    n_values = draw(st.integers(1, 3))
    row = st.lists(st.integers(0, 3), min_size=n_values, max_size=n_values)
    rows = draw(st.lists(row.filter(any), min_size=1, max_size=3))
    return rows if sum(map(sum, rows)) <= most else rows[:1]


def worlds(counts: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    """Hand out the values of every group to its people, in all ways that are different."""
    values = [[v for v, n in enumerate(row) for _ in range(n)] for row in counts]
    return [tuple(chain(*w)) for w in product(*(set(permutations(row)) for row in values))]


def some(items: Sequence[int], at_most: int) -> list[tuple[int, ...]]:
    return [x for n in range(at_most + 1) for x in combinations(items, n)]


def surest(
    counts: Sequence[Sequence[int]], g: int, value: int, known: KnowledgeAmounts
) -> Fraction:
    """Try all that may be known about the first person of a group, and about others."""
    everything = worlds(counts)
    t = sum(map(sum, counts[:g]))
    others = [u for u in range(sum(map(sum, counts))) if u != t]
    values = range(len(counts[0]))
    best = Fraction(0)
    for told in some(others, known.k):
        for learnt in product(values, repeat=len(told)):
            left = [
                w for w in everything if all(w[u] == v for u, v in zip(told, learnt, strict=True))
            ]
            for family in some([u for u in others if u not in told], known.m):
                kin = [w for w in left if w[t] == value or all(w[v] != value for v in family)]
                for absent in some([v for v in values if v != value], known.l):
                    fits = [w for w in kin if w[t] not in absent]
                    if fits:
                        best = max(best, Fraction(sum(w[t] == value for w in fits), len(fits)))
    return best


@given(small_tables(), AMOUNTS, st.fractions(Fraction(1, 5), 1, max_denominator=12))
def test_says_what_all_knowledge_leads_to(
    counts: list[list[int]], amounts: tuple[int, int, int], bound: Fraction
) -> None:
    groups, known = groups_of(counts), KnowledgeAmounts(*amounts)
    hidden = groups.histograms["s",]
    entries = zip(hidden.row.tolist(), hidden.values.tolist(), strict=True)
    sure = [surest(counts, g, value, known) for g, value in entries]
    assert confidences(hidden, groups.sizes, known).tolist() == pytest.approx(
        list(map(float, sure))
    )
    assert are_below(hidden, groups.sizes, known, bound).tolist() == [x < bound for x in sure]
    highest = max(sure)
    assert not are_below(hidden, groups.sizes, known, highest).all()
    assert are_below(hidden, groups.sizes, known, highest + Fraction(1, 10**30)).all()


def test_knowledge_that_can_be_followed_by_hand() -> None:
    """Two with a, one with b, one with c: what is known makes a likelier than one half."""
    groups = groups_of([[2, 1, 1]])

    def sure(l: int, k: int, m: int) -> float:  # noqa: E741
        return float(
            confidences(groups.histograms["s",], groups.sizes, KnowledgeAmounts(l, k, m))[0]
        )

    assert sure(0, 0, 0) == 1 / 2
    assert sure(1, 0, 0) == 2 / 3  # not b: a, a or c
    assert sure(0, 1, 0) == 2 / 3  # somebody else has b
    assert sure(0, 0, 1) == pytest.approx(3 / 4)  # not a only if the relative has b or c
    assert sure(1, 1, 0) == 1
    assert sure(0, 2, 0) == 1


def test_ties_among_many_groups_are_decided() -> None:
    """Floats cannot tell that one half of one third is one sixth; fractions can."""
    rows = [[1, 2]] * 50 + [[2, 4], [3, 3]]
    hidden = groups_of(rows).histograms["s",]
    sizes = groups_of(rows).sizes
    known = KnowledgeAmounts(0, 0, 1)
    # The family is in the last group, where half have it: odds 2 to 1, halved.
    assert are_below(hidden, sizes, known, Fraction(1, 2)).tolist()[0] is False
    assert are_below(hidden, sizes, known, Fraction(1, 2) + Fraction(1, 10**20)).tolist()[0] is True
