"""Ambiguity: the definition, and what the paper's number is."""

from __future__ import annotations

from math import log2, prod

import pytest
from hypothesis import given

from tests.tables.metrics.random_releases import (
    Record,
    attribute,
    random_releases,
    records,
    with_roots,
)
from tests.tables.metrics.releases import shown_cells
from unlinkable.tables.metrics import Ambiguity
from unlinkable.tables.metrics.base import Shown


def widths(record: Record, n: list[int]) -> list[int]:
    """How many values a record could have on every attribute."""
    return n if record.ranges is None else [hi - lo for lo, hi in record.ranges]


def by_definition(shown: Shown) -> float:
    n = [a.taxonomy.n for a in shown.attributes]
    importance = [a.importance for a in shown.attributes]
    most = sum(w * log2(k) for w, k in zip(importance, n, strict=True))
    found = records(shown)
    total = sum(r.weight for r in found)
    if not total or not most:
        return 0.0
    open_bits = sum(
        r.weight * sum(w * log2(k) for w, k in zip(importance, widths(r, n), strict=True))
        for r in found
    )
    return open_bits / total / most


@given(random_releases())
def test_says_what_the_definition_says(shown: Shown) -> None:
    assert Ambiguity().value(shown) == pytest.approx(by_definition(shown))


@given(random_releases())
def test_the_details_count_combinations(shown: Shown) -> None:
    n = [a.taxonomy.n for a in shown.attributes]
    found = records(shown)
    total = sum(r.weight for r in found)
    mean = sum(r.weight * prod(widths(r, n)) for r in found) / (total or 1)
    assert Ambiguity().details(shown)["combinations"] == pytest.approx(mean)


@given(random_releases())
def test_a_record_that_shows_only_roots_can_be_any(shown: Shown) -> None:
    can_vary = any(a.taxonomy.n > 1 for a in shown.attributes) and shown.n_records
    assert Ambiguity().value(with_roots(shown)) == pytest.approx(1.0 if can_vary else 0.0)


def test_more_combinations_than_a_float_can_hold_are_as_many_as_it_can() -> None:
    letters = attribute("a", [f"v{i}" for i in range(1000)])
    shown = shown_cells((letters,) * 110, [[(0, 1000)] * 110])
    assert Ambiguity().value(shown) == pytest.approx(1)
    assert Ambiguity().details(shown)["combinations"] == pytest.approx(1.797e308, rel=1e-3)
