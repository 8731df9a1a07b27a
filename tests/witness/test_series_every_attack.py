"""After every release nobody falls to any attack on several releases that fits the series.

Whether an attack finds all that it should is for other tests. Here all of them are tried, with the
limits that were promised, whether the policy says that it guards against them or not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from tests.witness import series as witness
from tests.witness.models import Row
from tests.witness.parted import TREES, Ask, crowds
from tests.witness.parted import published as drawn_parts
from tests.witness.series import Record
from tests.witness.snapshots import (
    Made,
    Person,
    Snapshot,
    coming_and_going,
    growing,
    published,
    table_of,
)
from unlinkable.errors import ChannelError
from unlinkable.tables.attacks.base.target import AdversaryKnowledge
from unlinkable.tables.attacks.series.correspondence import Correspondence
from unlinkable.tables.attacks.series.critical_absence import CriticalAbsence
from unlinkable.tables.attacks.series.difference import Difference
from unlinkable.tables.attacks.series.intersection import Intersection
from unlinkable.tables.attacks.series.record_tracing import RecordTracing
from unlinkable.tables.attacks.series.series import Series
from unlinkable.tables.attacks.series.shared.series_attack import SeriesAttack
from unlinkable.tables.methods import Incognito, Mondrian, Optimal
from unlinkable.tables.models import KAnonymity, KCAnonymity
from unlinkable.tables.series.composition.hd_composition import HDComposition
from unlinkable.tables.series.continuous.continuous import Continuous
from unlinkable.tables.series.incremental.incremental import Incremental
from unlinkable.tables.series.incremental.merging import Merging
from unlinkable.tables.series.invariance.m_invariance import MInvariance
from unlinkable.tables.series.next_release import Next, Terms, next_release
from unlinkable.tables.series.policy import Past, Policy, Request
from unlinkable.tables.series.sequential.sequential import Sequential
from unlinkable.typing import Columns

FEW = settings(max_examples=max(settings().max_examples // 6, 1))
HALF = Fraction(1, 2)
SHARES = [HALF, Fraction(2, 3), Fraction(1)]
SEARCHES = [Mondrian(), Incognito(), Optimal()]


def every_attack(k: int, c: Fraction, targets: str = "actual") -> list[SeriesAttack]:
    """Give the attacks on releases of the same columns."""
    return [
        Difference(k=k, limit=c),
        Intersection(limit=c),
        RecordTracing(k=k, limit=c),
        CriticalAbsence(limit=c),
        Correspondence(k, targets=targets, limit=c),
    ]


def fallen(made: Sequence[Made], attacks: Iterable[SeriesAttack]) -> list[tuple[int, str]]:
    """Say after which release somebody falls, and to what."""
    found = []
    for n in range(2, len(made) + 1):
        series = Series(tuple(release.edition for release in made[:n]))
        for attack in attacks:
            if attack.misfit(series, AdversaryKnowledge()) is not None:
                event(f"{attack.name} does not fit")
            elif attack.run(series).succeeded:
                found.append((n, attack.name))
    return found


@given(
    growing(),
    st.sampled_from(["checked", "checked", "merge"]),
    st.sampled_from(SEARCHES),
    st.integers(2, 3),
    st.sampled_from(SHARES),
)
@FEW
def test_nobody_falls_to_releases_of_a_growing_table(
    snapshots: list[Snapshot], strategy: str, method: Mondrian, k: int, c: Fraction
) -> None:
    promise = KAnonymity(k) if c == 1 else KCAnonymity(k, c, sensitive="ill")
    made = published(Incremental(strategy), snapshots, [promise], method=method)
    assert not fallen(made, every_attack(k, c))


@given(
    growing(),
    st.sampled_from(["possible", "actual"]),
    st.integers(2, 3),
    st.sampled_from(SHARES),
)
@FEW
def test_nobody_falls_to_continuous_releases(
    snapshots: list[Snapshot], targets: str, k: int, c: Fraction
) -> None:
    promise = KAnonymity(k) if c == 1 else KCAnonymity(k, c, sensitive="ill")
    made = published(Continuous(targets), snapshots, [promise])
    assert not fallen(made, every_attack(k, c, targets))


@given(coming_and_going(lasting="wxyz"), st.integers(2, 3), st.integers(0, 9))
@FEW
def test_nobody_falls_to_invariant_releases(snapshots: list[Snapshot], m: int, seed: int) -> None:
    made = published(MInvariance(m), snapshots, seed=seed)
    assert not fallen(made, every_attack(m, Fraction(1, m)))


@given(coming_and_going(lasting="HC", passing="xy"), st.integers(2, 3), st.integers(0, 9))
@FEW
def test_nobody_falls_to_releases_of_people_who_change(
    snapshots: list[Snapshot],
    l: int,  # noqa: E741
    seed: int,
) -> None:
    policy, most = HDComposition(l, permanent="H"), Fraction(99, 100)
    made = published(policy, snapshots, suppression=most, seed=seed)
    assert not fallen(made, [CriticalAbsence(permanent="H", limit=Fraction(1, l))])


@st.composite
def parts(draw: st.DrawFn) -> list[Ask]:
    """Draw which columns of the same people are published, all with what they hide."""
    asked: list[Ask] = []
    for _ in range(draw(st.integers(2, 3))):
        shown = draw(st.sets(st.sampled_from("abc"), min_size=1, max_size=2).map(sorted))
        h = draw(st.sampled_from(SHARES[:2]))
        x = draw(st.sampled_from([None, shown[:1]]))
        asked.append((Sequential(x=x, h=h), [*shown, "s"], (), None))
    return asked


def known_by(made: Sequence[Next], x: Columns | None) -> list[list[Record]]:
    """Put the records of releases into groups that show the same on x."""
    return [
        [
            Record(int(who), tuple(row[n] for n in x or TREES if n in row), row["s"])
            for who, row in zip(
                release.edition.people, release.edition.target.frame.to_dicts(), strict=True
            )
        ]
        for release in made
        if release.edition.people is not None
    ]


@given(crowds("abc", 7), parts())
@FEW
def test_nobody_falls_to_releases_of_other_columns(rows: list[Row], asked: list[Ask]) -> None:
    """Whoever knows x of everybody goes through all worlds, and so does the witness."""
    made, policies = list[Next](), list[Policy]()
    for i, release in drawn_parts(rows, asked):
        made.append(release)
        policies.append(asked[i][0])
        event(f"{len(made)} releases, {len(release.refused)} refused before")
        for policy in policies:
            assert isinstance(policy, Sequential)
            believed = witness.beliefs(known_by(made, policy.x))
            assert max(max(shares.values()) for shares in believed.values()) <= policy.h


def patients(ages: Sequence[int], ills: str) -> list[Person]:
    return [Person(age, "UK", ill) for age, ill in zip(ages, ills, strict=True)]


def publish(policy: Policy, people: Sequence[Person], sizes: Iterable[int]) -> tuple[Next, Past]:
    """Publish the first people, and then more of them."""
    past = Past()
    for n in sizes:
        promise = KCAnonymity(2, HALF, sensitive="ill")
        request = Request(table_of(people[:n]), np.arange(n), (promise,))
        made = next_release(policy, request, past, Terms(seed=0))
        past = Past((*past.editions, made.edition), made.memory, n)
    return made, past


class Searched(Incremental):
    """Publishes what the search finds, whoever falls."""

    def adversaries(self, request: Request, past: Past) -> tuple[SeriesAttack, ...]:
        return ()


EIGHT = patients([22, 20, 21, 21, 26, 21, 25, 21], "zwyzyxxy")
"""Four of them come first. What the search finds then gives somebody away, to nobody but those who
compare the releases record by record."""

TEN = [*EIGHT, *patients([24, 24], "yx")]


def test_what_gives_somebody_away_is_not_published_but_merged() -> None:
    _, past = publish(Searched(), EIGHT, (4, 8))
    series = Series(past.editions)
    told = {a.name: a.run(series).succeeded for a in every_attack(2, HALF)}
    assert [name for name, succeeded in told.items() if succeeded] == ["correspondence"]
    made, past = publish(Incremental(), EIGHT, (4, 8))
    assert [outcome.attack.name for outcome in made.refused] == ["correspondence"]
    assert isinstance(made.release.method, Merging)
    assert CriticalAbsence(limit=HALF).run(Series(past.editions)).highest <= HALF


def test_a_series_that_was_merged_goes_on_so() -> None:
    made, past = publish(Incremental(), TEN, (4, 8, 10))
    assert isinstance(made.release.method, Merging)
    assert not made.refused
    assert not CriticalAbsence(limit=HALF).run(Series(past.editions)).succeeded


def test_nothing_helps_if_what_is_out_gives_somebody_away() -> None:
    """Neither searching anew nor merging takes anything back."""
    six = patients([20, 23, 23, 27, 20, 27], "zxyzzx")
    _, past = publish(Incremental("static"), six, (4, 6))
    promise = KCAnonymity(2, HALF, sensitive="ill")
    request = Request(table_of([*six, *patients([21, 25], "xy")]), np.arange(8), (promise,))
    with pytest.raises(ChannelError, match="critical-absence finds") as told:
        next_release(Incremental(), request, past)
    assert [o.attack.name for o in told.value.outcomes] == ["critical-absence"]  # type: ignore[attr-defined]


def test_a_specialization_is_stopped_earlier_if_it_gives_somebody_away() -> None:
    people = patients([28, 22, 22, 20, 21, 26], "zxyzxz")
    made, past = publish(Continuous(), people, (4, 6))
    assert {outcome.attack.name for outcome in made.refused} == {"critical-absence"}
    assert CriticalAbsence(limit=HALF).run(Series(past.editions)).highest <= HALF
