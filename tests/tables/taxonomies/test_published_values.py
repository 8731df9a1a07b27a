"""Published values: one way to write, one way to read, and each undoes the other."""

from __future__ import annotations

from datetime import date, datetime

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.data.taxonomies import boxes, built, columns, upto
from unlinkable.errors import DataError, ParameterError
from unlinkable.tables.taxonomies import Taxonomy, observe
from unlinkable.tables.taxonomies.builders import (
    Auto,
    Dates,
    Flat,
    Intervals,
    Observed,
    TaxonomyBuilder,
    Tree,
)
from unlinkable.tables.taxonomies.published_values import read_ranges, write_level, write_ranges

Built = tuple[Observed, TaxonomyBuilder, Taxonomy]

JOBS = Tree({"Professional": ["Engineer", "Lawyer"], "Artist": ["Dancer", "Writer"]})


def jobs(*values: str | None) -> Taxonomy:
    return JOBS.build(observe("job", values or ["Dancer"]))


def written(
    taxonomy: Taxonomy, *ranges: tuple[int, int], level_labels: bool = True
) -> list[object]:
    lo, hi = np.array(ranges).T
    texts: list[object] = write_ranges(taxonomy, lo, hi, level_labels=level_labels).tolist()
    return texts


def test_every_kind_of_range_has_its_text() -> None:
    taxonomy = jobs("Dancer", None)
    assert written(taxonomy, (0, 1), (0, 2), (1, 3), (0, 4), (0, 5), (4, 5)) == [
        "Engineer",
        "Professional",
        "{Lawyer, Dancer}",
        "{Engineer, Lawyer, Dancer, Writer}",
        "*",
        None,
    ]


def test_labels_of_the_taxonomy_can_be_left_aside() -> None:
    assert written(jobs(), (0, 2), (0, 4), level_labels=False) == ["{Engineer, Lawyer}", "*"]
    ages = Intervals(5).build(observe("age", [31, 33, 47]))
    assert written(ages, (0, 2)) == ["[30-35)"]
    assert written(ages, (0, 2), level_labels=False) == ["[31-34)"]


def test_an_interval_ends_a_step_after_its_last_value_and_names_no_other() -> None:
    """Age 107 may belong to a record that is left out."""
    ages = Flat().build(observe("age", [17, 20, 65, 107]))
    assert written(ages, (0, 2), (1, 3), (1, 4)) == ["[17-21)", "[20-66)", "[20-108)"]


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ([-5, -3, 2], "[-5--2)"),
        ([-0.5, 0.25, 3.0], "[-0.5-0.26)"),
        ([0.6, 0.7, 0.9], "[0.6-0.8)"),
        ([1e17, 3e17, 4e17], "[100000000000000000-300000000000000060)"),
        ([date(2024, 1, 5), date(2024, 1, 31), date(2024, 5, 1)], "[2024-01-05-2024-02-01)"),
        (
            [datetime(2024, 1, 5, 8), datetime(2024, 1, 5, 9, 30, 1), datetime(2024, 1, 6)],
            "[2024-01-05T08:00:00-2024-01-05T09:30:02)",
        ),
        (
            [datetime(2024, 1, 5), datetime(2024, 1, 7), datetime(2024, 1, 9)],
            "[2024-01-05T00:00:00-2024-01-08T00:00:00)",
        ),
    ],
)
def test_numbers_and_dates_are_written_in_their_own_units(values: list[object], text: str) -> None:
    taxonomy = Flat().build(observe("column", values))
    assert written(taxonomy, (0, 2)) == [text]
    assert [a.tolist() for a in read_ranges(taxonomy, [text])] == [[0], [2]]


def test_a_level_calls_every_node_by_its_own_label() -> None:
    tree = Tree({"Artist": {"Dancer": {}}, "Any cook": {"Cook": {}}})
    taxonomy = tree.build(observe("job", ["Cook", "Dancer", None]))
    codes = np.array([1, 0, 2, 1])
    assert write_level(taxonomy, 0, codes).tolist() == ["Cook", "Dancer", None, "Cook"]
    assert write_level(taxonomy, 1, codes).tolist() == ["Any cook", "Artist", None, "Any cook"]
    assert write_level(taxonomy, 2, codes).tolist() == ["*", "*", "*", "*"]
    assert written(taxonomy, (1, 2)) == ["Cook"]


def test_levels_without_labels_are_written_by_their_range() -> None:
    taxonomy = Auto().build(observe("job", ["a", "a", "a", "b", "c", "d", None]))
    assert taxonomy.domain.values.tolist() == ["b", "c", "a", "d"]
    assert write_level(taxonomy, 1, upto(5)).tolist() == [
        *["{b, c}"] * 2,
        *["{a, d}"] * 2,
        None,
    ]


def test_members_of_a_set_are_quoted_where_they_would_be_misread() -> None:
    values = ["a", "b, c", "{d}", ' "e"', ""]
    taxonomy = Flat().build(observe("column", values))
    (text,) = written(taxonomy, (0, 4))
    assert text == '{"", " \\"e\\"", a, "b, c"}'
    assert [a.tolist() for a in read_ranges(taxonomy, [str(text)])] == [[0], [4]]


