"""Posteriors: where each number is, what ruling values out does to them, and to their intervals."""

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
from unlinkable.tables.attacks.worlds.shared.posteriors import Posteriors
from unlinkable.tables.data.side import Side


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
    told = found.told(1)
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
