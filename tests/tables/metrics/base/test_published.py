"""Releases beside their originals: what each record shows, by kind of release, in plain loops."""

from __future__ import annotations

import math
from datetime import date, datetime
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import histogram_of, table_of
from tests.tables.metrics.asked import bucketized, queries_of, workloads
from tests.tables.metrics.drawn import Drawn, releases
from tests.tables.metrics.shared.test_query_answers import CASE, the_query
from tests.tables.metrics.shared.test_query_answers import patients as ages_of_patients
from tests.witness.buckets import estimated_count
from unlinkable.errors import DataError, SchemaError, UnsupportedError
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.data.release_columns import Frame, keep_rows
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Partition
from unlinkable.tables.metrics import QueryError, Stress
from unlinkable.tables.metrics.base import Bucketized, Generalized, Perturbed
from unlinkable.tables.metrics.base.published import chosen_columns, known_rows, numbers_before
from unlinkable.tables.metrics.shared.query_answers import answers_estimated
from unlinkable.tables.operations.anatomization import Anatomization, Anatomy

Pairs = list[tuple[Any, Any]]


def pairs(arrays: tuple[Any, Any]) -> Pairs:
    """What every record shows; a missing number is None."""
    plain = [
        [None if isinstance(v, float) and math.isnan(v) else v for v in array.tolist()]
        for array in arrays
    ]
    return list(zip(*plain, strict=True))


def spans_by_definition(drawn: Drawn, name: str) -> Pairs:
    """The least and the greatest of the numbers that a record may have."""
    shown: Pairs = []
    place = drawn.qid.index(name)
    for box in drawn.boxes:
        if box is not None:
            numbers = [v for v in drawn.domains[name][slice(*box[place])] if v is not None]
            values = [float(str(v)) for v in numbers]
            shown.append((min(values), max(values)) if values else (None, None))
    return shown


@given(releases())
def test_a_generalized_record_shows_its_box_and_the_numbers_in_it(drawn: Drawn) -> None:
    published = drawn.generalized()
    kept = [i for i, box in enumerate(drawn.boxes) if box is not None]
    assert published.rows is not None
    assert published.rows.tolist() == kept
    assert published.n_records == len(kept)
    assert published.quasi == drawn.qid
    for j, name in enumerate(drawn.qid):
        expected = [drawn.boxes[i][j] for i in kept]  # type: ignore[index]
        assert pairs(published.ranges(name)) == expected
        if published.is_ordered(name):
            assert pairs(published.spans(name)) == spans_by_definition(drawn, name)
        else:
            with pytest.raises(UnsupportedError, match=f"'{name}' holds neither numbers nor dates"):
                published.spans(name)


@given(releases())
def test_codes_are_told_where_nothing_was_generalized(drawn: Drawn) -> None:
    published, raw = drawn.generalized(), drawn.raw().generalized()
    kept = [(row, box) for row, box in zip(drawn.rows, drawn.boxes, strict=True) if box is not None]
    for j, (name, domain) in enumerate(drawn.domains.items()):
        assert raw.codes(name).tolist() == [domain.index(row[name]) for row in drawn.rows]
        if all(box[j][1] - box[j][0] == 1 for _, box in kept):
            assert published.codes(name).tolist() == [domain.index(row[name]) for row, _ in kept]
        else:
            with pytest.raises(UnsupportedError, match=f"column '{name}' was generalized: its val"):
                published.codes(name)
    classes = sorted({str(row["y"]) for row in drawn.rows})
    assert published.codes("y").tolist() == [classes.index(str(row["y"])) for row, _ in kept]


days = st.none() | st.dates(date(1960, 1, 1), date(2030, 1, 1))

moments = st.none() | st.datetimes(datetime(1960, 1, 1), datetime(2030, 1, 1))


@given(
    st.lists(days, min_size=1, max_size=9) | st.lists(moments, min_size=1, max_size=9), st.data()
)
def test_dates_are_days_since_1970(column: list[Any], data: st.DataObject) -> None:
    table = as_table(pl.DataFrame({"d": column}), quasi="d")
    level = data.draw(st.integers(0, table.taxonomy("d").height))
    counted = count(table)
    partition = Partition.at_levels(counted.finest, table.attributes, [level])
    published = Generalized.of(table, partition, counted.labels)
    present = sorted({v for v in column if v is not None})
    expected: Pairs = []
    for lo, hi in pairs(published.ranges("d")):
        numbers = [_day(v) for v in present[lo:hi]]
        expected.append((numbers[0], numbers[-1]) if numbers else (None, None))
    assert [lo for lo, _ in pairs(published.spans("d"))] == pytest.approx(
        [lo for lo, _ in expected]
    )
    assert [hi for _, hi in pairs(published.spans("d"))] == pytest.approx(
        [hi for _, hi in expected]
    )


