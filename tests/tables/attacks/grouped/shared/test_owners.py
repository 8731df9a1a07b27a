"""In how many ways records can belong to people."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from unlinkable.tables.attacks.grouped.shared.owners import chances_of_none, n_steps, together

LOOKS = st.sets(st.integers(0, 2), min_size=1, max_size=3).map(lambda s: tuple(sorted(s)))


@st.composite
def releases(draw: st.DrawFn) -> tuple[dict[int, int], dict[tuple[int, ...], int]]:
    """Draw how many people match which looks, and how many records these have."""
    kinds = draw(st.dictionaries(LOOKS, st.integers(1, 2), min_size=1, max_size=3))
    looks = sorted({look for looks in kinds for look in looks})
    return {look: draw(st.integers(0, 2)) for look in looks}, kinds


@given(releases())
def test_ways_by_definition(drawn: tuple[dict[int, int], dict[tuple[int, ...], int]]) -> None:
    """Try every way to give each record another owner."""
    records, kinds = drawn
    shown = [look for look, n in records.items() for _ in range(n)]
    people = [looks for looks, n in kinds.items() for _ in range(n)]
    ways, without = 0, Counter[int]()
    for owners in permutations(range(len(people)), len(shown)):
        if all(look in people[i] for look, i in zip(shown, owners, strict=True)):
            ways += 1
            without.update(i for i in range(len(people)) if i not in owners)
    found = chances_of_none(records, kinds)
    if not ways:
        assert found == {}
        return
    assert [found[looks] for looks in people] == [
        Fraction(without[i], ways) for i in range(len(people))
    ]
    assert n_steps(records, kinds) > 0


@given(st.lists(LOOKS.map(lambda looks: tuple(3 * look for look in looks)), max_size=4))
def test_looks_hang_together_through_people(kinds: list[tuple[int, ...]]) -> None:
    names = together(kinds)
    assert set(names) == {look for looks in kinds for look in looks}
    linked = {look: {look} for look in names}
    for _ in names:
        for looks in kinds:
            union = set().union(*(linked[look] for look in looks))
            for look in union:
                linked[look] |= union
    assert {look: min(linked[look]) for look in names} == names


def test_steps_are_counted_before_they_are_made() -> None:
    assert n_steps({0: 1, 1: 2}, {(0,): 4, (0, 1): 1}) == 4 * 6 + 2 + 1 * 6 * 2 + 6
