"""The layout of CSV files, where it is not plain to see."""

from __future__ import annotations

from pathlib import Path

import pytest

from unlinkable.errors import DataError
from unlinkable.tables.data.reading.layout import check_names, find_layout

PATH = Path("x.csv")


@pytest.mark.parametrize(
    ("head", "separator"),
    [
        ("a;b\n1,5;2,5\n", ";"),
        ("a,b;c,d\n1,2;3,4\n", ","),
        ("a;b;c\n1;2;3\n4,5\n", ";"),
        ('a|b\n"x,y;z"|2\n', "|"),
        ("name;first, last\nx;y\n", ";"),
    ],
)
def test_the_separator_that_splits_all_records_alike_is_taken(head: str, separator: str) -> None:
    assert find_layout(PATH, head, None, None).separator == separator


def test_a_field_that_never_ends_does_not_stop_the_search() -> None:
    head = 'a;"b"\n1;2\n' + 'x;"' + "y" * 200_000
    with pytest.raises(DataError, match="only one column"):
        find_layout(PATH, head, None, None)


def test_a_single_record_of_numbers_is_no_header() -> None:
    assert not find_layout(PATH, "39,50\n", None, None).has_header
    assert find_layout(PATH, "39,50\n", None, True).names == ("39", "50")


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("a", " "), "here: column 2 has no name; name it, or delete it, please"),
        (("a", "^a$"), r"here: the name '\^a\$' would be taken for a pattern"),
        (("a", "b", "a"), "here: two columns are called 'a'; rename one of them, dear"),
    ],
)
def test_bad_names_are_refused(names: tuple[str, ...], message: str) -> None:
    with pytest.raises(DataError, match=message):
        check_names("here", names, if_empty=", please", if_twice=", dear")


def test_the_line_of_the_names_is_counted_from_the_top() -> None:
    with pytest.raises(DataError, match=r"x\.csv, line 3: two columns are called 'a'"):
        find_layout(PATH, "\n\na,a\n", None, None)
