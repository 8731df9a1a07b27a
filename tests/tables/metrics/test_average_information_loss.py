"""Average information loss: the definition of Byun et al., category and number."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from tests.tables.metrics.random_releases import as_it_was, attribute, random_releases, records
from tests.tables.metrics.releases import shown_cells
from unlinkable.tables.metrics import AverageInformationLoss
from unlinkable.tables.metrics.base import Shown
from unlinkable.tables.taxonomies import Attribute, Kind

AGES = attribute("age", [20, 21, 40])
JOBS = attribute("job", ["clerk", "cook", "nurse", "smith"])


def share(found: Attribute, lo: int, hi: int) -> float:
    """|G| / |D| of a range of codes."""
    domain = found.taxonomy.domain
    if domain.kind is Kind.CATEGORY:
        return (hi - lo) / domain.n
    if hi - lo == 1:
        return 0.0
    if hi > domain.n_present:
        return 1.0
    values = [float(value) for value in domain.values]
    return (values[hi - 1] - values[lo]) / (values[-1] - values[0])


def by_definition(shown: Shown) -> float:
    mean = sum(a.importance for a in shown.attributes) / len(shown.attributes)
    total = 0.0
    for record in records(shown):
        for j, found in enumerate(shown.attributes):
            loss = 1.0 if record.ranges is None else share(found, *record.ranges[j])
            total += record.weight * found.importance / mean * loss
    return total / (shown.total_weight or 1)


@given(random_releases())
def test_says_what_the_definition_says(shown: Shown) -> None:
    assert AverageInformationLoss().value(shown) == pytest.approx(by_definition(shown))


def test_attributes_add_up() -> None:
    # A group of two, 20 to 21 of 20 to 40 and 2 of 4 jobs; and one of one.
    shown = shown_cells((AGES, JOBS), [[(0, 2), (0, 2)]] * 2 + [[(2, 3), (3, 4)]])
    assert AverageInformationLoss().value(shown) == pytest.approx(
        (2 * (1 / 20 + 1 / 2) + 1 / 4) / 3
    )
    losses = AverageInformationLoss().details(shown)
    assert losses == pytest.approx({"age": 0.1 / 3, "job": 1.25 / 3})


def test_a_category_as_it_was_costs_one_of_all() -> None:
    shown = shown_cells((AGES, JOBS), [[(0, 1), (0, 1)], [(1, 2), (2, 3)]])
    assert AverageInformationLoss().value(shown) == 0.25


@given(random_releases())
def test_a_table_as_it_was_loses_what_its_categories_cost(shown: Shown) -> None:
    unchanged = as_it_was(shown)
    n_categories = [
        a.taxonomy.n if a.taxonomy.domain.kind is Kind.CATEGORY else np.inf
        for a in shown.attributes
    ]
    losses = list(AverageInformationLoss().details(unchanged).values())
    assert losses == pytest.approx([1 / n if shown.n_records else 0.0 for n in n_categories])


def test_missing_values_beside_others_show_everything() -> None:
    ages = attribute("age", [20, 30, 60], missing=True)
    cells = AverageInformationLoss().cells
    lo, hi = np.array([3, 2, 0, 0]), np.array([4, 4, 4, 3])
    assert cells(ages.taxonomy, lo, hi).tolist() == [0, 1, 1, 1]


def test_nothing_but_suppressed_records_loses_every_attribute() -> None:
    gone = Shown(
        (AGES, JOBS),
        np.zeros((0, 2), np.int32),
        np.zeros((0, 2), np.int32),
        np.zeros(0, np.int64),
        np.zeros(0),
        n_suppressed=5,
        suppressed_weight=5.0,
    )
    assert AverageInformationLoss().value(gone) == 2
