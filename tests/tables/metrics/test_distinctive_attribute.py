"""Distinctive attribute: the book's patients, the definition, and what merging does."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import cases
from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import rows_of_case, table_of
from tests.tables.metrics.random_releases import attribute, random_releases, records
from tests.tables.metrics.releases import shown_cells, shown_sizes
from unlinkable.errors import UnsupportedError
from unlinkable.tables.data import as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Partition
from unlinkable.tables.metrics import DistinctiveAttribute
from unlinkable.tables.metrics.base import Shown


def test_of_the_patients_of_table_2_2_the_job_goes_first() -> None:
    rows = rows_of_case(cases.load("book-ch02-ex2.2-k-anonymity")["input"]["original"])
    columns = {name: [row[name] for row in rows] for name in ("Job", "Sex", "Age")}
    patients = as_table(columns, quasi=list(columns))
    finest = count(patients).finest
    shown = Shown.of(
        Partition.at_levels(finest, patients.attributes, [0, 0, 0]), patients.attributes
    )
    metric = DistinctiveAttribute()
    assert metric.details(shown) == {"Job": 4, "Sex": 2, "Age": 3}
    assert metric.value(shown) == 4
    assert metric.next_attribute(shown) == "Job"
    jobs_gone = Partition.at_levels(finest, patients.attributes, [1, 0, 0])
    assert metric.next_attribute(Shown.of(jobs_gone, patients.attributes)) == "Age"


@given(random_releases())
def test_says_what_the_definition_says(shown: Shown) -> None:
    kept = [record.ranges for record in records(shown) if record.ranges is not None]
    distinct = [len({ranges[j] for ranges in kept}) for j in range(len(shown.attributes))]
    metric = DistinctiveAttribute()
    assert list(metric.details(shown).values()) == distinct
    assert metric.value(shown) == max(distinct)
    assert metric.next_attribute(shown) == f"q{distinct.index(max(distinct))}"
    assert metric.loss(shown) == -metric.value(shown)


def test_merging_can_add_a_value() -> None:
    letters = (attribute("a", ["a", "b"]),)
    before = shown_cells(letters, [[(0, 1)], [(0, 1)], [(1, 2)], [(1, 2)]])
    after = shown_cells(letters, [[(0, 1)], [(0, 2)], [(0, 2)], [(1, 2)]])
    assert DistinctiveAttribute().value(before) == 2
    assert DistinctiveAttribute().value(after) == 3


@given(table=tables(max_qid=3), data=st.data())
def test_levels_that_go_up_never_add_a_value(table: RandomTable, data: st.DataObject) -> None:
    encoded = table_of(table)
    finest, attributes = count(encoded).finest, encoded.attributes
    low = [data.draw(st.integers(0, a.taxonomy.height)) for a in attributes]
    high = [
        data.draw(st.integers(level, a.taxonomy.height))
        for level, a in zip(low, attributes, strict=True)
    ]
    fine, coarse = (
        Shown.of(Partition.at_levels(finest, attributes, levels), attributes)
        for levels in (low, high)
    )
    assert DistinctiveAttribute().value(coarse) <= DistinctiveAttribute().value(fine)


def test_groups_without_records_show_nothing() -> None:
    letters = (attribute("a", ["a", "b", "c"]),)
    lo, hi = np.array([[0], [1]], np.int32), np.array([[1], [2]], np.int32)
    shown = Shown(letters, lo, hi, np.array([3, 0]), np.array([3.0, 0.0]))
    assert DistinctiveAttribute().value(shown) == 1


def test_refuses_to_choose_among_no_columns() -> None:
    with pytest.raises(UnsupportedError, match="no quasi-identifying column to generalize"):
        DistinctiveAttribute().next_attribute(shown_sizes([3], 0))