def _day(value: date | datetime) -> float:
    if isinstance(value, datetime):
        return (value - datetime(1970, 1, 1)).total_seconds() / 86_400
    return float((value - date(1970, 1, 1)).days)


def test_the_root_shows_all_numbers_and_a_missing_value_none() -> None:
    table = as_table({"a": [3, None, 7, 5]}, quasi="a")
    counted = count(table)
    top = Partition.at_levels(counted.finest, table.attributes, [table.taxonomy("a").height])
    assert pairs(Generalized.of(table, top, counted.labels).spans("a")) == [(3.0, 7.0)] * 4
    raw = Partition.at_levels(counted.finest, table.attributes, [0])
    shown = pairs(Generalized.of(table, raw, counted.labels).spans("a"))
    assert shown == [(3.0, 3.0), (None, None), (7.0, 7.0), (5.0, 5.0)]


def test_a_column_in_which_all_is_missing_shows_no_number() -> None:
    table = as_table({"a": [None, None], "b": ["x", "y"]}, quasi=["a", "b"])
    counted = count(table)
    top = Partition.at_levels(counted.finest, table.attributes, [1, 1])
    published = Generalized.of(table, top, counted.labels)
    assert published.is_ordered("a")
    assert pairs(published.spans("a")) == [(None, None)] * 2


def patients() -> Table:
    return as_table(
        {
            "name": ["A", "B", "C", "D"],
            "age": [30, 31, 45, None],
            "ill": ["flu", "hiv", "flu", "cold"],
            "stay": [1.5, 2.0, None, 1.5],
            "who": ["p", "q", "r", "s"],
            "weight": [1.0, 2.0, 3.0, 4.0],
        },
        identifiers="name",
        quasi="age",
        sensitive="ill",
        insensitive="stay",
        owner="who",
        weight="weight",
    )


def generalized(table: Table, *, rows: Any = "known") -> Generalized:
    """Publish all records but the second at the root."""
    counted = count(table)
    labels = np.where(np.arange(len(counted.finest)) == 1, -1, 0).astype(np.int32)
    partition = Partition.tight(counted.finest, labels, 1)
    published = Generalized.of(table, partition, counted.labels)
    if rows == "known":
        return published
    return Generalized(table, published.frame, None, published.shown, published.labels)


@pytest.mark.parametrize("rows", ["known", "unknown"])
def test_columns_that_are_published_as_they_were_are_read_from_either_side(rows: str) -> None:
    published = generalized(patients(), rows=rows)
    assert published.codes("ill").tolist() == [1, 1, 0]
    assert pairs(published.ranges("ill")) == [(1, 2), (1, 2), (0, 1)]
    assert pairs(published.spans("stay")) == [(1.5, 1.5), (None, None), (1.5, 1.5)]


def test_values_that_the_original_does_not_have_are_refused() -> None:
    published = generalized(patients(), rows="unknown")
    changed = published.frame.with_columns(ill=pl.lit("gout"))
    strange = Generalized(published.original, changed, None, published.shown, published.labels)
    with pytest.raises(UnsupportedError, match="'ill' shows values that the original does not hav"):
        strange.ranges("ill")


def test_only_columns_that_tell_something_and_were_published_count() -> None:
    published = generalized(patients())
    assert published.columns == ("age", "ill", "stay")
    fewer = Perturbed(patients(), patients().frame.select("stay", "age"), None)
    assert fewer.columns == ("age", "stay")


def test_a_bucketized_record_tells_all_but_what_its_bucket_hides() -> None:
    table = patients()
    hidden = {"ill": histogram_of([[0, 1, 1], [1, 1, 0]], table.taxonomy("ill"))}
    buckets = np.array([0, 0, 1, 1], np.int32)
    published = Bucketized(table, table.frame, np.arange(4), buckets, hidden)
    assert published.columns == ("age", "stay")
    assert published.codes("age").tolist() == [0, 1, 2, 3]
    assert pairs(published.spans("age")) == [(30, 30), (31, 31), (45, 45), (None, None)]
    with pytest.raises(UnsupportedError, match="'ill' is told for whole buckets, not for records"):
        published.ranges("ill")
    with pytest.raises(SchemaError, match="no published column 'ill'"):
        published.target(None)


values = st.lists(st.none() | st.integers(0, 5), min_size=1, max_size=8)


