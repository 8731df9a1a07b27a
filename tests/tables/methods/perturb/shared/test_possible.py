"""Possible records: numbering them, and drawing those that are not taken."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.operations.chance import fits_counts
from unlinkable.errors import UnsupportedError
from unlinkable.tables.data import as_table
from unlinkable.tables.methods.perturb.shared.possible import Possible, insert
from unlinkable.tables.taxonomies.builders import Tree


def test_every_number_is_one_record() -> None:
    people = as_table({"a": ["x", "y", "x"], "b": [1, None, 1]}, quasi=["a", "b"])
    possible = Possible.of(people, ("a", "b"))
    assert possible.size == 4
    assert {*possible.frame(people, np.arange(4)).rows()} == {
        (a, b) for a in "xy" for b in (1, None)
    }
    true = possible.distinct(people)
    assert {*possible.frame(people, true).rows()} == {("x", 1), ("y", None)}


@given(st.integers(1, 30), st.sets(st.integers(0, 29)), st.floats(0, 1), st.integers(0, 99))
def test_what_is_drawn_is_free_and_drawn_once(
    size: int, taken: set[int], chance: float, seed: int
) -> None:
    full = np.array(sorted(i for i in taken if i < size), np.int64)
    drawn = insert(size, full, chance, np.random.default_rng(seed)).tolist()
    assert len({*drawn}) == len(drawn)
    assert {*drawn} <= {*range(size)} - {*full.tolist()}


@pytest.mark.parametrize("size", [40, 1 << 21], ids=["gone through", "drawn from"])
def test_each_free_number_is_drawn_with_its_probability(size: int) -> None:
    """The numbers of drawn and of those left out, in both halves; false alarm: one in a million."""
    taken, rng = np.arange(0, size, 4), np.random.default_rng(3)
    runs = 2_000 if size == 40 else 3
    drawn = np.concatenate([insert(size, taken, 0.1, rng) for _ in range(runs)])
    assert (drawn % 4 > 0).all()
    n_free = runs * (size - taken.size)
    low = int((drawn < size // 2).sum())
    counts = [low, drawn.size - low, n_free - drawn.size]
    assert fits_counts(counts, [0.05, 0.05, 0.9])
    assert not fits_counts(counts, [0.065, 0.065, 0.87])


def test_a_vast_domain_is_not_gone_through() -> None:
    drawn = insert(1 << 61, np.array([5]), 2.0**-51, np.random.default_rng(1))
    assert 800 < drawn.size < 1_250


def test_refuses_more_records_than_can_be_numbered() -> None:
    wide = as_table({f"c{i}": ["x"] for i in range(64)}, quasi=[f"c{i}" for i in range(64)],
                    taxonomies={f"c{i}": Tree({"any": ["x", "y"]}) for i in range(64)})  # fmt: skip
    with pytest.raises(UnsupportedError, match=r"could be 1.84e\+19 different records"):
        Possible.of(wide, wide.schema.quasi)
