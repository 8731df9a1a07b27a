"""Libraries that are not there are asked for by the command that installs them."""

from __future__ import annotations

import sys
from pathlib import Path

import pandas as pd
import polars as pl
import pytest

from unlinkable.errors import DataError
from unlinkable.tables.data.reading import ReadOptions, read_frame, to_frame
from unlinkable.tables.data.writing import write_frame


@pytest.mark.parametrize(
    ("library", "name", "extra"),
    [
        ("fastexcel", "x.xlsx", "excel"),
        ("pyreadstat", "x.sav", "stats"),
        ("pyreadstat", "x.sas7bdat", "stats"),
    ],
)
def test_reading_names_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, library: str, name: str, extra: str
) -> None:
    (tmp_path / name).write_bytes(b"x")
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(DataError, match=rf'{library}.*: pip install "unlinkable\[{extra}\]"'):
        read_frame(tmp_path / name)


def test_asking_a_database_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sqlalchemy", None)
    with pytest.raises(DataError, match=r'pip install "unlinkable\[sql\]"'):
        read_frame("sqlite:///x.db", options=ReadOptions(query="SELECT 1"))


@pytest.mark.parametrize(
    ("library", "name", "extra"),
    [("xlsxwriter", "x.xlsx", "excel"), ("pyreadstat", "x.dta", "stats")],
)
def test_writing_names_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, library: str, name: str, extra: str
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(DataError, match=rf'{library}.*: pip install "unlinkable\[{extra}\]"'):
        write_frame(pl.DataFrame({"a": [1]}), tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_frames_of_pandas_name_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(DataError, match=r'pandas frames need .*pip install "unlinkable\[arrow\]"'):
        to_frame(pd.DataFrame({"a": [1]}))
