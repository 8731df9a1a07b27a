"""Writing: whole files or none, and what is written is what is read."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from unlinkable.errors import DataError
from unlinkable.tables.data import writing
from unlinkable.tables.data.reading import ReadOptions, read_frame
from unlinkable.tables.data.writing import write_frame

FIXTURES = [HealthCheck.function_scoped_fixture]
SCHEMA: dict[str, Any] = {
    "n": pl.Int64,
    "x": pl.Float64,
    "text": pl.String,
    "zip": pl.String,
    "born": pl.Date,
    "seen": pl.Datetime("us"),
    "alive": pl.Boolean,
    "cost": pl.Decimal(12, 2),
}
TYPES = {
    "n": "integer",
    "x": "number",
    "text": "text",
    "zip": "text",
    "born": "date",
    "seen": "datetime",
    "alive": "boolean",
    "cost": "number",
}
days = st.dates(date(1900, 3, 1), date(2200, 1, 1))
moments = st.datetimes(datetime(1900, 3, 1), datetime(2200, 1, 1))
zips = st.integers(0, 99_999).map("{:05d}".format)
cents = st.integers(-(10**9), 10**9).map(lambda n: Decimal(n) / 100)


def frames(
    text: st.SearchStrategy[str], most: int, when: st.SearchStrategy[datetime], min_size: int = 0
) -> st.SearchStrategy[pl.DataFrame]:
    record = st.fixed_dictionaries(
        {
            "n": st.none() | st.integers(-most, most - 1),
            "x": st.none() | st.floats(allow_nan=False, allow_infinity=False, width=32),
            "text": st.none() | text,
            "zip": st.none() | zips,
            "born": st.none() | days,
            "seen": st.none() | when,
            "alive": st.none() | st.booleans(),
            "cost": st.none() | cents,
        }
    )
    return st.lists(record, min_size=min_size, max_size=6).map(
        lambda records: pl.DataFrame(records, schema=SCHEMA)
    )


def plain(frame: pl.DataFrame, schema: pl.Schema) -> pl.DataFrame:
    """Undo what a format cannot tell: dictionaries and texts, whole floats and integers."""
    return frame.with_columns(
        pl.col(name).cast(pl.String).cast(dtype)
        if isinstance(frame.schema[name], pl.Categorical)
        else pl.col(name).cast(dtype)
        for name, dtype in schema.items()
    )


any_text = st.text(st.characters(codec="utf-8"), max_size=5)


@settings(suppress_health_check=FIXTURES)
@given(
    frame=frames(any_text, 2**63, moments),
    name=st.sampled_from(["x.csv", "x.tsv", "x.txt", "x.csv.gz"]),
)
def test_csv_comes_back(tmp_path: Path, frame: pl.DataFrame, name: str) -> None:
    write_frame(frame, tmp_path / name)
    options = ReadOptions(types=TYPES, header=True, may_be_empty=True)
    found = read_frame(tmp_path / name, options=options)
    assert_frame_equal(plain(found, frame.schema), frame)


@settings(suppress_health_check=FIXTURES)
@given(frame=frames(any_text, 2**63, moments, min_size=1))
def test_csv_comes_back_with_types_found_or_as_text(tmp_path: Path, frame: pl.DataFrame) -> None:
    """A column is found to be what it was, or stays text with the same texts."""
    write_frame(frame, tmp_path / "x.csv")
    found = read_frame(tmp_path / "x.csv")
    for column in frame.drop("text"):
        if isinstance(found.schema[column.name], pl.Categorical):
            continue
        assert found[column.name].cast(column.dtype).equals(column)
    whole = frame["n"].drop_nulls()
    assert found.schema["n"] == (pl.Int64 if len(whole) else pl.Categorical)
    if found.schema["text"] == pl.Categorical:
        assert found["text"].cast(pl.String).equals(frame["text"])


def is_name(text: str) -> bool:
    return text.strip().strip("\ufeff") == text != "" and not (text[0] == "^" and text[-1] == "$")


@settings(suppress_health_check=FIXTURES)
@given(
    names=st.lists(any_text.filter(is_name), min_size=2, max_size=4, unique=True),
    value=any_text,
    name=st.sampled_from(["x.csv", "x.tsv"]),
)
def test_csv_keeps_names(tmp_path: Path, names: list[str], value: str, name: str) -> None:
    frame = pl.DataFrame({n: [value] for n in names})
    write_frame(frame, tmp_path / name)
    separator = "," if name == "x.csv" else "\t"
    options = ReadOptions(infer=False, header=True, separator=separator)
    found = read_frame(tmp_path / name, options=options)
    assert found.columns == names
    assert found.row(0) == frame.row(0)


@settings(suppress_health_check=FIXTURES)
@given(column=st.lists(st.none() | st.text('a"\n\r,', max_size=3), min_size=1, max_size=5))
def test_one_column_of_csv_comes_back(tmp_path: Path, column: list[str | None]) -> None:
    frame = pl.DataFrame({"a": column}, schema={"a": pl.String})
    write_frame(frame, tmp_path / "x.csv")
    found = read_frame(tmp_path / "x.csv", options=ReadOptions(separator=",", infer=False))
    assert found["a"].to_list() == column


@settings(suppress_health_check=FIXTURES)
@given(
    frame=frames(any_text, 2**63, moments),
    name=st.sampled_from(["x.parquet", "x.arrow", "x.feather"]),
)
def test_parquet_and_arrow_come_back(tmp_path: Path, frame: pl.DataFrame, name: str) -> None:
    write_frame(frame, tmp_path / name)
    found = read_frame(tmp_path / name, options=ReadOptions(may_be_empty=True))
    assert_frame_equal(plain(found, frame.schema), frame)
    kept = [n for n, dtype in frame.schema.items() if dtype != pl.String]
    assert found.select(kept).schema == frame.select(kept).schema


poor_text = st.text(
    st.characters(codec="utf-8", categories=["L", "N", "P", "S"]), min_size=1, max_size=5
)
to_milliseconds = moments.map(lambda m: m.replace(microsecond=m.microsecond // 1000 * 1000))


@settings(suppress_health_check=FIXTURES)
@given(
    frame=frames(poor_text, 2**53, to_milliseconds, min_size=1),
    name=st.sampled_from(["x.xlsx", "x.sav", "x.dta", "x.xpt"]),
)
def test_packages_give_back_what_they_take(tmp_path: Path, frame: pl.DataFrame, name: str) -> None:
    frame = frame.filter(~pl.all_horizontal(pl.all().is_null()))
    write_frame(frame, tmp_path / name)
    options = ReadOptions(may_be_empty=True)
    found = plain(read_frame(tmp_path / name, options=options), frame.schema)
    assert_frame_equal(found, frame, rel_tol=1e-12, abs_tol=0)


@pytest.mark.parametrize("name", ["x.xlsx", "x.sav", "x.dta", "x.xpt"])
def test_packages_take_a_table_of_all_types(tmp_path: Path, name: str) -> None:
    frame = pl.DataFrame(
        {
            "n": [1, None, -3],
            "x": [0.5, None, 0.1 + 0.2],
            "text": ['é "x"\nz', None, "=1+1"],
            "zip": pl.Series(["00501", None, "NA"], dtype=pl.Categorical),
            "born": [date(1980, 1, 31), None, date(2020, 2, 29)],
            "seen": [datetime(2020, 1, 1, 12, 30, 15), None, datetime(1999, 1, 1)],
            "cost": pl.Series([Decimal("1.25"), None, Decimal("2.00")]),
            "none": pl.Series([None, None, None], dtype=pl.Null),
        }
    )
    write_frame(frame, tmp_path / name)
    found = read_frame(tmp_path / name)
    expected = frame.with_columns(pl.col("cost", "none").cast(pl.Float64))
    assert_frame_equal(plain(found, expected.schema), expected, abs_tol=0, rel_tol=1e-12)


@pytest.mark.parametrize(
    ("name", "column"),
    [
        ("x.xlsx", ["", "a"]),
        ("x.sav", ["", "a"]),
        ("x.sav", ["a  ", "b"]),
        ("x.dta", [2**53 + 1, 1]),
        ("x.xlsx", [datetime(2020, 1, 1, 0, 0, 0, 1), None]),
        ("x.sav", [float("nan"), 1.0]),
        ("x.xlsx", [1, None]),
    ],
)
def test_what_does_not_survive_is_refused(tmp_path: Path, name: str, column: list[object]) -> None:
    with pytest.raises(DataError, match=r"do not survive in \.\w+.*; write CSV or Parquet"):
        write_frame(pl.DataFrame({"a": column}), tmp_path / name)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["x.parquet", "x.arrow"])
def test_categories_that_no_record_has_are_not_written(tmp_path: Path, name: str) -> None:
    enum = pl.Enum(["SECRET", "low", "high"])
    named = pl.Categorical(pl.Categories("SECRET"))
    frame = pl.DataFrame(
        {
            "enum": pl.Series(["SECRET", "high", None, "low"], dtype=enum),
            "cat": pl.Series(["SECRET", "a", None, "b"], dtype=pl.Categorical),
            "named": pl.Series(["SECRET", "a", None, "b"], dtype=named),
        }
    )
    write_frame(frame.tail(3), tmp_path / name)
    assert b"SECRET" not in (tmp_path / name).read_bytes()
    found = read_frame(tmp_path / name)
    assert found.schema["enum"] == pl.Enum(["low", "high"])
    assert found.rows() == frame.tail(3).rows()


def test_an_empty_text_and_a_missing_value_are_told_apart_in_csv(tmp_path: Path) -> None:
    frame = pl.DataFrame({"a": ["", None, "00501"], "b": ["[30-35)", "*", None]})
    write_frame(frame, tmp_path / "x.csv")
    assert (tmp_path / "x.csv").read_text() == 'a,b\n"",[30-35)\n,*\n00501,\n'


def test_the_separator_can_be_chosen(tmp_path: Path) -> None:
    write_frame(pl.DataFrame({"a": ["x;y"], "b": [1]}), tmp_path / "x.csv", separator=";")
    assert (tmp_path / "x.csv").read_text() == 'a;b\n"x;y";1\n'


@pytest.mark.parametrize("name", ["x.csv.gz", "x.xlsx", "x.parquet"])
def test_the_same_frame_gives_the_same_file(tmp_path: Path, name: str) -> None:
    frame = pl.DataFrame({"a": ["x", "y"], "b": pl.Series(["p", "q"], dtype=pl.Categorical)})
    write_frame(frame, tmp_path / name)
    first = (tmp_path / name).read_bytes()
    write_frame(frame, tmp_path / name)
    assert (tmp_path / name).read_bytes() == first
    if name.endswith(".gz"):
        assert gzip.decompress(first) == b"a,b\nx,p\ny,q\n"


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_nothing_is_left_behind_and_the_old_file_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    path = tmp_path / "x.csv"
    path.write_text("old")

    def fail(frame: pl.DataFrame, part: Path, separator: str) -> None:
        part.write_text("half")
        raise error

    monkeypatch.setattr(writing, "_write_delimited", fail)
    with pytest.raises((DataError, KeyboardInterrupt)):
        write_frame(pl.DataFrame({"a": [1]}), path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def _folder(path: Path) -> None:
    path.mkdir()


def _nothing(path: Path) -> None:
    return


@pytest.mark.parametrize(
    ("frame", "name", "prepare", "message"),
    [
        ({"a": [1]}, "x.foo", _nothing, r"x\.foo: no format '\.foo' .* it can write \.csv"),
        ({"a": [1]}, "x.parquet.gz", _nothing, r"no format '\.gz'"),
        ({"a": [1]}, "x.sas7bdat", _nothing, r"only SAS itself writes .* write \.xpt"),
        ({"a": [1]}, "x.csv", _folder, r"x\.csv: this is a folder; name a file in it"),
        ({"a": [1]}, "no/x.csv", _nothing, r"there is no folder .*no; create it first"),
        ({"": [1]}, "x.csv", _nothing, r"column 1 has no name"),
        ({"a": [[1]]}, "x.csv", _nothing, r"column 'a' holds List\(Int64\), for which \.csv has"),
        ({"a": [b"x"]}, "x.sav", _nothing, r"column 'a' holds Binary"),
        ({"a": [1], "A": [2]}, "x.xlsx", _nothing, r"two columns are called 'a'.*case does not"),
        ({"a": [float("inf")]}, "x.xlsx", _nothing, r"Excel has no place for infinite numbers"),
        ({"a-b": [1]}, "x.sav", _nothing, r"x\.sav: .*rename the column or write CSV or Parquet"),
        ({"a": [object()]}, "x.parquet", _nothing, r"polars cannot write this frame"),
    ],
)
def test_what_cannot_be_written_is_refused(
    tmp_path: Path,
    frame: dict[str, list[object]],
    name: str,
    prepare: Callable[[Path], None],
    message: str,
) -> None:
    prepare(tmp_path / name)
    with pytest.raises(DataError, match=message):
        write_frame(pl.DataFrame(frame), tmp_path / name)
    assert not [p for p in tmp_path.iterdir() if p.is_file() or p.name.startswith(".")]


def test_a_separator_for_a_format_without_one_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="'separator' means nothing here; leave it out"):
        write_frame(pl.DataFrame({"a": [1]}), tmp_path / "x.parquet", separator=";")


def test_a_table_too_long_for_a_sheet_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "_SHEET_LIMIT", 3)
    write_frame(pl.DataFrame({"a": [1, 2]}), tmp_path / "x.xlsx")
    with pytest.raises(DataError, match="a sheet has 3 lines at most; write CSV or Parquet"):
        write_frame(pl.DataFrame({"a": [1, 2, 3]}), tmp_path / "x.xlsx")
