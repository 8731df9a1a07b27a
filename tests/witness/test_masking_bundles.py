"""The judge of published files on the tables of the literature, and on files that are wrong."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.cases import load
from tests.witness import bundles


def write(file: Path, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    with file.open("w", newline="", encoding="utf-8") as lines:
        csv.writer(lines, lineterminator="\n").writerows([columns, *rows])


def manifest(folder: Path, **more: object) -> None:
    columns = [
        {"name": "Age", "role": "quasi-identifier"},
        {"name": "Sex", "role": "quasi-identifier"},
        {"name": "Disease", "role": "sensitive"},
    ]
    told = {"format": 2, "columns": columns, "noise": {"events": []}, **more}
    (folder / "release.json").write_text(json.dumps(told), encoding="utf-8")


def tabled(folder: Path, name: str, table: Mapping[str, Any]) -> None:
    write(folder / name, [c.replace("Count", "count") for c in table["columns"]], table["rows"])


def test_the_anatomy_of_the_patients_is_two_diverse(tmp_path: Path) -> None:
    case = load("book-ch03-ex3.1-anatomy")
    (tmp_path / "public").mkdir()
    manifest(tmp_path / "public")
    tabled(tmp_path / "public", "quasi.csv", case["expected"]["QIT"])
    tabled(tmp_path / "public", "sensitive.csv", case["expected"]["ST"])
    found = bundles.read(tmp_path)
    assert found.hidden is not None
    assert found.files == ["quasi.csv", "release.json", "sensitive.csv"]
    assert bundles.bucket_faults(found.records, found.hidden, "GroupID") == []
    counts = bundles.bucket_counts(found.hidden, "GroupID", "Disease")
    assert bundles.distinct_level(counts) == 2
    assert bundles.frequency_level(counts) == case["expected"]["satisfied_l"]
    assert bundles.entropy_level(counts) == pytest.approx(2)


def test_the_generalized_patients_are_four_anonymous(tmp_path: Path) -> None:
    case = load("book-ch03-ex3.1-anatomy")
    manifest(tmp_path)
    tabled(tmp_path, "data.csv", case["input"]["intermediate_grouping"])
    found = bundles.read(tmp_path)
    quasi = bundles.columns_of(found, "quasi-identifier")
    (secret,) = bundles.columns_of(found, "sensitive")
    assert quasi == ["Age", "Sex"]
    assert bundles.least_group(found.records, quasi) == 4
    counts = bundles.value_counts(found.records, quasi, secret)
    assert bundles.distinct_level(counts) == 2
    assert bundles.frequency_level(counts) == 2


def test_texts_that_are_not_equal_make_other_groups() -> None:
    records = [{"a": "1", "n": "3"}, {"a": "1.0", "n": "2"}]
    assert bundles.least_group(records, ["a"]) == 1
    assert bundles.least_group(records, ["a"], "n") == 2
    assert bundles.least_group(records, []) == 2
    assert bundles.least_group([], ["a"]) == 0


@pytest.mark.parametrize(
    ("hidden", "fault"),
    [
        ([("1", "x", "1")], "bucket 1 has 2 records and 1 values"),
        ([("1", "x", "1"), ("1", "x", "1")], "a row of hidden values is told twice"),
        ([("1", "x", "2"), ("2", "y", "1")], "bucket 2 has 0 records and 1 values"),
        ([("1", "x", "2"), ("1", "y", "0")], "bucket 1 tells a count of 0"),
    ],
)
def test_buckets_that_do_not_fit_are_seen(hidden: list[tuple[str, ...]], fault: str) -> None:
    told = [dict(zip(("b", "s", "count"), row, strict=True)) for row in hidden]
    assert fault in bundles.bucket_faults([{"q": "1", "b": "1"}] * 2, told, "b")


def test_hidden_values_beside_the_records_are_seen() -> None:
    told = [{"b": "1", "s": "x", "count": "1"}]
    assert bundles.bucket_faults([{"s": "x", "b": "1"}], told, "b") == ["both tables have ['s']"]


def test_levels_by_hand() -> None:
    counts: bundles.Counts = {1: {"x": 3, "y": 1}, 2: {"x": 1, "y": 1, "z": 1}}
    assert bundles.distinct_level(counts) == 2
    assert bundles.frequency_level(counts) == Fraction(4, 3)
    assert bundles.entropy_level(counts) == pytest.approx(4 / 27**0.25)


def test_the_ledger_of_a_release_is_priced(tmp_path: Path) -> None:
    event = {"mechanism": "laplace", "sensitivity": 1, "scale": 2, "times": 3}
    manifest(tmp_path, noise={"events": [event], "neighbours": "replace"})
    write(tmp_path / "data.csv", ["a"], [["1"]])
    assert bundles.noise_price(bundles.read(tmp_path)) == 1.5
    manifest(tmp_path, noise=None)
    assert bundles.noise_price(bundles.read(tmp_path)) == math.inf


def test_files_that_are_neither_or_both_are_refused(tmp_path: Path) -> None:
    manifest(tmp_path)
    with pytest.raises(ValueError, match="cannot tell what is published"):
        bundles.read(tmp_path)
    for name in ("data.csv", "quasi.csv", "sensitive.csv"):
        write(tmp_path / name, ["a"], [["1"]])
    with pytest.raises(ValueError, match="cannot tell what is published"):
        bundles.read(tmp_path)
