"""Series: releases in numbers that mean the same in all of them."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from unlinkable.errors import DataError, ParameterError, SchemaError, UnsupportedError
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.series.series import NOBODY, Edition, Series, Sheet
from unlinkable.tables.taxonomies import observe
from unlinkable.tables.taxonomies.builders import Tree

FIRST = pl.DataFrame({"job": ["artist", "dancer", "artist"], "ill": ["flu", "hiv", "cold"]})
THEN = pl.DataFrame({"ill": ["hiv", "new", "flu"], "job": ["*", "clerk", "*"]})


def edition(frame: pl.DataFrame, people: list[int] | None = None, **more: object) -> Edition:
    jobs = Tree({"artist": ["dancer", "writer"], "office": ["clerk"]}).build(observe("job", []))
    target = Target(frame, ("job",), ("ill",), {"job": jobs}, **more)  # type: ignore[arg-type]
    return Edition(target, None if people is None else np.array(people), "a release")


def series() -> Series:
    return Series((edition(FIRST, [0, 1, 2]), edition(THEN, [2, NOBODY, 0])))


def test_records_that_show_the_same_are_a_group() -> None:
    assert [sheet.groups.tolist() for sheet in series().sheets("ill")] == [[0, 1, 0], [0, 1, 0]]
    assert [sheet.n_groups for sheet in series().sheets("ill")] == [2, 2]


def test_values_have_the_same_number_in_all_releases() -> None:
    told = series()
    texts = told.texts("ill")
    found = [[texts[v] for v in sheet.values] for sheet in told.sheets("ill")]
    assert found == [["flu", "hiv", "cold"], ["hiv", "new", "flu"]]
    assert {sheet.n_values for sheet in told.sheets("ill")} == {4}


def test_groups_of_two_releases_can_hold_the_same_person_if_their_ranges_overlap() -> None:
    (lo, hi), (lo2, hi2) = series().boxes
    meet = (lo[:, None] < hi2[None]) & (lo2[None] < hi[:, None])
    # artist and dancer both lie within *, and neither is a clerk.
    assert meet.all(axis=2).tolist() == [[True, False], [True, False]]


def test_a_value_that_comes_later_and_stands_inside_a_set_is_told_with_what_to_do() -> None:
    def shown(*jobs: str) -> Edition:
        frame = pl.DataFrame({"job": jobs, "ill": ["flu"] * len(jobs)})
        tree = Tree({"any": sorted({j.strip("{}") for job in jobs for j in job.split(", ")})})
        target = Target(frame, ("job",), ("ill",), {"job": tree.build(observe("job", []))})
        return Edition(target, np.arange(len(jobs)))

    later = Series((shown("{cook, nurse}"), shown("cook", "lawyer", "nurse")))
    with pytest.raises(DataError, match=r"no neighbours.*has to begin anew: with a taxonomy that"):
        _ = later.boxes


def test_people_are_counted_and_called() -> None:
    told = series()
    assert (told.n_people, told.knows_people, told.repeated) == (3, True, None)
    assert told.called(1) == {"person": "2"}
    assert Series(told.editions, ["Ann", "Bo"]).called(1) == {"person": "Bo"}
    assert Series(told.editions, ["Ann", "Bo"]).called(2) == {"person": "3"}


def test_somebody_with_several_records_is_noticed() -> None:
    assert Series((edition(FIRST, [0, 1, 1]), edition(THEN, [2, 3, 0]))).repeated == "a release"
    assert Series((edition(FIRST, [0, NOBODY, NOBODY]),)).repeated is None


def test_a_series_of_which_nobody_says_whose_records_are() -> None:
    told = Series((edition(FIRST, [0, 1, 2]), edition(THEN)))
    assert not told.knows_people
    with pytest.raises(ParameterError, match="nobody can say whose the records of a release are"):
        told.sheets("ill")
    assert [values.tolist() for values in told.values("ill")] == [
        v.values.tolist() for v in series().sheets("ill")
    ]


def test_columns_that_not_all_releases_have_are_not_compared() -> None:
    other = Edition(Target(THEN.rename({"ill": "ails"}), ("job",), ("ails",)))
    with pytest.raises(SchemaError, match="no sensitive column is in all releases"):
        Series((edition(FIRST), other)).columns_about(None)
    with pytest.raises(SchemaError, match="no sensitive column of all releases 'pay'"):
        series().columns_about("pay")
    assert series().columns_about(None) == ("ill",)


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ParameterError, match="a release has 3 records, and 2 are said whose"):
        edition(FIRST, [0, 1])
    buckets = FIRST.with_columns(bucket=pl.lit(1))
    with pytest.raises(UnsupportedError, match="a release has buckets"):
        _ = Series((edition(buckets, bucket="bucket"),)).boxes


def test_buckets_are_groups() -> None:
    buckets = FIRST.with_columns(bucket=pl.Series([1, 2, 1]))
    told = Series((edition(buckets, [0, 1, 2], bucket="bucket"),))
    assert told.groups[0].tolist() == [0, 1, 0]


def test_plain_numbers_make_a_sheet() -> None:
    sheet = Sheet.of([5, NOBODY], [1, 0], [3, 3], n_values=9)
    assert (len(sheet), sheet.n_groups, sheet.n_values) == (2, 2, 9)
    assert (len(Sheet.of([], [], [])), Sheet.of([], [], []).n_groups) == (0, 0)
