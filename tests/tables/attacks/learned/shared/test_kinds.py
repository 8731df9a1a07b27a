"""Kinds: people, and what the records hide that could be theirs."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.learned.shared.kinds import Hidden, Kinds
from unlinkable.tables.data.side import SideTable

RECORD = st.tuples(st.sampled_from("abc"), st.sampled_from("xyz"), st.integers(0, 2))


def published(records: list[tuple[str, str, int]]) -> pl.DataFrame:
    return pl.DataFrame(records, ["age", "ill", "bucket"], orient="row")


@given(st.lists(RECORD, min_size=1, max_size=12))
def test_people_of_the_release_are_known_by_what_it_shows(
    records: list[tuple[str, str, int]],
) -> None:
    target = Target(published(records), ("age",), ("ill",))
    kinds = Kinds.of_release(target)
    looks = Counter(shown for shown, *_ in records)
    assert sorted(kinds.sizes) == sorted(looks.values())
    assert {records[row][0] for row in kinds.first} == set(looks)
    assert [records[row][0] for row in kinds.first[kinds.kind]] == [shown for shown, *_ in records]


@given(st.lists(RECORD, min_size=1, max_size=12), st.booleans())
def test_masses_add_up_what_records_hide(
    records: list[tuple[str, str, int]], in_buckets: bool
) -> None:
    """Of a record in a bucket, each value counts with its share in the bucket."""
    bucket = "bucket" if in_buckets else None
    hidden = Hidden.of(Target(published(records), ("age",), ("ill",), bucket=bucket), "ill")
    labels = np.array(["abc".index(age) for age, *_ in records], np.int32)
    indptr, values, masses = hidden.masses(labels, 3)
    for label in range(3):
        expected: Counter[str] = Counter()
        for age, ill, own in records:
            if "abc".index(age) == label:
                beside = [i for _, i, b in records if b == own] if in_buckets else [ill]
                for value, n in Counter(beside).items():
                    expected[value] += Fraction(n, len(beside))  # type: ignore[assignment]
        row = slice(indptr[label], indptr[label + 1])
        found = {
            hidden.domain.text(int(value)): mass
            for value, mass in zip(values[row], masses[row], strict=True)
        }
        assert found == pytest.approx({value: float(mass) for value, mass in expected.items()})


def test_people_of_a_list_are_found_by_the_columns_it_shares() -> None:
    target = Target(published([("a", "x", 0), ("a", "y", 0), ("b", "x", 0)]), ("age",), ("ill",))
    people = SideTable("list", pl.DataFrame({"name": ["Ann", "Bob", "Cid"], "age": [*"aac"]}))
    kinds = Kinds.of_list(target, people, None)
    assert kinds.columns == ("age",)
    assert kinds.n_records[kinds.kind].tolist() == [2, 2, 0]
    assert sorted(kinds.sizes.tolist()) == [1, 2]
