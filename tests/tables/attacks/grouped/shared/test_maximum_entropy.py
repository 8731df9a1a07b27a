"""How likely people have a record if nothing is known but how many records there are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from unlinkable.errors import DataError
from unlinkable.tables.attacks.grouped.shared.maximum_entropy import (
    Pairs,
    maximum_entropy,
    refuse_strangers,
)

KINDS = st.lists(
    st.tuples(st.sets(st.integers(0, 2), min_size=1), st.integers(1, 30)), min_size=1, max_size=4
)


def pairs_of(kinds: list[tuple[set[int], int]], records: list[int]) -> Pairs:
    matched = [(i, look) for i, (looks, _) in enumerate(kinds) for look in sorted(looks)]
    kind, look = np.array(matched, np.int32).T
    return Pairs(kind, look, np.array([n for _, n in kinds]), np.array(records))


@given(KINDS, st.data())
def test_every_look_has_its_records(kinds: list[tuple[set[int], int]], data: st.DataObject) -> None:
    """Draw records that leave half of all people without one, and find odds for all."""
    records = [0, 0, 0]
    for looks, n in kinds:
        records[data.draw(st.sampled_from(sorted(looks)))] += data.draw(st.integers(0, n // 2))
    assume(sum(records))
    pairs = pairs_of(kinds, records)
    likely, n_rounds, n_off = maximum_entropy(pairs)
    assert n_off < 1e-6
    assert n_rounds < 200
    assert (likely * pairs.sizes).sum() == pytest.approx(sum(records))
    # The odds of kinds are sums of odds of looks: who matches more is in the release more likely.
    for (looks, _), p in zip(kinds, likely, strict=True):
        for (others, _), q in zip(kinds, likely, strict=True):
            if looks <= others:
                assert p <= q + 1e-9


def test_without_overlap_it_is_a_quotient() -> None:
    likely, n_rounds, _ = maximum_entropy(pairs_of([({0}, 4), ({1}, 10)], [3, 5]))
    assert likely.tolist() == pytest.approx([0.75, 0.5])
    assert n_rounds == 1


def test_no_pairs_take_no_rounds() -> None:
    none = np.zeros(0, np.int32)
    likely, n_rounds, n_off = maximum_entropy(Pairs(none, none, np.array([2]), np.array([0])))
    assert (likely.tolist(), n_rounds, n_off) == ([0.0], 0, 0.0)


def test_bounds_hold_what_can_be() -> None:
    low, high = pairs_of([({0}, 2), ({0, 1}, 3)], [4, 0]).bounds()
    # Of four records, the others can have three, or two; and there are no more than four.
    assert low.tolist() == pytest.approx([1 / 2, 2 / 3])
    assert high.tolist() == [1, 1]


def test_more_records_than_people_are_refused() -> None:
    with pytest.raises(DataError, match="at least 2 records of the release cannot belong"):
        refuse_strangers(np.array([3, 1]), np.array([1, 4]))
    with pytest.raises(DataError, match="at least 1 record of the release cannot belong"):
        maximum_entropy(pairs_of([({0, 1}, 10)], [5, 6]))
