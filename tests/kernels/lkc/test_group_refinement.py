"""Splitting groups by one more column: against literal grouping."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.lkc.group_refinement import are_minimal, mark, refine, single_out

Groups = list[list[int]]


@st.composite
def grouped(draw: st.DrawFn) -> tuple[Groups, list[int], list[int]]:
    """Draw elements in groups, a code for each, and an owner or an amount."""
    n = draw(st.integers(0, 14))
    order = draw(st.permutations(range(n)))
    ends = sorted(draw(st.sets(st.integers(1, max(n - 1, 1)), max_size=4)))
    cuts = [0, *[e for e in ends if e < n], n]
    groups = [order[a:b] for a, b in pairwise(cuts) if b > a]
    codes = draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    others = draw(st.lists(st.integers(-1, 3), min_size=n, max_size=n))
    return groups, codes, others


def by_definition(groups: Groups, codes: list[int]) -> Groups:
    """Put together what was together and has the same code."""
    found: dict[tuple[int, int], list[int]] = defaultdict(list)
    for g, members in enumerate(groups):
        for element in members:
            found[g, codes[element]].append(element)
    return list(found.values())


def flat(groups: Groups) -> tuple[np.ndarray, np.ndarray]:
    elements = np.array([e for members in groups for e in members], np.int32)
    return elements, np.cumsum([0, *map(len, groups)])


def unflat(elements: np.ndarray, starts: np.ndarray) -> Groups:
    return [elements[a:b].tolist() for a, b in pairwise(starts)]


@given(grouped())
def test_splits_groups_and_leaves_out_who_is_alone(
    drawn: tuple[Groups, list[int], list[int]],
) -> None:
    groups, codes, others = drawn
    amounts = [other + 2 for other in others]
    elements, starts = flat(groups)
    kept, their, ends, sums, alone = refine(
        elements, np.array(amounts, np.int64)[elements], starts, np.array(codes, np.int32), 4
    )
    expected = by_definition(groups, codes)
    several = [members for members in expected if len(members) > 1]
    assert sorted(unflat(kept, ends)) == sorted(several)
    assert their.tolist() == [amounts[e] for e in kept]
    assert sums.tolist() == [sum(amounts[e] for e in members) for members in unflat(kept, ends)]
    assert sorted(alone) == sorted(amounts[m[0]] for m in expected if len(m) == 1)


@given(grouped())
def test_finds_groups_of_one_person(drawn: tuple[Groups, list[int], list[int]]) -> None:
    groups, codes, owners = drawn
    elements, starts = flat(groups)
    asked = elements, np.array(owners, np.int32)[elements], starts, np.array(codes, np.int32), 4
    kept, their, ends, found = single_out(*asked, False)
    one, several = [], []
    for members in by_definition(groups, codes):
        whose = {owners[e] for e in members}
        if len(whose) == 1 and -1 not in whose:
            one += members
        elif whose != {-1}:
            several.append(members)
    assert sorted(found) == sorted(one)
    assert sorted(unflat(kept, ends)) == sorted(several)
    assert their.tolist() == [owners[e] for e in kept]
    last = single_out(*asked, True)
    assert last[3].tolist() == found.tolist()
    assert [part.size for part in last[:3]] == [0, 0, 1]


@given(st.sets(st.integers(0, 199)), st.sets(st.integers(0, 199)), st.sets(st.integers(0, 199)))
def test_minimal_is_what_is_marked_nowhere(
    first: set[int], second: set[int], asked: set[int]
) -> None:
    bits = np.zeros((3, 4), np.uint64)
    mark(bits[0], np.array(sorted(first), np.int32))
    mark(bits[2], np.array(sorted(second), np.int32))
    elements = np.array(sorted(asked), np.int32)
    found = elements[are_minimal(elements, bits, np.array([0, 2]))]
    assert set(found.tolist()) == asked - first - second
    assert are_minimal(elements, bits, np.zeros(0, np.int64)).all()
