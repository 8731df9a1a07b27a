"""The next release: made by a policy, and attacked before it is published."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import polars as pl
import pytest

from tests.tables.series.toys import PROMISE, Growing, people
from unlinkable.errors import ChannelError, ParameterError
from unlinkable.tables.attacks.base.target import AdversaryKnowledge, Target
from unlinkable.tables.attacks.series.critical_absence import CriticalAbsence
from unlinkable.tables.attacks.series.series import NOBODY, Edition, Series
from unlinkable.tables.data import Table
from unlinkable.tables.methods.base.record_method import MaskedRecords, RecordMethod
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.models.base import All, GroupModel
from unlinkable.tables.publishing.attacking.several import attack_series_all
from unlinkable.tables.series.membership_attacks import attempt
from unlinkable.tables.series.next_release import Next, edition_of, next_release
from unlinkable.tables.series.policy import Past, Request


def again(n: int, past: Past) -> Next:
    return next_release(Growing(), Request(people(0, n), np.arange(n), (PROMISE,)), past)


def test_a_release_follows_the_earlier_ones() -> None:
    first = again(12, Past())
    assert first.outcomes == ()
    past = Past((first.edition,), first.memory, 12)
    second = again(14, past)
    assert second.edition.name == "release 2"
    assert [outcome.n_fallen for outcome in second.outcomes] == [0]
    assert second.memory["times"].get_column("n").to_list() == [2] * 12 + [1] * 2


def test_a_channel_is_told_with_whom_it_harms() -> None:
    first = again(12, Past())
    with pytest.raises(ChannelError, match="shrinking finds 3 of 9: 3 records are") as told:
        again(9, Past((first.edition,), first.memory, 12))
    assert [outcome.n_fallen for outcome in told.value.outcomes] == [3]  # type: ignore[attr-defined]


def test_it_is_known_whose_the_published_records_are() -> None:
    numbers = np.array([7, 3, 9, 1, 5, 2])
    made = next_release(Growing(), Request(people(0, 6), numbers, (PROMISE,)), Past())
    rows = made.release.applied.rows
    assert rows is not None
    assert made.edition.people is not None
    assert made.edition.people.tolist() == numbers[rows].tolist()
    ills = people(0, 6).frame.get_column("ill").cast(pl.String)
    assert made.edition.target.frame.get_column("ill").cast(pl.String).to_list() == (
        ills[rows].to_list()
    )


def test_something_must_be_promised() -> None:
    with pytest.raises(ParameterError, match="nothing is promised"):
        next_release(Growing(), Request(people(0, 6), np.arange(6)), Past())


class WithCounterfeits(RecordMethod):
    """Publishes everybody, and one who does not exist."""

    name = "with-counterfeits"
    needs_promise = False
    groups_people = True

    def refusal(self, model: GroupModel) -> str | None:
        return None

    def mask(self, table: Table, privacy: All, task: Task) -> MaskedRecords:
        shown = table.frame.select("age", "job", "ill")
        frame = pl.concat([shown, shown[:1]])
        return MaskedRecords(frame, None, whose=np.append(np.arange(len(table)), -1))

    def __str__(self) -> str:
        return self.name


def test_records_that_are_made_up_are_nobodys_in_any_order() -> None:
    from unlinkable.tables.data.side import Side
    from unlinkable.tables.publishing.anonymizing.anonymize import carry_out
    from unlinkable.tables.publishing.anonymizing.job import Job

    table = people(0, 6)
    for is_shuffled in (False, True):
        job = Job(table, (), Side(), Fraction(0), {}, None, None, None, 0.0, is_shuffled)
        release = carry_out(job, WithCounterfeits(), None)
        edition = edition_of(release, np.arange(10, 16), "one")
        assert edition.people is not None
        assert sorted(edition.people.tolist()) == [NOBODY, *range(10, 16)]
        for person, ill in zip(
            edition.people.tolist(), edition.target.frame.get_column("ill").to_list(), strict=True
        ):
            expected = table.frame.get_column("ill")[0 if person == NOBODY else person - 10]
            assert ill == expected


def test_more_worlds_are_counted_until_somebody_falls() -> None:
    """Three of five people share a group with two a and one b in the second release."""
    groups, ill = ("xxxxx", "xxxyy"), [*"aabab"]
    frames = [pl.DataFrame({"group": [*shown], "ill": ill}) for shown in groups]
    editions = (Edition(Target(f, ("group",), ("ill",)), np.arange(5)) for f in frames)
    series, hasty = Series(tuple(editions)), CriticalAbsence(worlds=1)
    assert not hasty.run(series).succeeded
    found = attempt(hasty, series, AdversaryKnowledge())
    assert (found.n_fallen, found.details["uncounted"]) == (3, 0)
    written = ["critical-absence(worlds=1)"]
    (again,) = [
        outcome
        for outcome in attack_series_all(series, guarded=written).outcomes
        if outcome.attack.name == "critical-absence"
    ]
    assert again.n_fallen == 3
