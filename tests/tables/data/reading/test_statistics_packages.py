"""Files of statistics packages: labels, missing values, whole numbers."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path

import polars as pl
import pyreadstat
import pytest

from unlinkable.errors import DataError
from unlinkable.tables.data.reading import ReadOptions, read_frame


def test_labels_are_read_where_every_value_has_one(tmp_path: Path) -> None:
    path = tmp_path / "x.sav"
    frame = pl.DataFrame({"sex": [1, 2, None], "age": [39, 99, 50], "same": [1, 2, 1]})
    labels: dict[str, dict[int | float, str]]
    labels = {"sex": {1: "male", 2: "female"}, "age": {99: "unknown"}, "same": {1: "x", 2: "x"}}
    pyreadstat.write_sav(frame, path, variable_value_labels=labels)
    found = read_frame(path)
    assert found.rows() == [("male", 39, 1), ("female", 99, 2), (None, 50, 1)]
    assert found.schema["sex"] == pl.Categorical


def test_what_the_file_declares_missing_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "x.sav"
    frame = pl.DataFrame({"age": [39, -9, 50]})
    pyreadstat.write_sav(frame, path, missing_ranges={"age": [-9]})
    assert read_frame(path)["age"].to_list() == [39, None, 50]


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("x.sav", pyreadstat.write_sav),
        ("x.dta", pyreadstat.write_dta),
        ("X.XPT", pyreadstat.write_xport),
    ],
)
def test_every_package_gives_the_same_table(tmp_path: Path, name: str, write: object) -> None:
    frame = pl.DataFrame(
        {
            "AGE": [39, None],
            "WEIGHT": [70.5, None],
            "ZIP": ["00501", None],
            "BORN": [date(1980, 1, 31), None],
        }
    )
    assert callable(write)
    write(frame, str(tmp_path / name))
    found = read_frame(tmp_path / name)
    assert found.rows() == frame.rows()
    assert found.schema["AGE"] == pl.Int64


def test_moments_are_read_to_the_millisecond(tmp_path: Path) -> None:
    path = tmp_path / "x.sav"
    moments = [datetime(2020, 1, 1, 12, 30, 15, 1000 * k) for k in range(1000)]
    pyreadstat.write_sav(pl.DataFrame({"seen": moments}), path)
    assert read_frame(path)["seen"].to_list() == moments


def test_old_encodings_can_be_told(tmp_path: Path) -> None:
    path = tmp_path / "x.xpt"
    pyreadstat.write_xport(pl.DataFrame({"name": ["Joseee"]}), path)
    path.write_bytes(path.read_bytes().replace(b"Joseee", b"Jos\xe9  "))
    with pytest.raises(DataError, match=r"x\.xpt: the texts are in another encoding"):
        read_frame(path)
    assert read_frame(path, options=ReadOptions(encoding="cp1252"))["name"].to_list() == ["José"]


@pytest.mark.parametrize("name", ["x.sav", "x.dta", "x.xpt", "x.sas7bdat"])
def test_other_files_are_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"a,b\n1,2\n" * 100)
    with pytest.raises(DataError, match=rf"x\.{name[2:]}: .*; save the file again in its package"):
        read_frame(tmp_path / name)
