"""People who come, go, come back and change, and what policies publish of them.

What a policy says of itself is not believed: a release is what its published texts are.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import currently_in_test_context, event
from hypothesis import strategies as st

import unlinkable as ul
from tests.witness.drawn_series import read_edition
from tests.witness.matching import box, meaning
from tests.witness.models import Row
from tests.witness.series import Record
from tests.witness.tree import Tree
from unlinkable.errors import InfeasibleError
from unlinkable.tables.attacks.series.series import NOBODY, Edition
from unlinkable.tables.methods.base.search import Method
from unlinkable.tables.models.base import GroupModel
from unlinkable.tables.series.next_release import Terms, next_release
from unlinkable.tables.series.policy import Past, Policy, Request
from unlinkable.tables.taxonomies.builders import TaxonomyBuilder

__all__ = [
    "Made",
    "Person",
    "Snapshot",
    "coming_and_going",
    "growing",
    "published",
    "shows_truth",
    "table_of",
]

AGES = range(20, 30)
BORN: dict[str, Any] = {"*": {"Europe": {"UK": {}, "FR": {}}, "America": {"US": {}, "CA": {}}}}
PLACES = Tree.nested(BORN)


@dataclass(frozen=True)
class Person:
    """What somebody shows and hides at some time."""

    age: int
    born: str
    ill: str


Snapshot = Mapping[int, Person]
"""Everybody who is in, by a number that is his for ever."""


@dataclass(frozen=True)
class Made:
    """A release, and the people whom it is about."""

    people: Snapshot
    edition: Edition

    @property
    def records(self) -> list[Record]:
        """Whose every record is, the group that it is in, and what it hides."""
        return read_edition(self.edition, "ill")

    @property
    def rows(self) -> list[Row]:
        """What every record shows, as sets of raw values, and what it hides."""
        return [
            {"age": ages(row["age"]), "born": places(row["born"]), "ill": row["ill"]}
            for row in self.edition.target.frame.iter_rows(named=True)
        ]


def ages(text: Hashable) -> frozenset[Hashable]:
    """Give the ages that a published text stands for."""
    return box(str(text), AGES)


def places(text: str) -> frozenset[Hashable]:
    """Give the countries that a published text stands for."""
    found = meaning(text, PLACES)
    return frozenset(PLACES.leaves) if found is None else found


def shows_truth(made: Made) -> bool:
    """Whether every record is of somebody who has what it shows and hides, and is in it once."""
    assert made.edition.people is not None
    whose = [int(p) for p in made.edition.people]
    real = [p for p in whose if p != NOBODY]
    return len({*real}) == len(real) and all(
        who == NOBODY
        or (
            made.people[who].age in row["age"]  # type: ignore[operator]
            and made.people[who].born in row["born"]  # type: ignore[operator]
            and made.people[who].ill == row["ill"]
        )
        for who, row in zip(whose, made.rows, strict=True)
    )


GIVEN: Mapping[str, TaxonomyBuilder] = {"born": ul.Tree(BORN)}
"""Taxonomies that do not depend on who comes; ages have one that is made from the records."""


def table_of(
    people: Sequence[Person], taxonomies: Mapping[str, TaxonomyBuilder] = GIVEN
) -> ul.Table:
    """Take people for the records of a table."""
    return ul.as_table(
        {
            "age": [person.age for person in people],
            "born": [person.born for person in people],
            "ill": [person.ill for person in people],
        },
        quasi=["age", "born"],
        sensitive="ill",
        taxonomies=taxonomies,
    )


def published(
    policy: Policy,
    snapshots: Sequence[Snapshot],
    models: Sequence[GroupModel] = (),
    *,
    method: Method | None = None,
    suppression: Fraction = Fraction(0),
    seed: int = 0,
    forgets: bool = False,
    taxonomies: Mapping[str, TaxonomyBuilder] = GIVEN,
) -> list[Made]:
    """Publish one snapshot after the other, leaving out those of which nothing can be published.

    People get new numbers, in the order in which they are first published. If it ``forgets``, every
    release is made as if it were the first.
    """
    past, made, numbers = Past(), list[Made](), dict[int, int]()
    for i, snapshot in enumerate(snapshots):
        known = {**numbers}
        for who in snapshot:
            known.setdefault(who, len(known))
        people = {known[who]: person for who, person in snapshot.items()}
        table = table_of([*people.values()], taxonomies)
        request = Request(table, np.array([*people]), tuple(models), method, suppression)
        try:
            found = next_release(policy, request, Past() if forgets else past, Terms(seed=seed + i))
        except InfeasibleError:
            continue
        numbers = known
        past = Past((*past.editions, found.edition), found.memory, len(numbers))
        made.append(Made(people, found.edition))
    if currently_in_test_context():
        event(f"{len(made)} of {len(snapshots)} releases")
    return made


@st.composite
def someone(draw: st.DrawFn, ill: str) -> Person:
    """Draw what somebody shows."""
    return Person(draw(st.sampled_from(AGES)), draw(st.sampled_from(["UK", "FR", "US"])), ill)


@st.composite
def growing(draw: st.DrawFn, *, max_people: int = 9) -> list[Snapshot]:
    """Draw snapshots of a table that nobody leaves, and in which nothing changes.

    Most of those who come together hide different values: others would have to wait.
    """
    people: list[Person] = []
    snapshots: list[Snapshot] = []
    for _ in range(draw(st.integers(3, 4))):
        n = draw(st.sampled_from([2, 3, 3, 0, 1] if people else [3, 4]))
        hidden = draw(st.permutations("xyzx"))[:n]
        people = [*people, *(draw(someone(ill)) for ill in hidden)][:max_people]
        snapshots.append(dict(enumerate(people)))
    return snapshots


@st.composite
def coming_and_going(
    draw: st.DrawFn, *, lasting: str, passing: str = "", max_people: int = 8
) -> list[Snapshot]:
    """Draw snapshots of people who come, leave, come back and move.

    Parameters
    ----------
    lasting
        What somebody has for ever if he has it. Who has a passing value may get it.
    passing
        What somebody may have for a while, drawn anew for every snapshot.
    max_people
        How many there are in all, at most.
    """
    n = draw(st.integers(4, max_people))
    kinds = st.sampled_from([*lasting, *[None] * (3 * len(passing) // 2)])
    has = [draw(st.sampled_from(lasting) if p == 0 else kinds) for p in range(n)]
    known = [draw(someone("?")) for _ in range(n)]
    snapshots: list[Snapshot] = []
    for i in range(draw(st.integers(3, 4))):
        if i and passing and draw(st.integers(0, 3)) == 0:
            late = draw(st.integers(0, n - 1))
            has[late] = has[late] or draw(st.sampled_from(lasting))
        if i and draw(st.booleans()):
            known[draw(st.integers(0, n - 1))] = draw(someone("?"))
        away = draw(st.sets(st.integers(0, n - 1), max_size=n - 3))
        snapshots.append(
            {
                p: replace(known[p], ill=has[p] or draw(st.sampled_from(passing)))
                for p in range(n)
                if p not in away
            }
        )
    return snapshots
