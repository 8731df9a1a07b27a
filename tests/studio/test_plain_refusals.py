"""Refusals of the library as the studio tells them: no arguments, options or keys of a plan."""

from __future__ import annotations

from pathlib import Path

import pytest

import unlinkable as ul
from unlinkable.errors import DataError, SchemaError
from unlinkable.studio.pages.data.reading import is_about_encoding, plain_reading_error
from unlinkable.studio.pages.publish.series_view import plain_series_error as of_series
from unlinkable.tables.data.schema import Schema
from unlinkable.tables.series.recognition import person_column


def refusal(file: Path) -> str:
    with pytest.raises(DataError) as caught:
        ul.read(file)
    return str(caught.value)


def test_a_file_in_another_encoding_is_told_of_in_words_of_the_form(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_bytes("name;größe\nJürgen;5\n".encode("cp1252"))
    said = refusal(file)
    assert is_about_encoding(said)
    assert plain_reading_error(said).endswith("choose its encoding, or save it as UTF-8")


def test_columns_of_the_same_name_are_told_of_in_words_of_the_form(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("age,age\n1,2\n", encoding="utf-8")
    said = refusal(file)
    assert not is_about_encoding(said)
    assert "header=" in said
    assert "under “Names of the columns”" in plain_reading_error(said)
    assert "=" not in plain_reading_error(said)


def test_a_series_without_a_person_is_told_of_in_words_of_the_form() -> None:
    schema = Schema.of(identifiers=["patient", "name"])
    with pytest.raises(SchemaError) as caught:
        person_column(schema, None, None)
    said = of_series(str(caught.value))
    assert said.startswith("choose the column that identifies people")
    assert "--" not in said
