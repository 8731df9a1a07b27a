"""Releases of people who come, go, come back and change: nobody is known better than promised.

What a policy says of itself is not believed here: what was published is read from the published
texts, and every world is gone through that it leaves possible.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from tests.witness import series as witness
from tests.witness.series import by_group
from tests.witness.snapshots import (
    Made,
    Person,
    Snapshot,
    coming_and_going,
    published,
    shows_truth,
)
from unlinkable.tables.models import KAnonymity
from unlinkable.tables.series.composition.hd_composition import HDComposition
from unlinkable.tables.series.invariance.m_invariance import MInvariance

FEWER = settings(max_examples=max(settings().max_examples * 4 // 5, 1))
SEEDS = st.integers(0, 9)
NEARLY_ALL = Fraction(99, 100)


def surest(made: Sequence[Made], permanent: Collection[str] | None = None) -> Fraction:
    """Say how sure anybody can be of anything, by the share of all possible worlds."""
    found = witness.beliefs([m.records for m in made], permanent)
    return max((share for own in found.values() for share in own.values()), default=Fraction(0))


def tells_what_is_made_up(made: Made) -> bool:
    """Whether every record tells how many records of its group are nobody's."""
    told = made.edition.target.frame.get_column("counterfeits").to_list()
    groups = by_group(made.records)
    return all(
        n == sum(one.owner is None for one in groups[record.group])
        for n, record in zip(told, made.records, strict=True)
    )


@given(coming_and_going(lasting="wxyz"), st.integers(2, 3), SEEDS)
@FEWER
def test_m_invariance_leaves_m_values_of_everybody_equally_likely(
    snapshots: list[Snapshot], m: int, seed: int
) -> None:
    made = published(MInvariance(m), snapshots, seed=seed)
    for n, release in enumerate(made, 1):
        assert shows_truth(release)
        assert tells_what_is_made_up(release)
        assert {r.owner for r in release.records} - {None} == {*release.people}
        assert surest(made[:n]) <= Fraction(1, m)
        for person in release.people:
            common = witness.common([each.records for each in made[:n]], person)
            assert witness.peak(common) <= Fraction(1, m)


@given(
    coming_and_going(lasting="HC", passing="xy"),
    st.integers(2, 3),
    st.sampled_from(["H", "HC"]),
    st.sampled_from([None, None, 2, 3]),
    SEEDS,
)
@FEWER
def test_hd_composition_links_nobody_to_a_permanent_value(
    snapshots: list[Snapshot],
    l: int,  # noqa: E741
    permanent: str,
    k: int | None,
    seed: int,
) -> None:
    made = published(
        HDComposition(l, permanent=[*permanent]),
        snapshots,
        [] if k is None else [KAnonymity(k)],
        suppression=NEARLY_ALL,
        seed=seed,
    )
    for n, release in enumerate(made, 1):
        assert shows_truth(release)
        assert tells_what_is_made_up(release)
        for group in by_group(release.records).values():
            assert sum(record.owner is not None for record in group) >= (k or 1)
        assert not witness.changed([each.records for each in made[:n]], permanent)
        sure = surest(made[:n], permanent)
        assert sure <= Fraction(1, l)
    event(f"at most {sure if made else None} sure")


def ward(people: str, **ills: str) -> Snapshot:
    """Take people by their letters, who are as old as their letter is far in the alphabet."""
    return {
        "abcdefghij".index(p): Person(20 + "abcdefghij".index(p), "UK", ills[p]) for p in people
    }


OPERATED = {"a": "knee", "b": "nose", "c": "hip", "d": "nose", "e": "hip", "f": "knee"}
LEAVING = [ward("abcd", **OPERATED), ward("acde", **OPERATED), ward("abef", **OPERATED)]
"""People of whom some leave, and one comes back."""


@pytest.mark.parametrize("forgets", [False, True])
def test_invariance_has_to_know_what_was_published_before(forgets: bool) -> None:
    made = published(MInvariance(2), LEAVING, forgets=forgets)
    assert len(made) == 3
    assert (surest(made) > Fraction(1, 2)) == forgets


MOVING: list[Snapshot] = [
    {p: Person(age, "UK", ill) for p, (age, ill) in enumerate(zip(ages, ills, strict=True))}
    for ages, ills in (
        ((20, 21, 22, 26, 27, 28), "xHyxHy"),
        ((20, 21, 26, 28, 27, 22), "yHyyHx"),
        ((26, 21, 20, 28, 27, 22), "xHxxHy"),
    )
]
"""People who move between releases; two of them have something for life."""


@pytest.mark.parametrize("forgets", [False, True])
def test_composition_has_to_know_who_was_with_whom(forgets: bool) -> None:
    made = published(HDComposition(3, permanent="H"), MOVING, forgets=forgets)
    assert len(made) == 3
    assert (surest(made, "H") > Fraction(1, 3)) == forgets
