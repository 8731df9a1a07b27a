"""Dates: the calendar, told less and less precisely."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.data.taxonomies import columns, upto
from unlinkable.errors import ParameterError, TaxonomyError
from unlinkable.tables.taxonomies import Taxonomy, observe
from unlinkable.tables.taxonomies.builders import DatePart, Dates, Observed
from unlinkable.tables.taxonomies.published_values import write_level


def by_definition(value: date, part: str) -> str:
    """The label of a date, by the standard library's calendar."""
    year, week, _ = value.isocalendar()
    return {
        "day": f"{value:%Y-%m-%d}",
        "week": f"{year}-W{week:02d}",
        "month": f"{value:%Y-%m}",
        "quarter": f"{value.year}-Q{(value.month + 2) // 3}",
        "year": f"{value.year}",
        "decade": f"{value.year // 10}0s",
    }[part]


def levels(taxonomy: Taxonomy) -> list[list[str]]:
    codes = upto(taxonomy.domain.n_present)
    return [write_level(taxonomy, i, codes).tolist() for i in range(1, taxonomy.height)]


@given(
    columns("time"),
    st.sampled_from([("day", "week"), ("day", "month", "quarter", "year", "decade"), ("quarter",)]),
)
def test_every_date_lies_where_the_calendar_puts_it(
    observed: Observed, parts: tuple[str, ...]
) -> None:
    taxonomy = Dates(*parts).build(observed)
    times = [t.item() for t in taxonomy.domain.values]
    assert levels(taxonomy) == [[by_definition(t, part) for t in times] for part in parts]


@given(columns("date"), st.sampled_from(list(DatePart)))
def test_edges_hold_the_days_of_the_label_and_no_others(observed: Observed, part: DatePart) -> None:
    taxonomy = Dates(part).build(observed)
    for level in taxonomy.levels[1:-1]:
        assert level.edges is not None
        assert level.labels is not None
        for lower, upper, label in zip(
            level.edges.lower, level.edges.upper, level.labels, strict=False
        ):
            first, after = lower.item(), upper.item()
            last = after - timedelta(days=1)
            assert {by_definition(d, part.value) for d in (first, last)} == {label}
            outside = {by_definition(d, part.value) for d in (first - timedelta(days=1), after)}
            assert label not in outside


def test_weeks_belong_to_the_year_of_their_thursday() -> None:
    days = [date(2020, 12, 31), date(2021, 1, 3), date(2021, 1, 4), date(2024, 12, 30)]
    taxonomy = Dates("week").build(observe("day", days))
    assert levels(taxonomy) == [["2020-W53", "2020-W53", "2021-W01", "2025-W01"]]


def test_works_before_1970() -> None:
    days = [date(1899, 12, 31), date(1969, 12, 31)]
    taxonomy = Dates("month", "quarter", "year", "decade").build(observe("day", days))
    assert list(zip(*levels(taxonomy), strict=True)) == [
        ("1899-12", "1899-Q4", "1899", "1890s"),
        ("1969-12", "1969-Q4", "1969", "1960s"),
    ]


def test_the_day_is_a_level_of_times_and_not_of_days() -> None:
    assert Dates("day", "month").build(observe("at", [datetime(2024, 1, 1, 9)])).height == 3
    assert Dates("day", "month").build(observe("on", [date(2024, 1, 1)])).height == 2


def test_a_column_without_values_has_the_same_levels() -> None:
    assert Dates("month", "year").build(observe("on", [None])).height == 3


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ((), "at least one part"),
        (("week", "month"), "weeks do not nest in months, a week may lie in two of them"),
        (("week", "year"), "weeks do not nest in years"),
        (("year", "month"), "from fine to coarse: 'month' cannot follow 'year'"),
        (("month", "month"), "'month' cannot follow 'month'"),
        (("moth",), r"no part of a date 'moth' among 6 \(did you mean 'month'\?\)"),
    ],
)
def test_refuses_parts_that_do_not_nest(parts: tuple[str, ...], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Dates(*parts)


def test_refuses_text_and_numbers_and_says_what_to_do() -> None:
    with pytest.raises(
        TaxonomyError, match=r"'on' holds text, not dates: turn it into dates .* Mask"
    ):
        Dates("month").build(observe("on", ["2024-01-01"]))
    with pytest.raises(
        TaxonomyError, match="column 'on' holds numbers, not dates: turn it into dates"
    ):
        Dates("month").build(observe("on", [20240101]))
