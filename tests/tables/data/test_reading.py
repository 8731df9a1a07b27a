"""Reading by suffix, and the sources that are none."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from unlinkable.errors import DataError
from unlinkable.tables.data.reading import ReadOptions, read_frame


@pytest.mark.parametrize("name", ["x.foo", "x", "x.parquet.gz", "x.gz"])
def test_a_format_that_is_unknown_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"a,b\n1,2\n")
    with pytest.raises(DataError, match=r"no format .* it can read \.csv, .*\.dta"):
        read_frame(tmp_path / name)


def test_the_suffix_may_be_in_capitals_and_the_path_a_text(tmp_path: Path) -> None:
    (tmp_path / "X [1]*.CSV").write_bytes(b"a,b\n1,2\n")
    assert read_frame(str(tmp_path / "X [1]*.CSV")).rows() == [(1, 2)]


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".xlsx", ".sav"])
def test_a_file_that_is_not_there_is_refused(tmp_path: Path, suffix: str) -> None:
    with pytest.raises(DataError, match=rf"x\{suffix}: there is no such file; check the path"):
        read_frame(tmp_path / f"x{suffix}")


def test_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.csv").mkdir()
    with pytest.raises(DataError, match=r"x\.csv: this is a folder; name a file in it"):
        read_frame(tmp_path / "x.csv")


def test_a_file_that_must_not_be_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    (tmp_path / "x.csv").touch()
    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(DataError, match=r"cannot be opened \(Permission denied\); check who may"):
        read_frame(tmp_path / "x.csv")


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("x.csv", ReadOptions(sheet="a")),
        ("x.csv", ReadOptions(query="SELECT 1")),
        ("x.parquet", ReadOptions(separator=",")),
        ("x.parquet", ReadOptions(header=True)),
        ("x.arrow", ReadOptions(encoding="utf-8")),
        ("x.xlsx", ReadOptions(encoding="utf-8")),
        ("x.sav", ReadOptions(sheet=1)),
        ("sqlite:///x.db", ReadOptions(query="SELECT 1", header=True)),
    ],
)
def test_options_that_mean_nothing_are_refused(
    tmp_path: Path, name: str, options: ReadOptions
) -> None:
    source = name if "://" in name else tmp_path / name
    (tmp_path / Path(name).name).touch()
    with pytest.raises(DataError, match=r"' means nothing here; leave it out"):
        read_frame(source, options=options)


def test_types_and_missing_texts_count_for_every_format(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pl.DataFrame({"a": ["1", "NA", "3"], "b": [1, 2, 3]}).write_parquet(path)
    options = ReadOptions(types={"a": "integer", "b": "text"}, missing="NA")
    assert read_frame(path, options=options).rows() == [(1, "1"), (None, "2"), (3, "3")]
    with pytest.raises(DataError, match=r"x\.parquet, record 2: 'a' is not a whole number there"):
        read_frame(path, options=ReadOptions(types={"a": "integer"}))


@pytest.mark.parametrize("name", ["x.csv", "x.parquet"])
def test_a_type_for_no_column_is_refused(tmp_path: Path, name: str) -> None:
    frame = pl.DataFrame({"zip": ["1"], "age": [2]})
    frame.write_csv(tmp_path / "x.csv")
    frame.write_parquet(tmp_path / "x.parquet")
    with pytest.raises(DataError, match=r"no column 'zp' among 2 \(did you mean 'zip'"):
        read_frame(tmp_path / name, options=ReadOptions(types={"zp": "text"}))


def test_a_table_without_records_is_refused_in_every_format(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pl.DataFrame({"a": []}, schema={"a": pl.Int64}).write_parquet(path)
    with pytest.raises(DataError, match=r"x\.parquet: there are columns but no records"):
        read_frame(path)
    assert read_frame(path, options=ReadOptions(may_be_empty=True)).is_empty()