@given(values, values)
def test_a_perturbed_record_shows_one_value(
    before: list[int | None], after: list[int | None]
) -> None:
    table = as_table(pl.DataFrame({"a": pl.Series(before, dtype=pl.Int64)}), quasi="a")
    frame = pl.DataFrame({"a": pl.Series(after, dtype=pl.Int64)})
    published = Perturbed(table, frame, None)
    expected = [(v, v) for v in after]
    assert pairs(published.spans("a")) == expected
    order = [*sorted({v for v in before if v is not None}), *[None] * (None in before)]
    if set(after) <= set(order):
        assert published.codes("a").tolist() == [order.index(v) for v in after]
    else:
        with pytest.raises(UnsupportedError, match="does not have: they have no codes"):
            published.ranges("a")


def test_perturbed_values_of_another_kind_are_refused() -> None:
    table = patients()
    texts = Perturbed(table, table.frame.with_columns(age=pl.lit("old")), None)
    with pytest.raises(UnsupportedError, match="column 'age' shows values that the original does"):
        texts.spans("age")
    with pytest.raises(UnsupportedError, match="'ill' holds neither numbers nor dates"):
        Perturbed(table, table.frame, None).spans("ill")
    dates = Perturbed(table, table.frame.with_columns(age=pl.lit(date(2024, 1, 1))), None)
    with pytest.raises(UnsupportedError, match="they have no codes"):
        dates.ranges("age")


def roles(**given: Any) -> Perturbed:
    """A release of three columns with these roles."""
    table = as_table({"a": [1, 2], "b": ["x", "y"], "c": ["u", "v"]}, **given)
    return Perturbed(table, table.frame.select("a", "b"), None)


@pytest.mark.parametrize(
    ("given_roles", "asked", "expected"),
    [
        ({"quasi": "a", "target": "b", "sensitive": "c"}, None, "b"),
        ({"quasi": "a", "sensitive": "b", "insensitive": "c"}, None, "b"),
        ({"quasi": "a", "target": "b", "sensitive": "c"}, "a", "a"),
        ({"quasi": "a", "target": ["b", "c"]}, "b", "b"),
    ],
    ids=["the target", "the sensitive one", "as asked", "one of two"],
)
def test_finds_the_column_that_is_to_be_told(
    given_roles: dict[str, Any], asked: str | None, expected: str
) -> None:
    assert roles(**given_roles).target(asked) == expected


@pytest.mark.parametrize(
    ("given_roles", "asked", "message"),
    [
        ({"quasi": "a", "insensitive": ["b", "c"]}, None, "others: no column has the role target"),
        ({"quasi": "a", "target": ["b", "c"]}, None, "say which column .* there are b, c"),
        ({"quasi": "a", "sensitive": ["b", "c"]}, None, "there are b, c"),
        ({"quasi": "a", "target": "c", "sensitive": "b"}, None, "no published column 'c' among 2"),
        ({"quasi": "a", "target": "b", "sensitive": "c"}, "c", "no published column 'c' among 2"),
        ({"quasi": "a", "insensitive": "c", "owner": "b"}, "b", "no published column 'b'"),
    ],
    ids=["none", "two", "two sensitive ones", "not published", "asked", "an owner"],
)
def test_refuses_columns_that_cannot_be_told(
    given_roles: dict[str, Any], asked: str | None, message: str
) -> None:
    with pytest.raises(SchemaError, match=message):
        roles(**given_roles).target(asked)


def apart(table: Table, buckets: list[int]) -> Anatomy:
    rng = np.random.default_rng(3)
    return Anatomization().apply(table, np.array(buckets, np.int32), rng)


def as_read(frame: Frame) -> Frame:
    """The same as texts, as it is in a file."""
    return frame.select(pl.all().cast(pl.String))


def test_the_book_s_anatomy_answers_one_and_a_half_where_the_generalized_table_answers_0_4() -> (
    None
):
    table, expected = ages_of_patients(every_age=True), CASE["expected"]
    tables_ = apart(table, [row[2] for row in expected["QIT"]["rows"]])
    for read in (lambda frame: frame, as_read):
        release = Bucketized.of(table, read(tables_.frame), read(tables_.hidden), "group")
        found = answers_estimated(release, the_query(table), None).tolist()
        assert found == [expected["estimate_anatomy"]] == [1.5]
        assert abs(1.5 - expected["true_count"]) < abs(
            expected["estimate_generalized"] - expected["true_count"]
        )


