"""Non-uniform entropy: the definition cell by cell, and what common values cost."""

from __future__ import annotations

from collections import defaultdict
from math import log2

import numpy as np
import pytest
from hypothesis import given

from tests.tables.metrics.random_releases import attribute, random_releases, records, with_roots
from tests.tables.metrics.releases import shown_cells
from unlinkable.errors import UnsupportedError
from unlinkable.tables.groups import Groups, Partition
from unlinkable.tables.metrics import NonuniformEntropy
from unlinkable.tables.metrics.base import Shown


def by_definition(shown: Shown) -> list[float]:
    """The loss of every attribute, from what every cell loses."""
    losses = []
    for j, found in enumerate(shown.attributes):
        n: dict[int, float] = defaultdict(float)
        for record in records(shown):
            n[record.codes[j]] += record.weight
        lost = most = 0.0
        for record in records(shown):
            own = n[record.codes[j]]
            lo, hi = (0, found.taxonomy.n) if record.ranges is None else record.ranges[j]
            lost -= record.weight * log2(own / sum(n[code] for code in range(lo, hi)))
            most -= record.weight * log2(own / sum(n.values()))
        losses.append(lost / most if len([w for w in n.values() if w]) > 1 else 0.0)
    return losses


@given(random_releases())
def test_says_what_the_definition_says(shown: Shown) -> None:
    expected = by_definition(shown)
    assert list(NonuniformEntropy().details(shown).values()) == pytest.approx(expected)
    mean = sum(w * loss for w, loss in zip(shown.importance, expected, strict=True))
    assert NonuniformEntropy().value(shown) == pytest.approx(mean)


@given(random_releases())
def test_roots_lose_all_that_varies(shown: Shown) -> None:
    for before, loss in zip(
        shown.before, NonuniformEntropy().by_attribute(with_roots(shown)), strict=True
    ):
        assert loss == pytest.approx(1.0 if np.count_nonzero(before) > 1 else 0.0)


def test_hiding_a_rare_value_costs_less_than_hiding_a_common_one() -> None:
    letters = attribute("a", ["a", "b", "c"])
    counts = np.array([98, 100, 2])
    keys = np.arange(3, dtype=np.int32).reshape(-1, 1)
    finest = Groups(counts, counts.astype(float), {}, {}, ("a",), keys)
    common, rare = (
        NonuniformEntropy().value(
            Shown.of(Partition.tight(finest, np.array(labels, np.int32), 2), (letters,))
        )
        for labels in ([0, 0, 1], [0, 1, 1])
    )
    assert 0 < rare < common / 2


def test_needs_the_original_records() -> None:
    shown = shown_cells((attribute("a", ["a", "b"]),), [[(0, 2)]])
    with pytest.raises(UnsupportedError, match="which original record is in which group"):
        NonuniformEntropy().value(shown)
