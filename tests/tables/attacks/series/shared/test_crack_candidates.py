"""Candidates: what is left of people, against all originals that releases could have come from.

Which correspondence attack applies, and who counts.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import polars as pl
import pytest
from hypothesis import given

from tests import cases
from tests.tables.attacks.series.generators import Drawn, Record, covers, growing_series, most_alike
from unlinkable.errors import ParameterError, UnsupportedError
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.series.series import Edition, Series
from unlinkable.tables.attacks.series.shared.crack_candidates import (
    Kinds,
    Targets,
    as_targets,
    crack_of,
    first_kinds,
    survey_kinds,
)
from unlinkable.tables.attacks.series.shared.record_classes import Numbers

Person = tuple[int, tuple[str, ...]]


def left_by_survey(drawn: Drawn, kinds: list[Kinds], numbers: Numbers) -> dict[Person, int]:
    """Give what is left of everybody who could be there, by when he came and his raw values."""
    found: dict[Person, int] = {}
    for some in kinds:
        for members, left in zip(some.members.tolist(), some.left.tolist(), strict=True):
            boxes = [
                drawn.boxes(release)[np.flatnonzero(numbers.classes[release].labels == at)[0]]
                for release, at in enumerate(members, some.since)
            ]
            for point in product(*drawn.domain):
                if all(covers(box, point) for box in boxes):
                    assert (some.since, point) not in found, "one class of each release holds him"
                    found[some.since, point] = left
    return found


def surveyed(drawn: Drawn) -> dict[Person, int]:
    numbers = Numbers.of(drawn.series)
    return left_by_survey(drawn, list(survey_kinds(numbers)), numbers)


def enumerated(drawn: Drawn) -> dict[Person, int]:
    """The same by enumeration, for releases that brought somebody."""
    most = most_alike(drawn.releases, drawn.domain)
    return {
        (since, point): sum(found.values())
        for (since, point), found in most.items()
        if drawn.sizes[since]
    }


@given(growing_series(2, (4, 3)))
def test_of_two_releases_just_as_much_is_left_as_in_some_possible_original(drawn: Drawn) -> None:
    assert surveyed(drawn) == enumerated(drawn)


@given(growing_series(3, (3, 1, 2)))
def test_of_three_releases_nothing_is_cracked_that_could_be_somebodys(drawn: Drawn) -> None:
    ours, theirs = surveyed(drawn), enumerated(drawn)
    assert ours.keys() == theirs.keys()
    assert all(ours[person] >= theirs[person] for person in ours)


@given(growing_series(3, (3, 2, 2)))
def test_a_further_release_never_leaves_more(drawn: Drawn) -> None:
    two = Series(drawn.series.editions[:-1])
    shorter = Drawn(drawn.releases[:-1], two, drawn.domain, drawn.sizes[:-1])
    before, after = surveyed(shorter), surveyed(drawn)
    assert all(left <= before[person] for person, left in after.items() if person in before)


@given(growing_series(3, (3, 2, 2), has_people=True))
def test_those_who_are_there_are_among_those_who_could_be(drawn: Drawn) -> None:
    numbers = Numbers.of(drawn.series)
    people = np.full((len(drawn.releases[-1]), 3), -1, np.int32)
    for release, classes in enumerate(numbers.classes):
        people[: classes.labels.size, release] = classes.labels
    possible = {(k.since, tuple(m)): n for k in survey_kinds(numbers) for m, n in rows(k)}
    actual = {(k.since, tuple(m)): n for k in survey_kinds(numbers, people) for m, n in rows(k)}
    assert actual.items() <= possible.items()
    assert min(actual.values()) >= 1
    n_people = sum(int(k.n_people.sum()) for k in survey_kinds(numbers, people))
    assert n_people == len(drawn.releases[-1])


def rows(kinds: Kinds) -> list[tuple[list[int], int]]:
    return [*zip(kinds.members.tolist(), kinds.left.tolist(), strict=True)]


def test_whoever_lists_all_originals_of_three_releases_may_crack_more() -> None:
    # Both records of R2 are in the first two of R3, and that of R1 is one of the former: it must be
    # the very first of R3, so that nobody with (3, 0) came with R2. No two releases say so.
    shown = [
        [("[0-4)", "0")],
        [("3", "[0-4)"), ("2", "[0-4)")],
        [("[2-4)", "0"), ("[2-4)", "2"), ("[0-2)", "0")],
    ]
    person = (1, ("3", "0"))
    drawn = plain(shown, [1, 1, 1])
    assert surveyed(drawn)[person] == 1
    assert enumerated(drawn)[person] == 0


def plain(shown: list[list[tuple[str, str]]], sizes: list[int]) -> Drawn:
    """Take releases of people who all hide the same."""
    releases: list[list[Record]] = [
        [(tuple(frozenset(map(str, covered(text))) for text in row), "a") for row in release]
        for release in shown
    ]
    frames = [
        pl.DataFrame(
            {"q0": [a for a, _ in rows], "q1": [b for _, b in rows], "s": ["a"] * len(rows)}
        )
        for rows in shown
    ]
    editions = tuple(Edition(Target(frame, ("q0", "q1"), ("s",))) for frame in frames)
    domain = [[*map(str, range(4))]] * 2
    return Drawn(releases, Series(editions), domain, sizes)


def covered(text: str) -> range:
    lo, _, hi = text.strip("[)").partition("-")
    return range(int(lo), int(hi or int(lo) + 1))


def test_too_many_kinds_of_people_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unlinkable.tables.attacks.series.shared.record_classes.MOST_PAIRS", 1)
    drawn = plain([[("0", "[0-4)"), ("1", "[0-4)")], [("[0-4)", "0"), ("[0-4)", "1")]], [2, 0])
    with pytest.raises(UnsupportedError, match=r"more than 1 kinds of people .* targets=actual"):
        surveyed(drawn)


def test_people_are_listed_by_when_they_came() -> None:
    people = np.array([[0, 0], [0, 1], [-1, 1], [0, 0]], np.int32)
    found = first_kinds(people, 0)
    assert found is not None
    members, who, kind = found
    assert members.tolist() == [[0, 0], [0, 1]]
    assert who.tolist() == [0, 1, 3]
    assert kind.tolist() == [0, 1, 0]
    assert first_kinds(people[:, [0, 0]], 1) is None


def test_table_10_6_names_the_attack() -> None:
    table = cases.load("book-ch10-table10.6-attack-types")["expected"]["stated"]["table"]
    for name, since, cracked, background in table["rows"]:
        numbers = [int(text[1:]) for text in (since, cracked, background)]
        assert (crack_of(*numbers) or "No attack") == name


def test_a_release_does_not_crack_itself() -> None:
    assert crack_of(1, 2, 2) is None


@pytest.mark.parametrize("background", [1, 2, 4])
def test_of_several_releases_the_other_one_decides(background: int) -> None:
    assert crack_of(2, 3, background) == {1: "B-attack", 2: "C-attack", 4: "F-attack"}[background]


def test_refuses_targets_that_nobody_knows() -> None:
    assert as_targets("possible") is Targets.POSSIBLE
    with pytest.raises(ParameterError, match=r"no kind of targets 'real' among 2"):
        as_targets("real")
