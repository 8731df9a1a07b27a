"""Privacy percentage: the three readings of the thesis."""

from __future__ import annotations

import pytest
from hypothesis import given

from tests import cases
from tests.tables.groups.plain import rows_of_case
from tests.tables.metrics.random_releases import (
    Record,
    attribute,
    random_releases,
    records,
    with_roots,
)
from tests.tables.metrics.releases import shown_cells
from unlinkable.errors import ParameterError
from unlinkable.tables.metrics import Hidden, PrivacyPercentage
from unlinkable.tables.metrics.base import Shown


@pytest.mark.parametrize(
    ("count", "key"),
    [
        (Hidden.CELLS, "cells"),
        (Hidden.ATTRIBUTES, "attributes_fully_suppressed"),
        (Hidden.RECORDS, "tuples_fully_suppressed"),
    ],
)
def test_the_thesis_can_be_read_in_three_ways(count: Hidden, key: str) -> None:
    case = cases.load("babu-percent-privacy")
    rows, top = rows_of_case(case["input"]["table"]), case["input"]["suppressed_value"]
    names = case["input"]["quasi_identifier"]
    values = {a: sorted({str(row[a]) for row in rows} - {top} | {"other"}) for a in names}
    attributes = tuple(attribute(a, values[a]) for a in names)
    ranges = [
        [
            (0, len(values[a])) if row[a] == top else (i := values[a].index(str(row[a])), i + 1)
            for a in names
        ]
        for row in rows
    ]
    # Where no record shows a value of its own, the attribute has two that nobody shows.
    missing = [j for j, a in enumerate(names) if len(values[a]) == 1]
    for j in missing:
        name = names[j]
        attributes = (*attributes[:j], attribute(name, ["one", "other"]), *attributes[j + 1 :])
        for row in ranges:
            row[j] = (0, 2)
    percent = case["expected"][key]["percent"]
    assert PrivacyPercentage(count).value(shown_cells(attributes, ranges)) == pytest.approx(percent)


def tops(record: Record, shown: Shown) -> list[bool]:
    """Which cells of a record show all of two values or more, or are left out."""
    if record.ranges is None:
        return [True] * len(shown.attributes)
    n = [a.taxonomy.n for a in shown.attributes]
    return [hi - lo == k > 1 for (lo, hi), k in zip(record.ranges, n, strict=True)]


def by_definition(shown: Shown, count: Hidden) -> float:
    found = [(record.weight, tops(record, shown)) for record in records(shown)]
    if not found:
        return 0.0
    d, total = len(shown.attributes), sum(weight for weight, _ in found)
    match count:
        case Hidden.CELLS:
            return 100 * sum(w * sum(cells) for w, cells in found) / (d * total)
        case Hidden.ATTRIBUTES:
            return 100 * sum(all(cells[j] for _, cells in found) for j in range(d)) / d
        case Hidden.RECORDS:
            return 100 * sum(w for w, cells in found if all(cells)) / total


@pytest.mark.parametrize("count", list(Hidden))
@given(shown=random_releases())
def test_says_what_the_definition_says(count: Hidden, shown: Shown) -> None:
    assert PrivacyPercentage(count).value(shown) == pytest.approx(by_definition(shown, count))


@given(random_releases())
def test_the_percentage_of_cells_is_the_mean_of_the_columns(shown: Shown) -> None:
    percents = list(PrivacyPercentage().details(shown).values())
    assert PrivacyPercentage().value(shown) == pytest.approx(sum(percents) / len(percents))


@given(random_releases())
def test_roots_hide_all_columns_that_have_two_values(shown: Shown) -> None:
    hidden = [a.taxonomy.n > 1 for a in shown.attributes]
    percent = 100 * sum(hidden) / len(hidden) if shown.n_records else 0.0
    assert PrivacyPercentage().value(with_roots(shown)) == pytest.approx(percent)


def test_a_column_of_one_value_hides_nothing() -> None:
    alone = shown_cells((attribute("a", ["a"]),), [[(0, 1)]])
    assert [PrivacyPercentage(count).value(alone) for count in Hidden] == [0, 0, 0]


def test_refuses_to_count_what_it_does_not_know() -> None:
    with pytest.raises(ParameterError, match="no thing to count 'tuples' among 3"):
        PrivacyPercentage("tuples")
