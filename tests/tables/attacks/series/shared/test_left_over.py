"""What differences leave: counted for people, over pairs of releases and columns."""

from __future__ import annotations

from fractions import Fraction

from tests.tables.attacks.series.subtracting import Release, series_of
from unlinkable.tables.attacks.series.shared.left_over import LeftOver

FIRST: Release = [(0, 0, 1), (1, 0, 2), (2, 0, 3), (3, 1, 1), (4, 1, 2)]
SECOND: Release = [*FIRST, (5, 0, 0), (6, 0, 0), (7, 0, 0)]
THIRD: Release = [*SECOND, (8, 1, 3)]


def looked_at(found: list[Release], pairs: list[tuple[int, int]], k: int = 2) -> LeftOver:
    series = series_of(found)
    left = LeftOver(series, k, Fraction(1, 2))
    sheets = series.sheets("s")
    left.look_alone(sheets)
    for first, second in pairs:
        left.take_away("s", sheets, first, second)
    return left


def test_the_pair_is_told_to_which_most_people_fall() -> None:
    left = looked_at([FIRST, SECOND, THIRD], [(0, 1), (1, 2)])
    assert (left.n_people, left.n_fallen, left.n_alone) == (9, 4, 0)
    assert left.worst_pair == (0, 1)
    assert left.details()["pairs_with_channel"] == 2
    assert left.details()["smallest_difference"] == 1


def test_the_first_difference_that_is_surest_is_told() -> None:
    left = looked_at([FIRST, SECOND, THIRD], [(0, 1), (0, 2), (1, 2)])
    told = {v.who["person"]: (v.learned["s"], v.confidence, v.records) for v in left.victims()}
    assert told == {
        "6": ("0", 1.0, 3),
        "7": ("0", 1.0, 3),
        "8": ("0", 1.0, 3),
        "9": ("3", 1.0, 1),
    }


def test_the_highest_share_is_found_below_the_limit_as_well() -> None:
    """The newcomers have the values 0, 0, 1, 2, 3: two of five, and more than in any group."""
    second = [*FIRST, *((5 + i, 0, v) for i, v in enumerate([0, 0, 1, 2, 3]))]
    left = looked_at([FIRST, second], [])
    assert left.highest == Fraction(1, 2)
    apart: Release = [(0, 0, 1), (1, 0, 2), (2, 0, 3), (3, 0, 0)]
    second = [*apart, *((4 + i, 0, v) for i, v in enumerate([0, 0, 1, 2, 3]))]
    left = looked_at([apart, second], [(0, 1)])
    assert (left.highest, left.n_fallen) == (Fraction(2, 5), 0)


def test_who_falls_alone_is_counted_apart() -> None:
    left = looked_at([FIRST, SECOND], [(1, 0)], k=3)
    assert (left.n_alone, left.n_fallen) == (2, 0)
    assert left.victims() == ()
