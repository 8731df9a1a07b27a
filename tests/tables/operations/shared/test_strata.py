"""Strata: drawing other values and other records, evenly and never one's own."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.operations.chance import fits_counts
from unlinkable.tables.data import as_table
from unlinkable.tables.operations.shared.strata import Shares, draw_outside, happens, strata_of

PAIRS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3)), min_size=1, max_size=25)


def shares_of(pairs: list[tuple[int, int]]) -> Shares:
    strata, codes = np.array(pairs, np.int32).T
    return Shares.of(strata, codes)


@given(PAIRS, st.integers(0, 99))
def test_what_is_drawn_is_another_value_of_the_same_stratum(
    pairs: list[tuple[int, int]], seed: int
) -> None:
    shares, rng = shares_of(pairs), np.random.default_rng(seed)
    kinds, codes = shares.other_kind(shares.kind, rng), shares.other_record(shares.kind, rng)
    for (stratum, own), kind, code in zip(pairs, kinds, codes, strict=True):
        others = {c for s, c in pairs if s == stratum and c != own}
        if others:
            assert shares.kinds[kind] in others
            assert code in others
        else:
            assert kind == -1
            assert code == own


def test_values_are_drawn_evenly_and_records_by_their_number() -> None:
    """False alarm: twice one in a million."""
    pairs = [(0, 0)] * 2 + [(0, 1)] * 6 + [(0, 2)] * 2
    shares, rng = shares_of(pairs), np.random.default_rng(1)
    runs = [(shares.other_kind(shares.kind, rng)[0], shares.other_record(shares.kind, rng)[0])
            for _ in range(4_000)]  # fmt: skip
    kinds, records = (np.bincount(drawn, minlength=3).tolist() for drawn in zip(*runs, strict=True))
    assert fits_counts(kinds, [0, 0.5, 0.5])
    assert fits_counts(records, [0, 0.75, 0.25])
    assert not fits_counts(kinds, [0, 0.65, 0.35])
    assert not fits_counts(records, [0, 0.65, 0.35])


def test_places_outside_are_drawn_evenly() -> None:
    n = 6_000
    at = (np.zeros(n, int), np.full(n, 4), np.ones(n, int), np.full(n, 2))
    drawn = draw_outside(*at, np.random.default_rng(2))
    assert fits_counts(np.bincount(drawn, minlength=4).tolist(), [1 / 3, 0, 1 / 3, 1 / 3])


def test_something_happens_as_often_as_it_should() -> None:
    """False alarm: one in a million; a probability 30 % off is noticed."""
    n = int(happens(0.2, 20_000, np.random.default_rng(4)).sum())
    assert fits_counts([n, 20_000 - n], [0.2, 0.8])
    assert not fits_counts([n, 20_000 - n], [0.26, 0.74])
    assert not happens(0.0, 100, np.random.default_rng(4)).any()


def test_records_that_agree_are_one_stratum() -> None:
    people = as_table({"a": ["x", "y", "x"], "b": [1, 1, 1]}, quasi=["a", "b"])
    assert strata_of(people, ("a", "b")).tolist() == [0, 1, 0]
    assert strata_of(people, ()).tolist() == [0, 0, 0]
