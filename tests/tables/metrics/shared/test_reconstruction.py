"""Reconstruction: the book's table, the definition word by word on random releases."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests import cases
from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import table_of
from unlinkable.errors import UnsupportedError
from unlinkable.kernels.counting.tallies import tally
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.data.release_columns import keep_rows
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Histogram, Partition
from unlinkable.tables.metrics.base import Bucketized, Generalized, Perturbed
from unlinkable.tables.metrics.shared.reconstruction import Reconstruction, cells_of_column

Cell = tuple[int, ...]


def bucketized(table: Table, buckets: list[int], sensitive: str) -> Bucketized:
    """Tell the sensitive values of whole buckets; -1 leaves a record out."""
    given_ = np.array(buckets, np.int32)
    rows = np.flatnonzero(given_ >= 0)
    taxonomy = table.taxonomy(sensitive)
    counted = tally(given_, table.codes(sensitive), int(given_.max()) + 1, taxonomy.n)
    hidden = {sensitive: Histogram(*counted, taxonomy.n, taxonomy)}
    return Bucketized(table, keep_rows(table.frame, rows), rows, given_[rows], hidden)


def by_definition(
    cells: list[Cell], values: list[int], expected: dict[tuple[Cell, int], Fraction]
) -> dict[int, float]:
    """Equations 13.2 and 13.3 as they are printed, for each sensitive value."""
    errors = {}
    for s in set(values):
        total = values.count(s)
        error = 0.0
        for cell in set(cells):
            pairs = list(zip(cells, values, strict=True))
            act = Fraction(pairs.count((cell, s)), total)
            if act:
                error += float(act) * math.log2(act / (expected[cell, s] / total))
        errors[s] = error
    return errors


def in_buckets(
    cells: list[Cell], values: list[int], buckets: list[int]
) -> dict[tuple[Cell, int], Fraction]:
    """For every cell and value, a b / |G| over all groups."""
    expected: dict[tuple[Cell, int], Fraction] = {}
    for cell, s in product(set(cells), set(values)):
        amount = Fraction(0)
        for g in set(buckets):
            members = [i for i in range(len(cells)) if buckets[i] == g]
            a = sum(values[i] == s for i in members)
            b = sum(cells[i] == cell for i in members)
            amount += Fraction(a * b, len(members))
        expected[cell, s] = amount
    return expected


def test_table_13_4() -> None:
    case = cases.load("book-ch13-reconstruction-error")
    given_ = case["input"]
    names, rows = given_["data"]["columns"], given_["data"]["rows"]
    columns = dict(zip(names, zip(*rows, strict=True), strict=True))
    hidden = [items[0] if items else None for items in columns["sensitive"]]
    shown = {q: [str(x) for x in columns[q]] for q in given_["q_items"]}
    table = as_table({**shown, "item": hidden}, quasi=given_["q_items"], sensitive="item")
    buckets = [next(g for g, who in enumerate(given_["groups"]) if name in who)
               for name in columns["Name"]]  # fmt: skip
    release = bucketized(table, buckets, "item")
    found = Reconstruction.from_buckets(release, tuple(given_["q_items"]), "item")
    domain = table.taxonomy("item").domain
    for item in case["expected"]["per_item"]:
        code = domain.code_of(item["s"])
        assert found.by_value[code] == pytest.approx(item["KL_bits"])
        (actual,) = (c for c in item["cells"] if c["Act"])
        (entry,) = np.flatnonzero(found.values == code)
        assert found.actual[entry] == 1
        assert found.estimated[entry] == pytest.approx(actual["Est"], abs=1e-6)


@given(tables(min_records=1, max_records=12, max_qid=2, max_sensitive=1), st.data())
def test_buckets_are_spread_as_the_definition_says(
    random: RandomTable, data: st.DataObject
) -> None:
    table, n = table_of(random), len(random.rows)
    buckets = data.draw(st.lists(st.integers(-1, 2), min_size=n, max_size=n))
    assume(max(buckets) >= 0)
    columns = data.draw(st.sampled_from([random.qid, random.qid[:1]]))
    kept = [i for i in range(n) if buckets[i] >= 0]
    cells = [tuple(int(table.codes(c)[i]) for c in columns) for i in kept]
    values = table.codes("s0")[kept].tolist()
    expected = in_buckets(cells, values, [buckets[i] for i in kept])
    errors = by_definition(cells, values, expected)

    found = Reconstruction.from_buckets(bucketized(table, buckets, "s0"), columns, "s0")
    assert {s: found.by_value[s] for s in errors} == pytest.approx(errors, abs=1e-12)
    mean = sum(values.count(s) * error for s, error in errors.items()) / len(values)
    assert found.error == pytest.approx(mean, abs=1e-12)


@given(tables(min_records=1, max_records=12, max_qid=2, max_sensitive=1), st.data())
def test_ranges_are_spread_as_the_definition_says(random: RandomTable, data: st.DataObject) -> None:
    table = table_of(random)
    counted = count(table)
    m = len(counted.finest.sizes)
    drawn = data.draw(st.lists(st.integers(0, 2), min_size=m, max_size=m))
    labels = np.unique(drawn, return_inverse=True)[1].astype(np.int32)
    partition = Partition.tight(counted.finest, labels, int(labels.max()) + 1)  # may overlap
    release = Generalized.of(table, partition, counted.labels)
    columns = data.draw(st.sampled_from([random.qid, random.qid[:1]]))

    cells = [tuple(int(table.codes(c)[i]) for c in columns) for i in range(len(table))]
    values = table.codes("s0").tolist()
    expected = dict.fromkeys(product(set(cells), set(values)), Fraction(0))
    for i, s in enumerate(values):
        ranges = [range(*(int(x[i]) for x in release.ranges(c))) for c in columns]
        for cell in product(*ranges):
            if (cell, s) in expected:
                expected[cell, s] += Fraction(1, math.prod(map(len, ranges)))
    errors = by_definition(cells, values, expected)
    found = Reconstruction.from_boxes(release, columns, "s0")
    assert {s: found.by_value[s] for s in errors} == pytest.approx(errors, abs=1e-12)


def small() -> Table:
    columns = {"a": [1, 2, 3, 4], "b": list("xyxy"), "s": list("fghf")}
    return as_table(columns, quasi=["a", "b"], sensitive="s")


def test_nothing_is_lost_where_everyone_is_told() -> None:
    table = small()
    counted = count(table)
    raw = Partition.at_levels(counted.finest, table.attributes, [0, 0])
    release = Generalized.of(table, raw, counted.labels)
    for sensitive in ("s", None):
        assert Reconstruction.from_boxes(release, ("a", "b"), sensitive).error == 0
    alone = bucketized(table, [0, 1, 2, 3], "s")
    assert Reconstruction.from_buckets(alone, ("a", "b"), "s").error == 0


def test_one_range_of_all_is_off_by_how_many_cells_there_are() -> None:
    table = small()
    counted = count(table)
    whole = Partition.whole(counted.finest)
    release = Generalized.of(table, whole, counted.labels)
    assert Reconstruction.from_boxes(release, ("a", "b"), None).error == 1  # 8 cells for 4 records
    assert Reconstruction.from_boxes(release, ("a",), None).error == 0


def test_the_order_of_a_whole_release_does_not_matter() -> None:
    table = small()
    release = bucketized(table, [0, 0, 1, 1], "s")
    back = np.arange(4)[::-1]
    unknown = Bucketized(
        table, keep_rows(table.frame, back), None, release.buckets[back], release.hidden
    )
    errors = [Reconstruction.from_buckets(r, ("a",), "s").error for r in (release, unknown)]
    assert errors[0] == errors[1] > 0


def test_numbers_go_into_intervals_with_as_many_records_each() -> None:
    table = as_table({"a": [1, 2, 3, 4, None], "c": list("xyxyx")}, quasi=["a", "c"])
    noisy = as_table({"a": [-9.0, 2.5, None, 99.0], "c": ["x", "z", None, "y"]}, quasi=["a", "c"])
    release = Perturbed(table, noisy.frame, None)
    before, after, n_cells = cells_of_column(release, "a", 2)
    assert (before.tolist(), after.tolist(), n_cells) == ([0, 1, 1, 1, 2], [0, 1, 2, 1], 3)
    before, after, n_cells = cells_of_column(release, "c", 2)
    assert (before.tolist(), after.tolist(), n_cells) == ([0, 1, 0, 1, 0], [0, 2, 2, 1], 3)
    nothing = as_table({"a": [None, 1.5]}, quasi="a")
    before, after, n_cells = cells_of_column(Perturbed(nothing, noisy.frame, None), "a", 1)
    assert (before.tolist(), after.tolist(), n_cells) == ([1, 0], [0, 0, 1, 0], 2)


def test_refuses_a_part_of_the_records_of_whom_nobody_can_say_who_they_are() -> None:
    table = small()
    release = bucketized(table, [0, 0, 0, -1], "s")
    unknown = Bucketized(table, release.frame, None, release.buckets, release.hidden)
    with pytest.raises(UnsupportedError, match="has 3 of 4 records, and which of them is not"):
        Reconstruction.from_buckets(unknown, ("a",), "s")


def test_refuses_an_empty_release() -> None:
    table = small()
    counted = count(table)
    nobody = Partition.whole(counted.finest).suppress(np.array([True]))
    release = Generalized.of(table, nobody, counted.labels)
    with pytest.raises(UnsupportedError, match="nothing was published"):
        Reconstruction.from_boxes(release, ("a",), "s")
