"""Dictionaries of texts: when they are made, and what they are good for."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.tables.data.reading.dictionary import (
    all_distinct,
    distinct,
    is_text,
    repeating,
    settle,
    spread,
)

texts = st.lists(st.none() | st.text(max_size=2), max_size=20)


@given(texts)
def test_every_record_gets_what_belongs_to_its_text(values: list[str | None]) -> None:
    pl.Series(["something", "else"], dtype=pl.Categorical)
    column = pl.Series("x", values, dtype=pl.Categorical)
    keys = distinct(column)
    lengths = keys.cast(pl.String).str.len_chars()
    found = spread(column, keys, lengths)
    assert found.to_list() == [None if v is None else len(v) for v in values]
    assert found.name == "x"


@given(texts)
def test_all_distinct_texts_are_found_at_once(values: list[str | None]) -> None:
    frame = pl.DataFrame({"a": pl.Series(values, dtype=pl.Categorical), "b": range(len(values))})
    found = all_distinct(frame)
    assert list(found) == ["a"]
    assert set(found["a"].to_list()) == set(values) - {None}


@pytest.mark.parametrize(("n_distinct", "dtype"), [(900, pl.Categorical), (5000, pl.String)])
def test_a_dictionary_is_made_where_texts_repeat(n_distinct: int, dtype: pl.DataType) -> None:
    column = pl.Series([str(i % n_distinct) for i in range(20_000)])
    assert settle(column).dtype == dtype
    assert settle(column.cast(pl.Categorical)).dtype == dtype
    assert settle(column).cast(pl.String).equals(column)


def test_texts_that_come_again_are_told_from_those_that_do_not() -> None:
    sample = pl.DataFrame({"id": range(5000), "sex": ["f", "m"] * 2500}).cast(pl.String)
    assert repeating(sample) == ("sex",)


def test_text_has_many_forms() -> None:
    column = pl.Series(["a"])
    forms = [column, column.cast(pl.Categorical), column.cast(pl.Enum(["a"]))]
    assert all(is_text(form) for form in forms)
    assert not is_text(pl.Series([1]))