@given(tables(min_records=1, owner=False, max_sensitive=1), st.data())
def test_two_tables_tell_as_much_as_the_buckets_of_all_records(
    random: RandomTable, data: st.DataObject
) -> None:
    n, table = len(random.rows), table_of(random)
    buckets = data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    every = {a: len(random.trees[a].leaves) for a in (*random.qid, *random.sensitive)}
    asked = data.draw(workloads(every))
    two = apart(table, buckets)
    release = Bucketized.of(table, two.frame, two.hidden, two.column, two.rows)
    found = answers_estimated(release, asked, None).tolist()
    whole = bucketized(table, buckets, random.sensitive)
    assert found == pytest.approx(answers_estimated(whole, asked, None).tolist())
    without = Bucketized.of(table, two.frame, two.hidden, two.column)
    assert answers_estimated(without, asked, None).tolist() == pytest.approx(found)
    shown, told = two.frame.rows(named=True), two.hidden.rows(named=True)
    for query, answer in zip(queries_of(asked), found, strict=True):
        seen = {a: c for a, c in query.items() if a in random.qid}
        hid = {a: c for a, c in query.items() if a not in random.qid}
        leaves = {a: random.trees[a].leaves for a in query}
        estimate = estimated_count(
            shown,
            told,
            lambda row, q=seen, of=leaves: all(of[a].index(row[a]) in c for a, c in q.items()),  # type: ignore[misc]
            lambda row, q=hid, of=leaves: all(of[a].index(row[a]) in c for a, c in q.items()),  # type: ignore[misc]
        )
        assert answer == pytest.approx(float(estimate))


def test_query_error_reads_buckets() -> None:
    ages = [i // 4 for i in range(200)]
    ills = ["a" if age < 25 else "b" for age in ages]
    table = as_table({"age": ages, "ill": ills}, quasi="age", sensitive="ill")
    whole, each = apart(table, [0] * 200), apart(table, [i // 2 for i in range(200)])
    errors = [
        QueryError(dimension=1, queries=50)
        .measure(Bucketized.of(table, two.frame, two.hidden, two.column))
        .value
        for two in (whole, each)
    ]
    assert errors[1] < errors[0]


def test_refuses_tables_that_do_not_fit_together() -> None:
    table = as_table({"q": [1, 2, 3], "s": ["a", "b", "a"]}, quasi="q", sensitive="s")
    two = apart(table, [0, 0, 1])
    fewer = two.hidden.with_columns(count=pl.col("count") - 1)
    stranger = two.hidden.with_columns(group=pl.col("group") + 7)
    for hidden in (fewer, stranger):
        with pytest.raises(DataError, match="do not have as many hidden values as records"):
            Bucketized.of(table, two.frame, hidden, "group")
    other = two.hidden.with_columns(s=pl.lit("c"))
    with pytest.raises(DataError, match="hide values of 's' that the original does not have"):
        Bucketized.of(table, two.frame, other, "group")


TABLE = as_table(
    {"age": [30, None, 50], "day": ["1970-01-02", "1970-01-03", None], "y": [1, 0, 1]},
    quasi=["age", "day"],
    target="y",
)

RELEASE = Perturbed(TABLE, TABLE.frame, np.arange(3))


def test_all_columns_but_the_target_are_compared_unless_asked() -> None:
    assert chosen_columns(RELEASE, None) == ("age", "day")
    assert chosen_columns(RELEASE, None, besides=["age"]) == ("day",)
    assert chosen_columns(RELEASE, ("y", "age", "y")) == ("y", "age")


def test_dates_are_days_and_missing_values_are_not_numbers() -> None:
    numbers = numbers_before(TABLE, "age")
    assert numbers[[0, 2]].tolist() == [30, 50]
    assert np.isnan(numbers[1])
    days = as_table({"day": TABLE.frame["day"].str.to_date()}, quasi="day")
    assert numbers_before(days, "day")[:2].tolist() == [1, 2]


def test_refuses_columns_that_were_not_published() -> None:
    with pytest.raises(SchemaError, match=r"no published column 'agee' .*did you mean 'age'"):
        chosen_columns(RELEASE, ("agee",))


def test_refuses_records_of_whom_nobody_can_say_who_they_are() -> None:
    assert known_rows(Stress(), RELEASE).tolist() == [0, 1, 2]
    with pytest.raises(UnsupportedError, match="stress compares each published record with its"):
        known_rows(Stress(), Perturbed(TABLE, TABLE.frame, None))
    none = np.arange(0)
    with pytest.raises(UnsupportedError, match="stress compares records, and none was published"):
        known_rows(Stress(), Perturbed(TABLE, keep_rows(TABLE.frame, none), none))
