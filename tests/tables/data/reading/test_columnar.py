"""Parquet and Arrow: types, dictionaries, and files that are neither."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from unlinkable.errors import DataError
from unlinkable.tables.data.reading import columnar, read_frame
from unlinkable.tables.data.writing import write_frame


def test_dictionaries_stay_dictionaries(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {
            "cat": pl.Series(["a", None, "b"], dtype=pl.Categorical),
            "enum": pl.Series(["lo", "hi", None], dtype=pl.Enum(["lo", "mid", "hi"])),
            "n": [1, 2, None],
        }
    )
    frame.write_parquet(tmp_path / "x.parquet")
    frame.write_ipc(tmp_path / "x.feather")
    frame.write_ipc_stream(tmp_path / "x.arrow")
    for name in ("x.parquet", "x.feather", "x.arrow"):
        found = read_frame(tmp_path / name)
        assert found.schema == frame.schema
        assert found.rows() == frame.rows()


def test_a_dictionary_of_thousands_stays_one(tmp_path: Path) -> None:
    texts = [f"p{i}" for i in range(3000)]
    pl.DataFrame({"id": pl.Series(texts, dtype=pl.Categorical)}).write_ipc(tmp_path / "x.arrow")
    found = read_frame(tmp_path / "x.arrow")["id"]
    assert found.dtype == pl.Categorical
    assert found.to_list() == texts


@pytest.mark.parametrize("name", ["x.parquet", "x.arrow"])
def test_texts_that_repeat_become_dictionaries_and_others_do_not(tmp_path: Path, name: str) -> None:
    n = 4000
    frame = pl.DataFrame({"id": [f"p{i}" for i in range(n)], "sex": ["f", None] * (n // 2)})
    frame.write_parquet(tmp_path / "x.parquet")
    frame.write_ipc(tmp_path / "x.arrow")
    found = read_frame(tmp_path / name)
    assert dict(found.schema) == {"id": pl.String, "sex": pl.Categorical}
    assert found.rows() == frame.rows()


@pytest.mark.parametrize(("column", "others"), [("sex", True), ("s.ex", True), ("sex", False)])
def test_large_files_read_the_same_through_pyarrow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, column: str, others: bool
) -> None:
    path = tmp_path / "x.parquet"
    data: dict[str, list[object]] = {"id": [*range(6)]} if others else {}
    data |= {column: ["f", "m", None, "", "é", "f"], "t": ["a", "b"] * 3}
    pq.write_table(pa.table(data), path, row_group_size=2)
    plain = read_frame(path)
    monkeypatch.setattr(columnar, "_LARGE", 3)
    fast = read_frame(path)
    assert fast.schema == plain.schema
    assert fast.rows() == plain.rows()
    assert fast[column].dtype == pl.Categorical


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("x.parquet", r"x\.parquet: this is no Parquet file, or a damaged one"),
        ("x.arrow", r"x\.arrow: this is no Arrow file, or a damaged one"),
        ("x.feather", r"Feather of version 1 is not read"),
    ],
)
@pytest.mark.parametrize("content", [b"", b"a,b\n1,2\n", b"PAR1" * 40, b"ARROW1\0\0" * 40])
def test_other_files_are_refused(tmp_path: Path, name: str, message: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError, match=message):
        read_frame(tmp_path / name)


@pytest.mark.parametrize("name", ["x.parquet", "x.arrow"])
@pytest.mark.parametrize("large", [1, 10**9])
def test_damage_never_shows_as_anything_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, large: int
) -> None:
    monkeypatch.setattr(columnar, "_LARGE", large)
    frame = pl.DataFrame({"a": ["x", "y", None] * 50, "b": range(150), "c": [1.5] * 150})
    write_frame(frame, tmp_path / name)
    whole = (tmp_path / name).read_bytes()
    n_refused = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        data = np.frombuffer(whole, np.uint8).copy()
        data[rng.integers(0, data.size, 3)] = rng.integers(0, 256, 3)
        (tmp_path / name).write_bytes(data.tobytes()[: None if seed % 3 else -seed - 1])
        try:
            read_frame(tmp_path / name)
        except DataError:
            n_refused += 1
    assert n_refused > 20
