"""Explained: what is struck out of one person's classes."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given

from tests.tables.attacks.series.generators import Drawn, growing_series, most_alike
from unlinkable.errors import ParameterError
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.series.series import Edition, Series
from unlinkable.tables.attacks.series.shared.crack_candidates import Crack
from unlinkable.tables.attacks.series.shared.explanations import explain
from unlinkable.tables.attacks.series.shared.record_classes import Numbers


def three() -> Series:
    shown = [
        {"q": ["*"] * 4, "s": ["x", "x", "y", "y"]},
        {"q": ["0", "0", "0", "1", "1"], "s": ["x", "y", "y", "x", "x"]},
        {"q": ["[0-2)"] * 5 + ["2"], "s": ["x", "x", "x", "y", "y", "y"]},
    ]
    frames = [pl.DataFrame(some) for some in shown]
    return Series(
        tuple(Edition(Target(f, ("q",), ("s",)), None, f"R{i}") for i, f in enumerate(frames, 1))
    )


def test_every_attack_is_told_with_the_release_that_it_compares_with() -> None:
    found = explain(three(), Numbers.of(three()), {"q": 1}, since=2)
    assert found.is_possible
    assert found.left == 1
    (group,) = found.releases[2] or ()
    assert (group.value, group.n_records, group.left, group.crack_size) == ("x", 2, 1, 1)
    assert group.cracks == {(Crack.B, 1): 1}
    (x, y) = found.releases[3] or ()
    assert x.cracks == {(Crack.B, 1): 2, (Crack.C, 2): 1}
    assert y.cracks == {(Crack.B, 1): 1, (Crack.C, 2): 2}
    assert str(found).splitlines() == [
        "somebody with q=1 who is first in R2: 1 record left",
        "R2 (2 records): x 1 of 2 (B-attack strikes out 1)",
        "R3 (5 records): x 1 of 3 (B-attack strikes out 2, C-attack strikes out 1), "
        "y 0 of 2 (B-attack strikes out 1, C-attack strikes out 2)",
    ]


def test_somebody_whom_no_record_fits_is_not_there() -> None:
    found = explain(three(), Numbers.of(three()), {"q": 2}, since=2)
    assert not found.is_possible
    assert found.left == 0
    assert found.releases[2] is None
    assert "R2: no record fits" in str(found)


@given(growing_series(2, (4, 3)))
def test_two_releases_are_explained_as_they_are(drawn: Drawn) -> None:
    numbers = Numbers.of(drawn.series)
    names = drawn.series.quasi
    for (since, point), most in most_alike(drawn.releases, drawn.domain).items():
        who = dict(zip(names, map(int, point), strict=True))
        found = explain(drawn.series, numbers, who, since + 1)
        for groups in found.releases.values():
            assert groups is not None
            assert {g.value: g.left for g in groups} == {g.value: most[g.value] for g in groups}


@pytest.mark.parametrize(
    ("who", "since", "message"),
    [
        ({"q": 1}, 0, "since must be one of the releases 1 to 3, got 0"),
        ({"q": 1}, 4, "since must be one of the releases 1 to 3, got 4"),
        ({"r": 1}, 1, "say what the person has on 'q'"),
    ],
    ids=["too early", "too late", "unknown"],
)
def test_refuses_people_who_are_not_said(who: dict[str, int], since: int, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        explain(three(), Numbers.of(three()), who, since)