def test_reads_what_others_may_write() -> None:
    ages = Intervals(5, low=20, high=80).build(observe("age", [18, 21, 22, 85, None]))
    lo, hi = read_ranges(ages, ["21.0", "+22", "2.2e1", "<20", ">=80", "[21-86)", "", None, "*"])
    assert lo.tolist() == [1, 2, 2, 0, 3, 1, 4, 4, 0]
    assert hi.tolist() == [2, 3, 3, 1, 4, 4, 5, 5, 5]


def test_an_empty_text_is_a_value_where_the_column_has_it() -> None:
    taxonomy = Flat().build(observe("job", ["", "cook", None]))
    lo, _ = read_ranges(taxonomy, ["", None])
    assert lo.tolist() == [0, 2]


def test_times_are_never_taken_for_days() -> None:
    times = observe("at", [datetime(2024, 3, 5), datetime(2024, 3, 5, 12), datetime(2024, 4, 1)])
    taxonomy = Dates("day", "month").build(times)
    texts = ["2024-03-05", "2024-03-05T00:00:00", "2024-03-05 12:00:00", "2024-03"]
    lo, hi = read_ranges(taxonomy, texts)
    assert list(zip(lo.tolist(), hi.tolist(), strict=True)) == [(0, 2), (0, 1), (1, 2), (0, 2)]


@given(built(), st.data(), st.booleans())
def test_what_is_written_reads_back(built: Built, data: st.DataObject, level_labels: bool) -> None:
    taxonomy = built[2]
    lo, hi = data.draw(boxes(taxonomy))
    texts = write_ranges(taxonomy, lo, hi, level_labels=level_labels)
    again = read_ranges(taxonomy, texts)
    assert (again[0].tolist(), again[1].tolist()) == (lo.tolist(), hi.tolist())


@given(built())
def test_levels_read_back_to_their_nodes(built: Built) -> None:
    taxonomy = built[2]
    codes = upto(taxonomy.n)
    for i, level in enumerate(taxonomy.levels):
        lo, hi = read_ranges(taxonomy, write_level(taxonomy, i, codes))
        assert (lo.tolist(), hi.tolist()) == (level.lo.tolist(), level.hi.tolist())


@given(columns(), st.data())
def test_equal_texts_are_equal_ranges(observed: Observed, data: st.DataObject) -> None:
    taxonomy = Flat().build(observed)
    lo, hi = data.draw(boxes(taxonomy))
    texts = write_ranges(taxonomy, lo, hi).tolist()
    assert len(set(texts)) == len(set(zip(lo.tolist(), hi.tolist(), strict=True)))


def test_reads_a_column_as_well_as_a_list() -> None:
    taxonomy = jobs()
    lo = np.tile(np.array([0, 1], np.int32), 1000)
    column = pl.Series(write_ranges(taxonomy, lo, lo + 2), dtype=pl.String)
    for texts in (column, column.cast(pl.Categorical), column.to_list()):
        again, _ = read_ranges(taxonomy, texts)
        assert (again == lo).all()


def test_refuses_a_range_with_some_values_and_the_missing_one() -> None:
    with pytest.raises(ParameterError, match="missing value beside some of the others"):
        written(jobs("Dancer", None), (2, 5))


def test_refuses_an_empty_range() -> None:
    with pytest.raises(ParameterError, match="empty"):
        written(jobs(), (2, 2))


@pytest.mark.parametrize(
    "text",
    ["Painter", "{Dancer, Painter}", "{Engineer, Dancer}", "{Dancer", "{}", "{Dancer,}", '{"a}'],
)
def test_refuses_a_text_that_means_nothing_here(text: str) -> None:
    with pytest.raises(DataError, match=r"column 'job': no published value .* no value, label"):
        read_ranges(jobs(), ["Dancer", text], column="job")


@pytest.mark.parametrize(
    "text", ["32", "[33-31)", "[34-40)", "thirty", "<31", "[31-x)", "nan", "1_0"]
)
def test_refuses_a_number_or_interval_that_holds_nothing(text: str) -> None:
    ages = Flat().build(observe("age", [31, 33, 47]))
    with pytest.raises(DataError, match="column 'age': cannot read"):
        read_ranges(ages, [text], column="age")


@pytest.mark.parametrize("text", ["2024-13-01", "[2024-13-01-2025-01-01)", "2024-01-05T00:00:00"])
def test_refuses_what_is_no_day(text: str) -> None:
    days = Flat().build(observe("day", [date(2024, 1, 5)]))
    with pytest.raises(DataError, match="cannot read"):
        read_ranges(days, [text])


def test_refuses_a_missing_value_where_none_was() -> None:
    with pytest.raises(DataError, match="column 'job': a value is missing"):
        read_ranges(jobs(), [None], column="job")
