"""Masked in place: no published set is parted if it need not be."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations, product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.tables.series.taxonomies.masked_extension import with_masked_values
from unlinkable.tables.taxonomies import observe
from unlinkable.tables.taxonomies.builders import Mask

CODES = ["".join(letters) for letters in product("ab", repeat=3)]


@st.composite
def masked(draw: st.DrawFn) -> tuple[list[str], list[str], list[list[str]]]:
    """Draw old texts, new ones, and sets of neighbours among the old ones."""
    drawn = draw(st.lists(st.sampled_from(CODES), min_size=2, max_size=6, unique=True))
    n_old = draw(st.integers(1, len(drawn) - 1))
    old = sorted(drawn[:n_old])
    ranges = draw(st.lists(st.tuples(st.integers(0, n_old), st.integers(0, n_old)), max_size=4))
    sets = [old[min(pair) : max(pair)] for pair in ranges if abs(pair[0] - pair[1]) > 1]
    return old, sorted(drawn[n_old:]), sets


def is_run(order: Sequence[str], members: Sequence[str]) -> bool:
    places = sorted(order.index(member) for member in members)
    return places[-1] - places[0] == len(places) - 1


def in_groups(order: Sequence[str], sets: Sequence[Sequence[str]]) -> bool:
    """Whether texts that begin alike stand together, and so do those of each set."""
    starts = {text[:n] for text in order for n in (1, 2)}
    nodes = [[text for text in order if text.startswith(start)] for start in starts]
    return all(is_run(order, members) for members in [*nodes, *sets])


@given(masked())
def test_no_set_is_parted_if_any_order_keeps_all(
    drawn: tuple[list[str], list[str], list[list[str]]],
) -> None:
    old, new, sets = drawn
    taxonomy = Mask(3).build(observe("code", old))
    found = with_masked_values(taxonomy, Mask(3), observe("code", new), sets).domain.values.tolist()
    assert [text for text in found if text in old] == old
    assert {*found} == {*old, *new}
    can_be = any(
        [text for text in order if text in old] == old and in_groups(order, sets)
        for order in permutations([*old, *new])
    )
    assert in_groups(found, []) is True
    assert in_groups(found, sets) is can_be


def test_missing_values_stay_last() -> None:
    old = Mask(2).build(observe("code", ["aa", None, "ba"]))
    new = with_masked_values(old, Mask(2), observe("code", ["ab", "ba"]), [])
    assert new.domain.values.tolist() == ["aa", "ab", "ba"]
    assert new.levels[1].labels == ("a*", "b*", "")
    assert new.levels[1].blocks.tolist() == [0, 0, 1, 2]


def test_texts_come_in_the_order_of_a_rule_that_changed() -> None:
    old = Mask(2).build(observe("code", ["aa", "ab", "ba"]))
    new = with_masked_values(old, Mask(2, left=True), observe("code", ["bb"]), [])
    assert new.domain.values.tolist() == ["aa", "ba", "ab", "bb"]
    assert np.array_equal(new.levels[1].blocks, [0, 0, 1, 1])
