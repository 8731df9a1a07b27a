"""Two releases over each other: who shares which group with whom, and what can be taken away.

What differences leave: counted for people, over pairs of releases and columns.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.attacks.series.subtracting import (
    SHARES,
    Release,
    excess,
    merged_until_safe,
    releases,
    rests,
    series_of,
    sheet_of,
)
from unlinkable.tables.attacks.series.difference import Difference
from unlinkable.tables.attacks.series.shared.group_differences import DifferenceExposure, Overlap

KS = st.integers(1, 4)


def overlap(first: Release, second: Release) -> Overlap:
    return Overlap.of(sheet_of(first), sheet_of(second), 20)


def test_groups_of_which_somebody_is_missing_have_no_edges() -> None:
    first = [(0, 0, 0), (1, 0, 0), (2, 1, 0), (3, 1, 0), (-1, 2, 0), (4, 2, 0)]
    second = [(0, 0, 0), (1, 1, 0), (2, 1, 0), (4, 1, 0), (-1, 1, 0)]
    found = overlap(first, second)
    assert (found.net.left.tolist(), found.net.right.tolist()) == ([0, 0], [0, 1])
    assert found.people.tolist() == [1, 1]
    assert found.free.tolist() == [0, 3]
    assert found.edge_of.tolist() == [0, 1, 3, 3, 3]
    assert found.sizes.tolist() == [2, 2, 2, 1, 4]


@given(releases())
def test_records_are_on_edges_or_free(found: list[Release]) -> None:
    first, second = found
    over = overlap(first, second)
    here = {p: g for p, g, _ in first if p >= 0}
    on_edge = over.edge_of < over.people.size
    assert (np.bincount(over.edge_of[on_edge], minlength=over.people.size) == over.people).all()
    for (person, group, _), edge, is_on in zip(second, over.edge_of, on_edge, strict=True):
        if is_on:
            assert (over.net.left[edge], over.net.right[edge]) == (here[person], group)
        else:
            assert edge == over.people.size + group


@given(releases(most=16, made_up=False), KS, SHARES)
def test_a_channel_is_a_set_of_groups_that_leaves_too_little(
    found: list[Release], k: int, c: Fraction
) -> None:
    first, second = (merged_until_safe(release, k, c) for release in found)
    broken = any(rest.breaks(k, c) for rest in rests(first, second))
    assert overlap(first, second).opens_channel(k, c) == broken


@given(releases(made_up=False), KS, SHARES)
def test_there_is_a_channel_exactly_if_somebody_falls(
    found: list[Release], k: int, c: Fraction
) -> None:
    opened = any(overlap(*pair).opens_channel(k, c) for pair in permutations(found, 2))
    assert Difference(k=k, limit=c).run(series_of(found)).succeeded == opened


@given(releases(), st.integers(0, 3), SHARES)
def test_the_largest_surplus_is_counted_in_parts(
    found: list[Release], value: int, c: Fraction
) -> None:
    first, second = found
    surplus = overlap(first, second).surplus(value, c)
    most = max((excess(rest, second, value, c) for rest in rests(first, second)), default=0)
    if surplus is None:
        assert most <= 0
        return
    assert most > 0
    for part, (count, size) in enumerate(zip(surplus.counts, surplus.sizes, strict=True)):
        values = [v for (_, _, v), p in zip(second, surplus.parts, strict=True) if p == part]
        assert (values.count(value), len(values)) == (count, size)
        assert count > c * size
    best = max(Fraction(int(n), int(m)) for n, m in zip(surplus.counts, surplus.sizes, strict=True))
    assert surplus.highest() == best


def test_a_share_may_have_a_long_denominator() -> None:
    """Three of seven are more than a hair less than that."""
    first = [(p, 0, 1 + p % 3) for p in range(6)]
    newcomers = [(6 + i, 0, 0) for i in range(3)] + [(9 + i, 0, 1 + i % 3) for i in range(4)]
    second = [*first, *newcomers]
    hair = Fraction(1, 10**15)
    over = overlap(first, second)
    assert over.surplus(0, Fraction(3, 7) - hair) is not None
    assert over.surplus(0, Fraction(3, 7)) is None
    assert over.surplus(0, Fraction(3, 7) + hair) is None


FIRST: Release = [(0, 0, 1), (1, 0, 2), (2, 0, 3), (3, 1, 1), (4, 1, 2)]
SECOND: Release = [*FIRST, (5, 0, 0), (6, 0, 0), (7, 0, 0)]
THIRD: Release = [*SECOND, (8, 1, 3)]


def looked_at(found: list[Release], pairs: list[tuple[int, int]], k: int = 2) -> DifferenceExposure:
    series = series_of(found)
    left = DifferenceExposure(series, k, Fraction(1, 2))
    sheets = series.sheets("s")
    left.look_alone(sheets)
    for first, second in pairs:
        left.take_away("s", sheets, first, second)
    return left


def test_the_pair_is_told_to_which_most_people_fall() -> None:
    left = looked_at([FIRST, SECOND, THIRD], [(0, 1), (1, 2)])
    assert (left.n_people, left.n_fallen, left.n_alone) == (9, 4, 0)
    assert left.worst_pair == (0, 1)
    assert left.details()["pairs_with_channel"] == 2
    assert left.details()["smallest_difference"] == 1


def test_the_first_difference_that_is_surest_is_told() -> None:
    left = looked_at([FIRST, SECOND, THIRD], [(0, 1), (0, 2), (1, 2)])
    told = {v.who["person"]: (v.learned["s"], v.confidence, v.records) for v in left.victims()}
    assert told == {
        "6": ("0", 1.0, 3),
        "7": ("0", 1.0, 3),
        "8": ("0", 1.0, 3),
        "9": ("3", 1.0, 1),
    }


def test_the_highest_share_is_found_below_the_limit_as_well() -> None:
    """The newcomers have the values 0, 0, 1, 2, 3: two of five, and more than in any group."""
    second = [*FIRST, *((5 + i, 0, v) for i, v in enumerate([0, 0, 1, 2, 3]))]
    left = looked_at([FIRST, second], [])
    assert left.highest == Fraction(1, 2)
    apart: Release = [(0, 0, 1), (1, 0, 2), (2, 0, 3), (3, 0, 0)]
    second = [*apart, *((4 + i, 0, v) for i, v in enumerate([0, 0, 1, 2, 3]))]
    left = looked_at([apart, second], [(0, 1)])
    assert (left.highest, left.n_fallen) == (Fraction(2, 5), 0)


def test_who_falls_alone_is_counted_apart() -> None:
    left = looked_at([FIRST, SECOND], [(1, 0)], k=3)
    assert (left.n_alone, left.n_fallen) == (2, 0)
    assert left.victims() == ()
