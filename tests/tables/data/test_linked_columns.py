"""Linked columns: which texts of two tables are compatible, and what cannot be read."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.errors import DataError, SchemaError
from unlinkable.tables.data.linked_columns import (
    LinkedColumn,
    link_column,
    link_columns,
    number_together,
    ranges_together,
    read_together,
)
from unlinkable.tables.taxonomies import Kind, Taxonomy, observe
from unlinkable.tables.taxonomies.builders import Csv, Dates, Intervals, Mask, Tree
from unlinkable.tables.taxonomies.published_values import write_ranges

JOBS = Tree({"Professional": ["Engineer", "Lawyer"], "Artist": ["Dancer", "Writer"]})

JOB = JOBS.build(observe("job", ["Dancer"]))

ZIP = Mask(5).build(observe("zip", ["13053", "13068", "14850"]))


def linked(
    published: list[Any], listed: list[Any], taxonomy: Taxonomy | None = None
) -> LinkedColumn:
    return link_column("c", pl.Series(published), pl.Series(listed), taxonomy)


def compatible(
    published: list[Any], listed: list[Any], taxonomy: Taxonomy | None = None
) -> list[list[int]]:
    """For every listed value the published ones that overlap it."""
    column = linked(published, listed, taxonomy)
    a, b = column.listed, column.published
    return [
        [i for i, y in enumerate(b.numbers) if a.lo[x] < b.hi[y] and b.lo[y] < a.hi[x]]
        for x in a.numbers
    ]


@pytest.mark.parametrize(
    ("published", "listed", "expected"),
    [
        (
            ["[30-35)", "<30", ">=35", "*", "30"],
            [30, 29, 40, 34.5],
            [[0, 3, 4], [1, 3], [2, 3], [0, 3]],
        ),
        ([30, 31], ["[30-31)", "31.0", "*"], [[0], [1], [0, 1]]),
        ([30, None], [30, None, 31], [[0], [1], []]),
        (["[30-35)", "", "*"], [None, 31], [[1, 2], [0, 2]]),
        (["6*", "63", "*"], [63, 70, 6], [[0, 1, 2], [2], [2]]),
        ([2.5, 3.0], ["2.5", "[2-3)", "3"], [[0], [0], [1]]),
        (["a", "b", "*"], ["b", None, "c"], [[1, 2], [2], [2]]),
        (["{a, b}", "c"], ["a", "c", "d"], [[0], [1], []]),
        (["130**", "1305*", "*"], ["13053", "13068", "13053-1"], [[0, 1, 2], [0, 2], [2]]),
        (["130**"], ["13***", "1306*", "14***"], [[0], [0], []]),
        ([True, False], ["true"], [[0]]),
        ([None, None], [None, 1], [[0, 1], []]),
    ],
    ids=lambda value: str(value)[:40],
)
def test_texts_are_read_without_a_taxonomy(
    published: list[Any], listed: list[Any], expected: list[list[int]]
) -> None:
    if any(isinstance(v, float) for v in listed):
        listed = [float(v) for v in listed]
    assert compatible(published, listed) == expected


def test_dates_are_read_by_day_time_interval_and_part() -> None:
    days = [date(2024, 9, 30), date(2024, 10, 1), date(2024, 1, 7)]
    told = ["2024-Q3", "2024-10", "2024", "2020s", "2024-W01", "[2024-09-30-2024-10-01)", "*"]
    assert compatible(told, days) == [[0, 2, 3, 5, 6], [1, 2, 3, 6], [2, 3, 4, 6]]
    assert compatible(["2024-09-30", "<2024-01-01"], days) == [[0], [], []]
    times = [datetime(2024, 9, 30, 12), datetime(2024, 9, 30)]
    assert compatible([date(2024, 9, 30), date(2024, 10, 1)], times) == [[0], [0]]
    assert compatible(["2024-09-30T12:00:00", "2024-09-30 00:00"], times) == [[0], [1]]


def test_labels_are_read_with_the_taxonomy() -> None:
    published = ["Artist", "{Lawyer, Dancer}", "Engineer", "*"]
    listed = ["Writer", "Lawyer", "Professional", "Pilot", None]
    assert compatible(published, listed, JOB) == [[0, 3], [1, 3], [1, 2, 3], [3], [3]]


def test_values_that_a_mask_covers_need_not_have_occurred() -> None:
    published = ["130**", "1306*", "148**", "13***", "14850", "*"]
    listed = ["13099", "13053", "14851", "99999", "13069"]
    expected = [[0, 3, 5], [0, 3, 5], [2, 5], [5], [0, 1, 3, 5]]
    assert compatible(published, listed, ZIP) == expected


def test_masks_cover_values_also_where_they_are_the_finest_that_is_published() -> None:
    coarse = Mask(5).build(observe("zip", ["130**", "131**", "148**"]))
    published = ["130**", "{130**, 131**}", "13***", "148**", "*"]
    listed = ["13099", "131**", "1480*", "99999"]
    assert compatible(published, listed, coarse) == [[0, 1, 2, 4], [1, 2, 4], [3, 4], [4]]
    assert linked(published, ["13099", "99999"], coarse).known == 0.5


def test_values_do_not_come_between_the_members_of_a_set() -> None:
    published = ["{13068, 14850}", "130**", "148**", "*"]
    listed = ["13068", "13099", "14851", "13053"]
    assert compatible(published, listed, ZIP) == [[0, 1, 3], [3], [2, 3], [1, 3]]


def test_intervals_do_not_depend_on_the_values_that_occurred() -> None:
    ages = Intervals(5, 10).build(observe("age", [31, 47]))
    assert compatible(["[30-35)", "[45-50)"], [34, 45, 40], ages) == [[0], [1], []]
    quarters = Dates("quarter").build(observe("day", [date(2024, 8, 5)]))
    assert compatible(["2024-Q3"], [date(2024, 9, 1), date(2024, 10, 1)], quarters) == [[0], []]


def test_labels_of_numbers_reach_from_their_first_value_to_their_last(tmp_path: Path) -> None:
    path = tmp_path / "age.csv"
    path.write_text("17;young;*\n25;young;*\n40;old;*\n", encoding="utf-8")
    ages = Csv(path).build(observe("age", [17, 25, 40]))
    assert ages.domain.kind is Kind.NUMBER
    assert compatible(["young", "old"], [17, 20, 40, 30], ages) == [[0], [0], [1], []]


def test_shown_values_keep_their_texts() -> None:
    column = linked(["[30-35)", None], [31, 33])
    assert column.kind is Kind.NUMBER
    assert [column.published.text(n) for n in column.published.numbers] == ["[30-35)", None]
    assert [column.listed.text(n) for n in column.listed.numbers] == ["31", "33"]
    assert column.n_codes == column.places.size + 1
    assert linked(["b"], ["b", "a"]).texts == ["b", "a"]


def test_columns_are_linked_one_by_one() -> None:
    told = pl.DataFrame({"a": [1], "b": ["x"], "c": [2]})
    found = link_columns(told, told, ["a", "b"], {})
    assert [(column.name, column.kind) for column in found] == [
        ("a", Kind.NUMBER),
        ("b", Kind.CATEGORY),
    ]


@pytest.mark.parametrize(
    ("published", "listed", "message"),
    [
        (["Artist"], ["Dancer"], "no value of column 'c' is in the release and in the list"),
        (["young"], [17], "row 1 of the release shows neither a number nor an interval of numbers"),
        ([17], ["17", "young"], "row 2 of the list shows neither a number nor an interval"),
        (["20-30"], [17], r"an interval of numbers, which is written \[20-30\), <20 or >=90"),
        ([17], ["1", "z", "b", "z"], "column 'c': row 2 of the list shows neither a number"),
        (["[5-5)"], [17], "row 1 of the release shows neither a number"),
        (["2024-13"], [date(2024, 1, 1)], "row 1 of the release shows neither a date"),
        (["2024-W60"], [date(2024, 1, 1)], "shows neither a date nor an interval of dates"),
        (["2024-02-31"], [date(2024, 1, 1)], "shows neither a date nor an interval of dates"),
        (["[2024-02-31-2024-03-01)"], [date(2024, 1, 1)], "shows neither a date"),
        (["b", "{a, c}"], ["a"], "members of the set in row 2 of the release are no neighbours"),
        (["130**"], ["1072", "1073"], "no value of column 'c' is in the release and in the list"),
        (["{01069, 01070}"], [1069], "no value of column 'c' is in the release and in the list"),
        (["{30, 31}", "[30-40)"], [30], "row 1 of the release shows neither a number"),
        ([1], [date(2024, 1, 1)], "holds dates on one side and numbers on the other"),
    ],
    ids=str,
)
def test_refuses_what_means_nothing(published: list[Any], listed: list[Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        linked(published, listed)


def test_refuses_dates_where_the_taxonomy_has_numbers() -> None:
    ages = Intervals(5).build(observe("age", [31]))
    with pytest.raises(DataError, match="holds dates where numbers are expected"):
        linked(["[30-35)"], [date(2024, 1, 1)], ages)


@pytest.mark.parametrize(
    ("published", "listed", "taxonomy"),
    [
        ([30, 31], ["30", "Zeus Smith", "31"], None),
        (["30", "Zeus Smith"], [30], None),
        (["a", "b", "c", "{b, Zeus Smith}"], ["a"], None),
        (["Zeus Smith"], ["a"], None),
        (["Artist"], ["Zeus Smith", "Ann Smith"], JOB),
        ([date(2024, 1, 1)], ["Zeus Smith"], None),
        (["[30-35)"], ["Zeus Smith"], Intervals(5).build(observe("age", [31]))),
    ],
    ids=str,
)
def test_no_message_tells_what_a_row_shows(
    published: list[Any], listed: list[Any], taxonomy: Taxonomy | None
) -> None:
    with pytest.raises(DataError) as refusal:
        linked(published, listed, taxonomy)
    assert "Smith" not in str(refusal.value)


@pytest.mark.parametrize(
    ("published", "listed", "taxonomy"),
    [
        (["Artist", "Dancer"], ["dancer", "writer", None, "*"], JOB),
        (["130**", "14850"], ["3053", "3068"], ZIP),
        (["130**", "14850"], [3053, 3068], ZIP),
    ],
    ids=["case", "lost zeros", "numbers"],
)
def test_refuses_a_list_of_which_the_taxonomy_knows_nothing(
    published: list[Any], listed: list[Any], taxonomy: Taxonomy
) -> None:
    message = "of 2 different values of column 'c' in the list none is known to the release"
    with pytest.raises(DataError, match=message):
        linked(published, listed, taxonomy)


def test_what_is_shown_nowhere_cannot_be_written_differently() -> None:
    assert compatible(["*", None], ["dancer"], JOB) == [[0]]
    assert compatible(["Artist"], ["*", None], JOB) == [[0], []]
    assert compatible(["Pilot"], ["Pilot"], JOB) == [[0]]


def test_says_how_many_rows_of_the_list_are_known() -> None:
    assert linked(["Artist"], ["Pilot", "Pilot"], JOB).known == 0
    assert linked(["Artist"], ["Dancer", "dancer", "dancer", "writer", None], JOB).known == 0.25
    assert linked(["130**"], ["13099", "3053"], ZIP).known == 0.5
    assert linked(["a", "*"], ["a", "b", "b", "*"]).known == pytest.approx(1 / 3)
    assert linked(["[30-35)"], [99]).known == 1


def test_numbers_of_32_bits_are_the_decimals_that_they_are_written_as() -> None:
    narrow, wide = pl.Series([70.1, None, 0.3], dtype=pl.Float32), pl.Series([70.1, 0.3, None])
    for published, listed in ((narrow, wide), (wide, narrow)):
        column = link_column("weight", published, listed)
        assert column.places.tolist() == [0.3, 70.1]
    column = link_column("weight", pl.Series(["[70.1-70.2)"]), narrow)
    assert column.listed.lo[column.listed.numbers[0]] == column.published.lo[0]


def test_sets_of_numbers_are_read_against_numbers() -> None:
    told = ["{91069, 91070}", "91075", "{91069, 91070}", "*"]
    assert compatible(told, [91069, 91075, 91071]) == [[0, 2, 3], [1, 3], [3]]
    assert compatible(["{9, 10}", "{8}", "11"], [10, 8, 100]) == [[0], [1], []]
    assert compatible([91069, 91071], ["{91069, 91070}"]) == [[0]]


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


JOBS_JOINT_NUMBERING = {"care": ["nurse", "cook"], "desk": ["clerk", "smith"]}


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
    assert (
        overlap(first, second, [jobs(JOBS_JOINT_NUMBERING), jobs(JOBS_JOINT_NUMBERING)]) is expected
    )


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
    assert overlap("care", "midwife", [jobs(JOBS_JOINT_NUMBERING), more])
    assert not overlap("desk", "midwife", [jobs(JOBS_JOINT_NUMBERING), more])


def test_a_label_that_means_something_else_is_refused() -> None:
    other = jobs({"care": ["nurse", "clerk"], "desk": ["cook", "smith"]})
    with pytest.raises(SchemaError, match=r"'(care|desk)' of column 'x' stands for other values"):
        overlap("care", "nurse", [jobs(JOBS_JOINT_NUMBERING), other])


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
