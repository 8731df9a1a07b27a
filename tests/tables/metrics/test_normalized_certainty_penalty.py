"""Normalized certainty penalty: nothing for a single value, the share of the values else."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.groups.plain import taxonomy_of
from tests.tables.metrics.random_releases import attribute, random_releases, records
from tests.tables.metrics.releases import shown_cells
from tests.witness.tree import Tree
from unlinkable.errors import ParameterError
from unlinkable.registry.lookup import make
from unlinkable.tables.metrics import Extent, NormalizedCertaintyPenalty
from unlinkable.tables.metrics.base import Shown
from unlinkable.tables.taxonomies import Attribute, Kind

LETTERS = taxonomy_of(Tree({v: (v, "*") for v in "abcde"}))
ALONE = taxonomy_of(Tree({"a": ("a", "*")}))


@pytest.mark.parametrize(("lo", "hi", "loss"), [(0, 1, 0), (1, 3, 0.4), (1, 5, 0.8), (0, 5, 1)])
def test_a_cell_loses_the_share_that_it_covers(lo: int, hi: int, loss: float) -> None:
    cells = NormalizedCertaintyPenalty().cells(LETTERS, np.array([lo]), np.array([hi]))
    assert cells.tolist() == [loss]


def test_a_value_that_all_have_is_never_lost() -> None:
    assert NormalizedCertaintyPenalty().cells(ALONE, np.array([0]), np.array([1])).tolist() == [0]


def test_roots_lose_as_much_as_suppression() -> None:
    release = shown_cells((Attribute("a", LETTERS), Attribute("b", LETTERS)), [[(0, 5), (0, 5)]])
    assert NormalizedCertaintyPenalty().value(release) == 1
    assert NormalizedCertaintyPenalty().suppressed(LETTERS) == 1


def cell(found: Attribute, lo: int, hi: int, numbers: Extent) -> float:
    """The penalty of a range of codes."""
    domain = found.taxonomy.domain
    if hi - lo == 1:
        return 0.0
    if numbers is Extent.COUNT or domain.kind is Kind.CATEGORY:
        return (hi - lo) / domain.n
    if hi > domain.n_present:
        return 1.0
    values = [float(value) for value in domain.values]
    return (values[hi - 1] - values[lo]) / (values[-1] - values[0])


@given(random_releases(), st.sampled_from(Extent))
def test_records_attributes_and_table_are_means_of_cells(shown: Shown, numbers: Extent) -> None:
    penalty = NormalizedCertaintyPenalty(numbers)
    importance = [
        a.importance / sum(a.importance for a in shown.attributes) for a in shown.attributes
    ]
    by_record, by_attribute = [], [0.0] * len(importance)
    for record in records(shown):
        cells = [
            1.0 if record.ranges is None else cell(a, *record.ranges[j], numbers)
            for j, a in enumerate(shown.attributes)
        ]
        by_record.append(sum(w * c for w, c in zip(importance, cells, strict=True)))
        for j, loss in enumerate(cells):
            by_attribute[j] += record.weight * loss / shown.total_weight
    groups = np.append(penalty.by_group(shown), 1.0)
    assert groups[shown.labels].tolist() == pytest.approx(by_record)
    assert list(penalty.details(shown).values()) == pytest.approx(by_attribute)
    weights = shown.finest.weights
    assert penalty.value(shown) == pytest.approx(
        float(weights @ np.array(by_record)) / (shown.total_weight or 1)
    )


def test_numbers_count_by_values_or_by_length() -> None:
    ages = attribute("age", [20, 21, 40, 60])
    lo, hi = np.array([0, 0, 1]), np.array([1, 2, 4])
    by_count = NormalizedCertaintyPenalty().cells(ages.taxonomy, lo, hi)
    by_length = NormalizedCertaintyPenalty(Extent.LENGTH).cells(ages.taxonomy, lo, hi)
    assert by_count.tolist() == [0, 0.5, 0.75]
    assert by_length.tolist() == [0, 0.025, 0.975]


def test_the_measure_of_numbers_can_be_written_down() -> None:
    metric = make("metric", "normalized-certainty-penalty(numbers=length)")
    assert metric == NormalizedCertaintyPenalty(Extent.LENGTH)
    with pytest.raises(ParameterError, match="no extent 'width' among 2"):
        NormalizedCertaintyPenalty("width")
