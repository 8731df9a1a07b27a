"""Encoding: a column of any type as numbers, without losing a value."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.errors import DataError
from unlinkable.tables.taxonomies import Kind, observe
from unlinkable.tables.taxonomies.builders import Flat, Tree
from unlinkable.tables.taxonomies.encoding import Numbered, number


def decoded(numbered: Numbered) -> list[object]:
    """The records, from their numbers alone."""
    domain = numbered.observed.domain
    return [domain.scalar(int(numbered.codes[n])) for n in numbered.numbers]


values = st.one_of(
    st.lists(st.none() | st.text(max_size=3).filter(lambda t: "\0" not in t)),
    st.lists(st.none() | st.integers(-9, 9)),
    st.lists(st.none() | st.integers(-(2**63), 2**63 - 1)),
    st.lists(st.none() | st.floats(allow_nan=False).map(lambda x: x + 0.0)),
    st.lists(st.none() | st.dates()),
    st.lists(st.none() | st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1))),
)


@given(values)
def test_numbers_and_codes_give_the_records_back(records: list[object]) -> None:
    numbered = number(pl.Series("x", records))
    assert decoded(numbered) == records
    assert numbered.numbers.dtype == numbered.codes.dtype == np.int32


@given(values)
def test_values_rise_and_are_counted(records: list[object]) -> None:
    observed = number(pl.Series("x", records)).observed
    present = sorted({r for r in records if r is not None})  # type: ignore[type-var]
    domain = observed.domain
    assert [domain.scalar(code) for code in range(domain.n_present)] == present
    counts = [records.count(v) for v in present]
    assert observed.counts.tolist() == counts + [records.count(None)] * domain.has_missing
    assert domain.has_missing == (None in records)


@pytest.mark.parametrize(
    ("series", "kind", "dtype"),
    [
        (pl.Series(["b", "a"]), Kind.CATEGORY, "object"),
        (pl.Series(["b", "a"], dtype=pl.Categorical), Kind.CATEGORY, "object"),
        (pl.Series(["b", "a"], dtype=pl.Enum(["c", "b", "a"])), Kind.CATEGORY, "object"),
        (pl.Series([True, False]), Kind.CATEGORY, "object"),
        (pl.Series([3, 200], dtype=pl.UInt8), Kind.NUMBER, "int64"),
        (pl.Series([0, 2**31 - 1], dtype=pl.Int32), Kind.NUMBER, "int64"),
        (pl.Series([2**63, 2**64 - 1], dtype=pl.UInt64), Kind.NUMBER, "uint64"),
        (pl.Series([-(2**63), 2**63 - 1], dtype=pl.Int128), Kind.NUMBER, "int64"),
        (pl.Series([0.5, 1.5], dtype=pl.Float32), Kind.NUMBER, "float64"),
        (pl.Series([Decimal("0.10"), Decimal("2.00")]), Kind.NUMBER, "float64"),
        (pl.Series([date(1, 1, 1), date(9999, 1, 1)]), Kind.DATE, "datetime64[D]"),
        (pl.Series([None], dtype=pl.Date), Kind.DATE, "datetime64[D]"),
        (pl.Series([None], dtype=pl.Int8), Kind.NUMBER, "int64"),
        (pl.Series([None]), Kind.NUMBER, "float64"),
    ],
)
def test_every_type_becomes_one_of_few(series: pl.Series, kind: Kind, dtype: str) -> None:
    domain = number(series).observed.domain
    assert (domain.kind, str(domain.values.dtype)) == (kind, dtype)


@pytest.mark.parametrize("texts", [["c", "b", None, "a"], ["a", "c", "b", None]])
@pytest.mark.parametrize("dtype", [pl.String, pl.Categorical])
def test_categories_are_sorted_whatever_order_they_came_in(texts: list[Any], dtype: Any) -> None:
    series = pl.Series(texts, dtype=dtype)
    assert decoded(number(series)) == texts
    assert number(series).observed.domain.values.tolist() == ["a", "b", "c"]


@pytest.mark.parametrize("texts", [["b", "d", "a", None], ["a", None, "b", "d"]])
def test_categories_that_have_an_order_keep_it(texts: list[Any]) -> None:
    series = pl.Series(texts, dtype=pl.Enum(["d", "c", "b", "a"]))
    assert decoded(number(series)) == texts
    assert number(series).observed.domain.values.tolist() == ["d", "b", "a"]


def test_what_is_not_a_number_is_missing() -> None:
    numbered = number(pl.Series([1.5, float("nan"), None, 1.5]))
    assert decoded(numbered) == [1.5, None, None, 1.5]
    assert numbered.observed.counts.tolist() == [2, 2]


def test_both_zeros_are_one() -> None:
    assert number(pl.Series([0.0, -0.0])).observed.domain.n == 1


def test_times_are_those_on_the_clock_of_their_zone() -> None:
    evening = datetime(2024, 1, 5, 23, 30)
    series = pl.Series([evening]).dt.replace_time_zone("Europe/Berlin")
    assert decoded(number(series)) == [evening]


def test_times_are_kept_to_the_microsecond() -> None:
    series = pl.Series([1, 2, 1_001], dtype=pl.Datetime("ns"))
    assert number(series).observed.domain.n == 2


def test_codes_of_a_taxonomy_follow_its_own_order() -> None:
    numbered = number(pl.Series("job", ["cook", None, "actor", "cook"]))
    taxonomy = Tree({"X": ["cook", "maid"], "Y": ["actor"]}).build(numbered.observed)
    assert numbered.codes_in(taxonomy)[numbered.numbers].tolist() == [0, 3, 2, 0]


def test_numbers_are_found_in_a_taxonomy_of_categories() -> None:
    numbered = number(pl.Series("x", [3, 4, 1]))
    taxonomy = Tree({"odd": [1, 3], "even": [2, 4]}).build(numbered.observed)
    assert taxonomy.domain.kind is Kind.CATEGORY
    assert numbered.codes_in(taxonomy)[numbered.numbers].tolist() == [1, 3, 0]


def test_values_that_a_taxonomy_lacks_have_no_code() -> None:
    taxonomy = Flat().build(observe("x", ["a"]))
    numbered = number(pl.Series("x", ["b", "a", None]))
    assert numbered.codes_in(taxonomy)[numbered.numbers].tolist() == [-1, 0, -1]


def test_a_column_without_records_has_codes_too() -> None:
    numbered = number(pl.Series("x", [], dtype=pl.String))
    assert numbered.codes_in(Flat().build(numbered.observed)).tolist() == [0]


@pytest.mark.parametrize("value", [[1, 2], {"a": 1}, timedelta(days=1), b"bytes"])
def test_refuses_what_is_neither_text_number_nor_date(value: object) -> None:
    with pytest.raises(DataError, match=r"column 'x' holds .*, which is neither text, numbers nor"):
        number(pl.Series("x", [value]))


@pytest.mark.parametrize("values", [[2**64], [-(2**63) - 1], [-1, 2**63]])
def test_refuses_whole_numbers_that_are_too_long(values: list[int]) -> None:
    with pytest.raises(DataError, match="column 'x' holds whole numbers of more than 64 bits"):
        number(pl.Series("x", values, dtype=pl.Int128))
