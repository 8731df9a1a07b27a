"""Posteriors: where each number is, what ruling values out does to them, and to their intervals.

Swapping: estimates of groups that could be counted are what counting gives, within the error.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.tables.attacks.base.target import AdversaryKnowledge, Target
from unlinkable.tables.attacks.worlds.background_knowledge import BackgroundKnowledge
from unlinkable.tables.attacks.worlds.shared.posteriors import Posteriors, deal, estimate
from unlinkable.tables.data.side import Side
from unlinkable.tables.groups import Histogram


def believed() -> Posteriors:
    """Believe something of two buckets, of different people and values."""
    told = pl.DataFrame(
        {"b": [1, 1, 1, 2, 2], "sex": list("mmffd"), "ill": ["x", "y", "z", "x", "z"]}
    )
    weights = {"m": (3, 2, 1), "f": (1, 2, 3), "d": (1, 1, 1)}
    rows = [
        (sex, v, Fraction(w, sum(row)))
        for sex, row in weights.items()
        for v, w in zip("xyz", row, strict=True)
    ]
    prior = {
        "sex": [r[0] for r in rows],
        "value": [r[1] for r in rows],
        "p": [str(r[2]) for r in rows],
    }
    target = Target(told, ("sex",), ("ill",), bucket="b")
    return BackgroundKnowledge(prior="p").posteriors(
        target, AdversaryKnowledge(Side.of({"p": prior}))
    )


def test_every_chance_has_its_person_and_its_value() -> None:
    found = believed()
    assert found.start.tolist() == [0, 3, 6, 8, 10]
    assert found.row.tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 3, 3]
    assert found.column.tolist() == [0, 1, 2, 0, 1, 2, 3, 4, 3, 4]
    told = found.by_text(1)
    assert set(told) == {"f", "d"}
    assert told["f"]["z"] == pytest.approx(3 / 4)
    assert found.is_counted.all()


def test_the_surest_value_of_everybody_is_the_first_of_the_likeliest() -> None:
    found = believed()
    found = evolve(found, chance=np.array([0.2, 0.4, 0.4, 1, 0, 0, 0, 0, 0.5, 0.5]))
    assert found.surest.tolist() == [1, 3, 6, 8]


@given(st.integers(0, 3), st.integers(0, 10_000))
def test_intervals_hold_when_values_are_ruled_out(l: int, seed: int) -> None:  # noqa: E741
    rng = np.random.default_rng(seed)
    found = believed()
    true = np.concatenate([rng.dirichlet(np.ones(n)) for n in np.diff(found.start)])
    low, high = true * rng.random(true.size), true + rng.random(true.size) * (1 - true)
    middle = low + (high - low) * rng.random(true.size)
    guessed = evolve(found, chance=middle, low=low, high=high).without(l)
    exactly = evolve(found, chance=true, low=true, high=true).without(l)
    assert (guessed.low <= exactly.chance + 1e-12).all()
    assert (exactly.chance <= guessed.high + 1e-12).all()
    assert (exactly.chance >= true - 1e-12).all(), "ruling something out makes the rest likelier"


def believed_swapping(seed: int, *, lowest: int) -> Posteriors:
    """Believe something of two buckets of some people and values."""
    rng = np.random.default_rng(seed)
    kinds, values = "abc", "wxyz"
    told = pl.DataFrame(
        {
            "b": [1] * 8 + [2] * 5,
            "kind": [kinds[i] for i in rng.integers(0, 3, 13)],
            "ill": [values[i] for i in rng.integers(0, 4, 13)],
        }
    )
    weights = rng.integers(lowest, 9, (3, 4))
    weights[:, 0] += 1
    prior = {
        "kind": [kind for kind in kinds for _ in values],
        "value": [*values] * 3,
        "p": [str(Fraction(int(w), int(row.sum()))) for row in weights for w in row],
    }
    target = Target(told, ("kind",), ("ill",), bucket="b")
    return BackgroundKnowledge(prior="p").posteriors(
        target, AdversaryKnowledge(Side.of({"p": prior}))
    )


@pytest.mark.parametrize("seed", range(5))
def test_what_is_estimated_is_what_is_counted_within_the_error(seed: int) -> None:
    found = believed_swapping(seed, lowest=1)
    rng = np.random.default_rng(seed)
    chance, error = estimate(found.seen, found.hidden, found.beliefs, rng)
    # Each is within its error 95 times in 100, and hardly ever further off than twice of it.
    off = np.abs(chance - found.chance)
    assert (off <= 2 * error + 1e-9).all()
    assert (off <= error + 1e-9).mean() > 0.8
    assert error.max() < 0.1


def test_nothing_is_sure_where_some_values_are_impossible() -> None:
    found = believed_swapping(0, lowest=1)
    shares = found.beliefs.prior.shares
    shares[0, 1] = 0.0
    chance, error = estimate(found.seen, found.hidden, found.beliefs, np.random.default_rng(0))
    is_open = error == 1
    assert is_open.any()
    assert ((chance >= 0) & (chance <= 1)).all()


def test_values_are_dealt_to_people_of_their_group_in_any_order() -> None:
    codes = np.array([0, 1, 0, 2], np.int32)
    hidden = Histogram(np.array([0, 2, 4]), codes, np.array([2, 1, 1, 3]), 3)
    start, rng = np.array([0, 3, 7]), np.random.default_rng(0)
    dealt = np.array([deal(hidden, start, rng) for _ in range(2000)])
    assert (np.sort(dealt[:, :3]) == [0, 0, 1]).all()
    assert (np.sort(dealt[:, 3:]) == [0, 1, 1, 1]).all()
    # The standard error of each share is 0.011 at most, and this is five of them.
    assert dealt[:, :3].mean(axis=0) == pytest.approx(np.full(3, 1 / 3), abs=0.055)
    assert dealt[:, 3:].mean(axis=0) == pytest.approx(np.full(4, 3 / 4), abs=0.055)
