"""Releases of a table that grows: after every one nobody falls, by going through everything.

What a policy says of itself is not believed here: what was published is read from the published
texts, and attacked by the witnesses.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.witness import series as witness
from tests.witness.generators import Followed, follow
from tests.witness.series import Record
from tests.witness.snapshots import Made, Person, Snapshot, growing, published, shows_truth
from unlinkable.tables.methods import Incognito, Mondrian, Optimal
from unlinkable.tables.methods.base.search import Method
from unlinkable.tables.models import KAnonymity, KCAnonymity
from unlinkable.tables.series.continuous.continuous import Continuous
from unlinkable.tables.series.incremental.incremental import Incremental

FEWER = settings(max_examples=max(settings().max_examples * 4 // 5, 1))
HALF = Fraction(1, 2)
SHARES = st.sampled_from([HALF, Fraction(2, 3), Fraction(1)])
METHODS = {"mondrian": Mondrian(), "incognito": Incognito(), "optimal": Optimal()}


def promised(k: int, c: Fraction) -> KAnonymity | KCAnonymity:
    return KAnonymity(k) if c == 1 else KCAnonymity(k, c, sensitive="ill")


def found_out(releases: Sequence[Sequence[Record]], k: int, c: Fraction) -> set[tuple[str, int]]:
    """Say who falls, and to what, if it is known who is in which group of every release."""
    people = {r.owner for release in releases for r in release if r.owner is not None}
    left = [left for left in witness.differences(releases) if left.violates(k, c)]
    return {
        *(("difference", person) for each in left for person in each.people),
        *(
            ("intersection", person)
            for person in people
            if witness.peak(witness.common(releases, person)) > c
        ),
        *(("record-tracing", person) for person in witness.owners_exposed(releases, k, c)),
    }


@given(
    growing(),
    st.sampled_from(["checked", "merge"]),
    st.sampled_from([*METHODS.values()]),
    st.integers(2, 3),
    SHARES,
    st.sampled_from([Fraction(0), Fraction(1, 3)]),
)
@FEWER
def test_incremental_gives_nobody_away(
    snapshots: list[Snapshot],
    strategy: str,
    method: Method,
    k: int,
    c: Fraction,
    suppression: Fraction,
) -> None:
    out = suppression if isinstance(method, Optimal) else Fraction(0)
    made = published(
        Incremental(strategy), snapshots, [promised(k, c)], method=method, suppression=out
    )
    for n, release in enumerate(made, 1):
        assert shows_truth(release)
        assert not found_out([m.records for m in made[:n]], k, c)


AGES, ILLS = (20, 21, 25, 28, 22, 26, 29, 23, 24, 27), "xyzxzyyxzx"
PATIENTS = [Person(age, "UK", ill) for age, ill in zip(AGES, ILLS, strict=True)]
SERIES: list[Snapshot] = [dict(enumerate(PATIENTS[:n])) for n in (4, 8, 10)]
"""Patients who can be published whenever some have come."""


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
@pytest.mark.parametrize("strategy", ["checked", "merge"])
def test_the_patients_who_come_in_three_batches_are_safe(strategy: str, method: Method) -> None:
    made = published(Incremental(strategy), SERIES, [promised(2, HALF)], method=method)
    assert len(made) == 3
    assert not found_out([m.records for m in made], 2, HALF)


def test_releases_that_forget_each_other_give_the_patients_away() -> None:
    """What the policy avoids is there to be found, by every attack."""
    made = published(Incremental("static"), SERIES, [promised(2, HALF)])
    assert len(made) == 3
    found = found_out([m.records for m in made], 2, HALF)
    assert {attack for attack, _ in found} == {"difference", "intersection", "record-tracing"}


def exposed(people: Sequence[Followed], k: int, c: Fraction) -> list[Followed]:
    """Give those of whom too few records are left, or who are too likely to have a value."""
    return [him for him in people if him.left.total() < k or witness.peak(him.left) > c]


def who_are_there(made: Sequence[Made], people: Sequence[Followed]) -> list[Followed]:
    """Give those who are really in the classes of the releases."""
    there = set()
    for person in made[-1].people:
        classes = [
            (row["age"], row["born"])
            for release in made
            for record, row in zip(release.records, release.rows, strict=True)
            if record.owner == person
        ]
        there.add((len(made) - len(classes), tuple(classes)))
    found = [him for him in people if (him.since, him.classes) in there]
    assert len(found) == len(there)
    return found


@given(
    growing(max_people=8),
    st.sampled_from(["possible", "actual"]),
    st.sampled_from(["split", "taxonomy"]),
    st.integers(2, 3),
    SHARES,
)
@FEWER
def test_continuous_leaves_enough_records_of_everybody(
    snapshots: list[Snapshot], targets: str, numbers: str, k: int, c: Fraction
) -> None:
    made = published(Continuous(targets, numbers=numbers), snapshots, [promised(k, c)])
    after_each = follow([m.rows for m in made], ["age", "born"], "ill", {})
    for n, (release, people) in enumerate(zip(made, after_each, strict=True), 1):
        assert shows_truth(release)
        actual = who_are_there(made[:n], people)
        assert not exposed(actual if targets == "actual" else people, k, c)


@pytest.mark.parametrize("targets", ["possible", "actual"])
def test_the_patients_are_left_with_enough_records(targets: str) -> None:
    made = published(Continuous(targets), SERIES, [promised(2, Fraction(2, 3))])
    assert len(made) == 3


def test_records_are_struck_out_if_releases_forget_each_other() -> None:
    made = published(Continuous(), SERIES, [promised(2, Fraction(2, 3))], forgets=True)
    assert len(made) == 3
    *_, people = follow([m.rows for m in made], ["age", "born"], "ill", {})
    assert exposed(who_are_there(made, people), 2, Fraction(1))
