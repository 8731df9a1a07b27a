"""Series of snapshots: people who come, go, come back and change, published one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

import numpy as np
from attrs import frozen
from hypothesis import strategies as st

from unlinkable.tables.attacks.series.series import Series, Sheet
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.methods.base.record_method import MaskedRecords
from unlinkable.tables.models.base import GroupModel
from unlinkable.tables.publishing.releases.masked import MaskedRelease
from unlinkable.tables.series.next_release import Next, Terms, next_release
from unlinkable.tables.series.policy import Past, Policy, Request

Snapshot = Mapping[int, tuple[int, str]]
"""Age and illness of everybody who is in."""

N_PEOPLE = 8


@frozen
class Step:
    """A release of a series, and all that is published by then."""

    next: Next
    past: Past
    request: Request

    @property
    def masked(self) -> MaskedRecords:
        """What was made of the records."""
        assert isinstance(self.next.release, MaskedRelease)
        return self.next.release.masked

    @property
    def sheets(self) -> tuple[Sheet, ...]:
        """All releases in numbers."""
        return Series(self.past.editions).sheets("ill")

    @property
    def texts(self) -> tuple[str | None, ...]:
        """What the numbers of values mean."""
        return Series(self.past.editions).texts("ill")


def publish(
    policy: Policy,
    snapshots: Sequence[Snapshot],
    *,
    models: tuple[GroupModel, ...] = (),
    suppression: Fraction = Fraction(0),
    seed: int = 0,
    past: Past | None = None,
) -> Iterator[Step]:
    """Publish snapshots one after the other."""
    past = past or Past()
    for i, snapshot in enumerate(snapshots):
        people = np.array(sorted(snapshot), np.int64)
        request = Request(table_of(snapshot), people, models, None, suppression)
        made = next_release(policy, request, past, Terms(seed=seed + i))
        n = max(past.n_people, int(people.max()) + 1)
        past = Past((*past.editions, made.edition), made.memory, n)
        yield Step(made, past, request)


def table_of(snapshot: Snapshot) -> Table:
    """Take people by their numbers."""
    rows = [snapshot[p] for p in sorted(snapshot)]
    columns = {"age": [age for age, _ in rows], "ill": [ill for _, ill in rows]}
    return as_table(columns, quasi="age", sensitive="ill")


@st.composite
def unchanging(draw: st.DrawFn, *, most: int = 5, values: str = "abcd") -> list[Snapshot]:
    """Draw snapshots of people whose ages change a little and whose illness does not.

    No two have the same age: groups of few people that show the same could not be told apart.
    """
    ill = {p: draw(st.sampled_from(values)) for p in range(N_PEOPLE)}
    snapshots: list[Snapshot] = []
    for _ in range(draw(st.integers(1, 4))):
        there = draw(st.sets(st.sampled_from(range(N_PEOPLE)), min_size=1, max_size=most))
        snapshots.append({p: (20 + 5 * p + draw(st.integers(0, 4)), ill[p]) for p in there})
    return snapshots


@st.composite
def changing(
    draw: st.DrawFn, *, permanent: str = "HC", passing: str = "abc", most: int = 8
) -> list[Snapshot]:
    """Draw snapshots of people who change, but for those who have a permanent value.

    Some get one after a while.
    """
    kinds = st.sampled_from([*permanent, None, None, None])
    always = {p: draw(kinds) for p in range(N_PEOPLE)}
    snapshots: list[Snapshot] = []
    for i in range(draw(st.integers(1, 4))):
        if i and draw(st.booleans()):
            late = draw(st.integers(0, N_PEOPLE - 1))
            always[late] = always[late] or draw(kinds)
        there = draw(st.sets(st.sampled_from(range(N_PEOPLE)), min_size=2, max_size=most))
        snapshots.append(
            {
                p: (
                    20 + 5 * p + draw(st.integers(0, 4)),
                    always[p] or draw(st.sampled_from(passing)),
                )
                for p in there
            }
        )
    return snapshots
