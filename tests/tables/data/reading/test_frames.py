"""Frames from Python: what comes in goes out, and untouched columns are not touched."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from polars.testing import assert_frame_equal

from unlinkable.errors import DataError
from unlinkable.tables.data.reading import to_frame


class Stream:
    """Something of which nothing is known but its Arrow C stream."""

    def __init__(self, table: pa.Table | pa.Array) -> None:
        self.table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.table.__arrow_c_stream__(requested_schema)


def example() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "age": [39, 50, 28],
            "weight": [70.5, np.nan, 68.0],
            "name": ["Ann", None, ""],
            "sex": pd.Categorical(["f", None, "m"], categories=["m", "x", "f"], ordered=True),
            "site": pd.Categorical([1, 2, 1]),
            "seen": pd.date_range("2020-01-01", periods=3, tz="Europe/Berlin"),
            "visits": pd.array([1, None, 3], dtype="Int16"),
            "alive": pd.array([True, None, False], dtype="boolean"),
            "born": [date(1980, 1, 1), None, date(1990, 1, 1)],
            "stay": pd.to_timedelta([1, 2, 3], unit="D"),
            "month": pd.period_range("2020", periods=3, freq="M"),
            "town": pd.array(["Rome", None, "Oslo"], dtype="string[pyarrow]"),
        },
        index=pd.MultiIndex.from_tuples([("a", 1), ("a", 1), ("b", 2)], names=["ward", "bed"]),
    )


def recoded(frame: pl.DataFrame, rows: NDArray[np.int64] | None) -> pl.DataFrame:
    left = frame if rows is None else frame[rows]
    return left.with_columns(pl.lit("[20-60)").alias("age"), pl.lit("x1").alias("key"))


@pytest.mark.parametrize("rows", [None, np.array([0, 2]), np.array([], np.int64)])
def test_pandas_comes_back_as_pandas(rows: NDArray[np.int64] | None) -> None:
    came = example()
    came.attrs["source"] = "ward"
    frame, origin = to_frame(came)
    out = origin.give_back(recoded(frame, rows).drop("weight"), rows)
    left = came if rows is None else came.iloc[rows]
    assert isinstance(out, pd.DataFrame)
    assert list(out.columns) == [c for c in came.columns if c != "weight"] + ["key"]
    assert out.index.equals(left.index)
    assert out.index.names == ["ward", "bed"]
    assert out.attrs == came.attrs
    assert out["age"].to_list() == ["[20-60)"] * len(left)
    untouched = [c for c in came.columns if c not in ("age", "weight", "sex", "site")]
    pd.testing.assert_frame_equal(out[untouched], left[untouched])
    assert out["sex"].to_list() == left["sex"].to_list()


def test_pandas_that_nobody_touched_comes_back_equal() -> None:
    came = example()
    frame, origin = to_frame(came)
    out = origin.give_back(frame, None)
    assert isinstance(out, pd.DataFrame)
    pd.testing.assert_frame_equal(out, came)


def test_pandas_comes_back_in_the_order_of_the_records() -> None:
    came = example()
    frame, origin = to_frame(came)
    rows = np.array([2, 0, 1])
    out = origin.give_back(frame[rows], rows)
    assert isinstance(out, pd.DataFrame)
    pd.testing.assert_frame_equal(out, came.iloc[rows])


def test_values_of_left_out_records_leave_no_category_behind() -> None:
    came = example()
    frame, origin = to_frame(came)
    rows = np.array([1, 2])
    out = origin.give_back(frame[rows], rows)
    assert isinstance(out, pd.DataFrame)
    assert list(out["sex"].cat.categories) == ["m", "x"]  # x was never used: it tells nothing
    assert out["sex"].cat.ordered

    enum = pl.DataFrame({"sex": pl.Series(["f", "m"], dtype=pl.Enum(["m", "x", "f"]))})
    frame, origin = to_frame(enum)
    left = origin.give_back(frame.tail(1), np.array([1]))
    assert isinstance(left, pl.DataFrame)
    assert left.schema["sex"] == pl.Enum(["m", "x"])

    table = pa.table({"sex": pa.array(["f", "m"]).dictionary_encode()})
    frame, origin = to_frame(table)
    kept: Any = origin.give_back(frame.tail(1), np.array([1]))
    assert kept.schema == table.schema
    assert kept["sex"].chunk(0).dictionary.to_pylist() == ["m"]


def test_columns_of_pandas_that_are_numbered_keep_their_numbers() -> None:
    frame, origin = to_frame(pd.DataFrame([[1, 2], [3, 4]]))
    assert frame.columns == ["0", "1"]
    out = origin.give_back(frame.with_columns(pl.lit("*").alias("1")), None)
    assert isinstance(out, pd.DataFrame)
    assert list(out.columns) == [0, 1]
    assert out[1].to_list() == ["*", "*"]


@pytest.mark.parametrize("rows", [None, np.array([0, 2])])
def test_pyarrow_comes_back_as_pyarrow(rows: NDArray[np.int64] | None) -> None:
    schema = pa.schema(
        [
            pa.field("age", pa.int8()),
            pa.field("sex", pa.dictionary(pa.int8(), pa.string())),
            pa.field("seen", pa.timestamp("ns", "UTC"), metadata={"unit": "visit"}),
            pa.field("cost", pa.decimal128(10, 2), nullable=False),
            pa.field("codes", pa.list_(pa.string())),
        ]
    )
    came = pa.Table.from_pydict(
        {
            "age": [39, 50, 28],
            "sex": ["f", None, "m"],
            "seen": [1, None, 3],
            "cost": [1, 2, 3],
            "codes": [["x"], None, []],
        },
        schema=schema,
    )
    frame, origin = to_frame(came)
    out: Any = origin.give_back(recoded(frame, rows), rows)
    left = came if rows is None else came.take(pa.array(rows))
    assert isinstance(out, pa.Table)
    assert out.column_names == [*came.column_names, "key"]
    for name in ("sex", "seen", "cost", "codes"):
        assert out.schema.field(name).equals(schema.field(name), check_metadata=True)
        assert out[name].to_pylist() == left[name].to_pylist()
    assert out["age"].to_pylist() == ["[20-60)"] * left.num_rows


def test_polars_comes_back_as_it_came_eager_or_lazy() -> None:
    came = pl.DataFrame({"age": [39, 50], "sex": pl.Series(["f", "m"], dtype=pl.Categorical)})
    frame, origin = to_frame(came)
    assert frame is came
    assert origin.give_back(frame, None) is frame
    frame, origin = to_frame(came.lazy())
    out = origin.give_back(frame.head(1), np.array([0]))
    assert isinstance(out, pl.LazyFrame)
    assert_frame_equal(out.collect(), came.head(1))


def test_frames_of_narwhals_are_taken_for_what_is_inside() -> None:
    frame, origin = to_frame(nw.from_native(example()))
    assert isinstance(origin.give_back(frame, None), pd.DataFrame)


def test_a_stream_comes_back_as_polars() -> None:
    table = pa.table({"age": [39, None], "sex": pa.array(["f", "m"]).dictionary_encode()})
    frame, origin = to_frame(Stream(table))
    assert frame.rows() == [(39, "f"), (None, "m")]
    assert frame.schema["sex"] == pl.Categorical
    assert isinstance(origin.give_back(frame, None), pl.DataFrame)


def test_lists_come_back_as_lists() -> None:
    came = {"age": [39, None], "name": ["Ann", ""], "born": [date(1980, 1, 1), None]}
    frame, origin = to_frame(came)
    assert origin.give_back(frame, None) == came
    assert origin.give_back(frame.tail(1), np.array([1])) == {
        "age": [None],
        "name": [""],
        "born": [None],
    }


values = st.fixed_dictionaries(
    {
        "n": st.none() | st.integers(-(2**63), 2**63 - 1),
        "x": st.none() | st.floats(allow_nan=False),
        "t": st.none() | st.text(max_size=3),
        "d": st.none() | st.dates(date(1700, 1, 1), date(2200, 1, 1)),
        "s": st.none() | st.timedeltas(timedelta(-9), timedelta(9)),
    }
)
SCHEMA: dict[str, Any] = {
    "n": pl.Int64,
    "x": pl.Float64,
    "t": pl.String,
    "d": pl.Date,
    "s": pl.Duration("us"),
}


@given(records=st.lists(values, max_size=8), data=st.data())
def test_every_kind_gives_the_same_frame_and_gets_its_own_back(
    records: list[dict[str, object]], data: st.DataObject
) -> None:
    truth = pl.DataFrame(records, schema=SCHEMA)
    keep = data.draw(st.lists(st.booleans(), min_size=len(truth), max_size=len(truth)))
    rows = np.flatnonzero(np.array(keep, bool))
    options: dict[str, Any] = {"use_pyarrow_extension_array": True}
    for came in (truth, truth.lazy(), truth.to_arrow(), truth.to_pandas(**options)):
        frame, origin = to_frame(came)
        assert_frame_equal(frame, truth)
        out = origin.give_back(frame[rows], rows)
        assert type(out) is type(came)
        again, _ = to_frame(out)
        assert_frame_equal(again, truth[rows])
        if isinstance(out, pd.DataFrame):
            assert out.index.to_list() == rows.tolist()
            assert list(out.dtypes) == list(came.dtypes)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (pd.DataFrame({"m": [1, "SECRET"]}), "the values of 'm' are not all of one plain type"),
        ({"m": [1, "SECRET"]}, "the values of 'm' are not all of one plain type"),
        ({"m": [object()]}, "the values of 'm' are not all of one plain type"),
        ({"a": [1], "b": [1, 2]}, "the columns differ in length, from 1 to 2"),
        ({"": [1]}, "the dictionary: column 1 has no name"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "the frame: two columns are called 'a'"),
        (pd.DataFrame([[1, 2]], columns=[1, "1"]), "the frame: two columns are called '1'"),
        (pa.Table.from_arrays([[1], [2]], ["a", "a"]), "the table: two columns are called 'a'"),
        (Stream(pa.table({"": [1]})), "the stream: column 1 has no name"),
        (Stream(pa.table({"a": [1]})["a"]), "the Arrow stream of Stream is not a table|no name"),
        (pd.DataFrame({("a", "b"): [1]}), "columns of the frame have several levels"),
        (pl.DataFrame({"^a$": [1]}), "the frame: the name .* would be taken for a pattern"),
        (pd.Series([1]), "cannot take Series as a table; give a frame of polars"),
        (pl.Series([1]), "cannot take Series as a table"),
        ("x.csv", "cannot take str as a table"),
        (None, "cannot take NoneType as a table"),
    ],
)
def test_what_is_no_table_is_refused(data: object, message: str) -> None:
    with pytest.raises(DataError, match=message) as caught:
        to_frame(data)
    assert "SECRET" not in str(caught.value)
