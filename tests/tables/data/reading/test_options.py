"""What a reader can be told, and what it cannot."""

from __future__ import annotations

import pytest

from unlinkable.errors import DataError, ParameterError
from unlinkable.tables.data.reading import ColumnType, ReadOptions


def test_types_are_named_or_patterns() -> None:
    options = ReadOptions(types={"zip": "text", "born": "%d.%m.%Y"}, missing="NA")
    assert options.types == {"zip": ColumnType.TEXT, "born": "%d.%m.%Y"}
    assert options.missing == ("NA",)


def test_nothing_is_missing_but_the_empty_field_by_default() -> None:
    assert ReadOptions().missing == ()


def test_a_type_that_is_none_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"column 'zip': no type 'txt' .* mean 'text'"):
        ReadOptions(types={"zip": "txt"})


@pytest.mark.parametrize("separator", ["", "::", "é", '"', "\n"])
def test_a_separator_is_one_plain_character(separator: str) -> None:
    with pytest.raises(ParameterError, match="separator must be one character"):
        ReadOptions(separator=separator)


def test_options_that_mean_nothing_are_refused() -> None:
    ReadOptions().refuse("x.csv", "sheet", "query")
    with pytest.raises(DataError, match=r"x\.csv: 'sheet' means nothing here; leave it out"):
        ReadOptions(sheet=0).refuse("x.csv", "sheet", "query")
