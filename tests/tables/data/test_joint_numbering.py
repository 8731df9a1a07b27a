"""Columns of several tables in one numbering, and in one code space."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.errors import SchemaError
from unlinkable.tables.data.joint_numbering import number_together, ranges_together, read_together
from unlinkable.tables.taxonomies import Kind, Taxonomy, observe
from unlinkable.tables.taxonomies.builders import Intervals, Tree
from unlinkable.tables.taxonomies.published_values import write_ranges


@given(st.lists(st.lists(st.sampled_from(["flu", "hiv", None, ""]), max_size=4), min_size=1))
def test_equal_texts_have_equal_numbers_in_all_tables(columns: list[list[str | None]]) -> None:
    frames = [pl.DataFrame({"ill": column}, schema={"ill": pl.String}) for column in columns]
    codes, texts = number_together(frames, "ill")
    assert [[texts[c] for c in part] for part in codes] == columns


def test_numbers_and_categories_are_numbered_by_their_texts() -> None:
    frames = [
        pl.DataFrame({"n": [1, 2]}),
        pl.DataFrame({"n": pl.Series(["2"], dtype=pl.Categorical)}),
    ]
    codes, texts = number_together(frames, "n")
    assert [[texts[c] for c in part] for part in codes] == [["1", "2"], ["2"]]


JOBS = {"care": ["nurse", "cook"], "desk": ["clerk", "smith"]}


def jobs(tree: dict[str, list[str]]) -> Taxonomy:
    return Tree(tree).build(observe("job", []))


def overlap(first: str, second: str, taxonomies: list[Taxonomy | None] | None = None) -> bool:
    frames = [pl.DataFrame({"x": [first]}), pl.DataFrame({"x": [second]})]
    (lo, hi), (lo2, hi2) = ranges_together(frames, "x", taxonomies or ())
    return bool(lo[0] < hi2[0] and lo2[0] < hi[0])


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("care", "nurse", True),
        ("care", "desk", False),
        ("care", "*", True),
        ("{cook, clerk}", "care", True),
        ("{cook, clerk}", "nurse", False),
        ("smith", "desk", True),
    ],
)
def test_labels_overlap_if_somebody_can_have_both(first: str, second: str, expected: bool) -> None:
    assert overlap(first, second, [jobs(JOBS), jobs(JOBS)]) is expected


@given(st.integers(0, 9), st.integers(1, 9), st.integers(0, 9), st.integers(1, 9))
def test_intervals_overlap_if_a_number_is_in_both(a: int, m: int, b: int, n: int) -> None:
    first, second = f"[{a}-{a + m})", f"[{b}-{b + n})"
    assert overlap(first, second) == (a < b + n and b < a + m)


def test_intervals_of_two_releases_are_read_by_what_they_say_not_by_who_is_there() -> None:
    first = Intervals(5).build(observe("age", [31, 34]))
    second = Intervals(5).build(observe("age", [33, 36]))
    texts = [write_ranges(t, t.levels[1].lo[[0]], t.levels[1].hi[[0]])[0] for t in (first, second)]
    assert overlap(texts[0], texts[1], [first, second])


def test_a_taxonomy_may_learn_further_values() -> None:
    more = jobs({"care": ["nurse", "cook", "midwife"], "desk": ["clerk", "smith"]})
    assert overlap("care", "midwife", [jobs(JOBS), more])
    assert not overlap("desk", "midwife", [jobs(JOBS), more])


def test_a_label_that_means_something_else_is_refused() -> None:
    other = jobs({"care": ["nurse", "clerk"], "desk": ["cook", "smith"]})
    with pytest.raises(SchemaError, match=r"'(care|desk)' of column 'x' stands for other values"):
        overlap("care", "nurse", [jobs(JOBS), other])


def test_columns_that_hold_numbers_are_numbers_though_none_shows_an_interval() -> None:
    numbers, texts = pl.DataFrame({"x": [1, 2]}), pl.DataFrame({"x": ["1", "b"]})
    assert read_together([numbers, numbers], "x").kind is Kind.NUMBER
    assert read_together([numbers, texts], "x").kind is Kind.CATEGORY
    also = read_together([texts], "x", (), ["b", "c", None])
    (lo, hi), (first, end) = also.parts[0], also.also
    assert (first[0], end[0]) == (lo[1], hi[1])
    assert also.kind is Kind.CATEGORY
    assert first[1] not in lo
    assert end[2] == also.n_codes
