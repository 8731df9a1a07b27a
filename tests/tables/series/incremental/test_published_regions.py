"""Published regions: what was shown of everybody, without what adds nothing."""

from __future__ import annotations

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.attacks.series.published import gender
from unlinkable.tables.series.incremental.published_regions import PublishedRegions

RANGES = st.tuples(st.integers(20, 25), st.integers(1, 4))
SHOWN = st.dictionaries(st.integers(0, 4), st.tuples(RANGES, RANGES), min_size=1)


def text(range_: tuple[int, int]) -> str:
    return f"[{range_[0]}-{range_[0] + range_[1]})"


def frame(rows: list[tuple[tuple[int, int], tuple[int, int]]]) -> pl.DataFrame:
    return pl.DataFrame({"age": [text(a) for a, _ in rows], "pay": [text(b) for _, b in rows]})


@given(st.lists(SHOWN, min_size=1, max_size=4))
def test_everybody_is_where_all_releases_say(
    releases: list[dict[int, tuple[tuple[int, int], tuple[int, int]]]],
) -> None:
    regions = PublishedRegions.empty()
    inside: dict[int, set[tuple[int, int]]] = {}
    for shown in releases:
        people = np.array([*shown])
        regions = regions.updated(people, frame([*shown.values()]), np.arange(people.size))
        for person, box in shown.items():
            inside[person] = inside.get(person, points(box)) & points(box)
    for person in range(5):
        told = regions.of(person)
        assert bool(told) == (person in inside)
        boxes = [points((read(row["age"]), read(row["pay"]))) for row in told]
        if told:
            assert set.intersection(*boxes) == inside[person]
        for i, one in enumerate(boxes):
            assert not any(i != j and one >= other for j, other in enumerate(boxes))


def points(box: tuple[tuple[int, int], tuple[int, int]]) -> set[tuple[int, int]]:
    (a, w), (b, h) = box
    return {(x, y) for x in range(a, a + w) for y in range(b, b + h)}


def read(shown: str | None) -> tuple[int, int]:
    low, high = str(shown).strip("[)").split("-")
    return int(low), int(high) - int(low)


def test_labels_hold_what_is_below_them() -> None:
    regions, who = PublishedRegions.empty(), np.array([0, 1])
    for shown in (["Person", "Person"], ["Male", "Person"], ["Person", "Female"]):
        told = pl.DataFrame({"Gender": shown})
        regions = regions.updated(who, told, np.arange(2), {"Gender": gender()})
    assert [regions.of(person) for person in (0, 1)] == [
        [{"Gender": "Male"}],
        [{"Gender": "Female"}],
    ]
    assert regions.starts.size == 3
    assert regions.of(9) == []


def test_nothing_is_kept_of_releases_that_are_not_shown() -> None:
    regions = PublishedRegions.empty().updated(np.array([0]), None, np.array([0]))
    assert regions.of(0) == []
    assert regions.to_frames() == {}
